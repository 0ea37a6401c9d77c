//! Ranges of parameters that are legal together. Ends of ranges that nobody gave are drawn in until all are.

use super::file::Entry;
use super::spsa::Parameter;
use engine::params::{ParamError, SearchParams};

/// A parameter as it will be tuned, beside what is given of it.
pub struct Wanted<'a> {
    /// What is given.
    pub entry: &'a Entry,
    /// With what the table and the base say of the rest.
    pub parameter: Parameter,
}

/// Two parameters of which the first must stay below the second, and need not within their ranges.
#[derive(Clone, Copy)]
pub struct Clash {
    /// The one that must stay below.
    pub lower: &'static str,
    /// The one above it.
    pub upper: &'static str,
}

/// Draws in ends that are not given, each to the nearest value that is legal whatever the others are; `params` has the values
/// of all that is not tuned.
///
/// # Errors
/// Two whose ends are given, or that are not tuned.
pub fn draw_in(wanted: &mut [Wanted], params: &SearchParams) -> Result<(), Clash> {
    while let Some(clash) = find_clash(wanted, params) {
        separate(wanted, clash, params).ok_or(clash)?;
    }
    Ok(())
}

/// The parameter of this name.
pub fn place(wanted: &[Wanted], name: &str) -> Option<usize> {
    wanted.iter().position(|wanted| wanted.parameter.name == name)
}

/// Makes the two legal together; none if neither end may be moved.
fn separate(wanted: &mut [Wanted], Clash { lower, upper }: Clash, params: &SearchParams) -> Option<()> {
    let [lower_place, upper_place] = [lower, upper].map(|name| place(wanted, name));
    let free_lower = lower_place.filter(|&lower| wanted[lower].entry.max.is_none());
    let free_upper = upper_place.filter(|&upper| wanted[upper].entry.min.is_none());
    match (free_lower, free_upper) {
        (Some(lower), Some(upper)) => {
            // They share the room between their starts.
            let middle = f64::midpoint(wanted[lower].parameter.start, wanted[upper].parameter.start).ceil();
            wanted[upper].parameter.min = middle as i32;
            wanted[lower].parameter.max = (middle - 1.0) as i32;
        }
        (Some(lower), None) => {
            let least = upper_place.map(|upper| wanted[upper].parameter.min).or_else(|| params.get(upper))?;
            wanted[lower].parameter.max = least - 1;
        }
        (None, Some(upper)) => {
            let greatest =
                lower_place.map(|lower| wanted[lower].parameter.max).or_else(|| params.get(lower))?;
            wanted[upper].parameter.min = greatest + 1;
        }
        (None, None) => return None,
    }
    Some(())
}

/// Looks at each parameter at its least with all others at their greatest, and the other way round.
fn find_clash(wanted: &[Wanted], params: &SearchParams) -> Option<Clash> {
    let corner = |odd_one: usize, is_least: bool| {
        let mut params = params.clone();
        for (place, Wanted { parameter, .. }) in wanted.iter().enumerate() {
            let end = if (place == odd_one) == is_least { parameter.min } else { parameter.max };
            // An end outside the table has left no room in its range, which is found out later.
            params.set(&parameter.name, end.into()).ok()?;
        }
        params.check().into_iter().find_map(|error| match error {
            ParamError::NotBelow { name, limit_name, .. } => Some(Clash { lower: name, upper: limit_name }),
            ParamError::Unknown { .. } | ParamError::OutOfRange { .. } => None,
        })
    };
    (0..wanted.len()).find_map(|place| corner(place, true).or_else(|| corner(place, false)))
}
