//! Parameters written down for people, for config files and for tuners.

use std::fmt::Write;

use serde::Serialize;

use crate::params::{PARAMS, ParamInfo, SearchParams};

/// A way to write parameters down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Aligned columns for people, the meaning wrapped.
    Table,
    /// The `[params]` section of a config, meanings and ranges as comments.
    Toml,
    /// OpenBench's SPSA lines: `name, int, value, min, max, c_end, r_end`.
    #[value(name = "openbench")]
    OpenBench,
    /// An array of objects with the columns of the table.
    Json,
}

/// The learning rate at the end of a tuning run that OpenBench proposes.
const R_END: f64 = 0.002;

/// Columns that a meaning may take in the table.
const DOC_WIDTH: usize = 60;

/// All parameters with their values; ends with a newline.
pub fn format_params(params: &SearchParams, format: Format) -> String {
    match format {
        Format::Table => table(params),
        Format::Toml => toml_section(params),
        Format::OpenBench => open_bench(params),
        Format::Json => json(params),
    }
}

fn table(params: &SearchParams) -> String {
    let width = |cell: fn(&ParamInfo) -> &str| PARAMS.iter().map(|info| cell(info).len()).max().unwrap_or(0);
    let (names, techniques) = (width(|info| info.name), width(|info| info.technique));
    let row = |name: &str, [value, default, published, range, step]: [&str; 5], technique: &str| {
        format!(
            "{name:names$}  {value:>5}  {default:>7}  {published:>9}  {range:>11}  {step:>4}  {technique:techniques$}  "
        )
    };
    let header = row("name", ["value", "default", "published", "range", "step"], "technique");
    let mut text = format!("{header}meaning\n");
    for (info, value) in params.iter() {
        let cells = row(
            info.name,
            [
                &value.to_string(),
                &info.default.to_string(),
                &info.published.to_string(),
                &format!("{}..{}", info.min, info.max),
                &info.step.to_string(),
            ],
            info.technique,
        );
        text.push_str(&cells);
        text.push_str(&wrap(info.doc, DOC_WIDTH).join(&format!("\n{:1$}", "", cells.len())));
        text.push('\n');
    }
    text
}

fn toml_section(params: &SearchParams) -> String {
    let mut text = String::from("[params]\n");
    for (info, value) in params.iter() {
        let ParamInfo { name, min, max, doc, .. } = info;
        writeln!(text, "# {doc} ({min} to {max})\n{name} = {value}").expect("a String takes all");
    }
    text
}

fn open_bench(params: &SearchParams) -> String {
    let line = |(info, value): (&ParamInfo, i32)| {
        let ParamInfo { name, min, max, step, .. } = info;
        format!("{name}, int, {value}, {min}, {max}, {step}, {R_END}\n")
    };
    params.iter().map(line).collect()
}

fn json(params: &SearchParams) -> String {
    #[derive(Serialize)]
    struct Row {
        name: &'static str,
        value: i32,
        default: i32,
        published: i32,
        min: i32,
        max: i32,
        step: i32,
        technique: &'static str,
        doc: &'static str,
    }
    let row = |(info, value): (&'static ParamInfo, i32)| {
        let &ParamInfo { name, default, published, min, max, step, technique, doc, .. } = info;
        Row { name, value, default, published, min, max, step, technique, doc }
    };
    let rows: Vec<Row> = params.iter().map(row).collect();
    serde_json::to_string_pretty(&rows).expect("numbers and text have a JSON form") + "\n"
}

/// The text in lines of at most `width` characters, broken between words.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("never empty");
        if line.is_empty() {
            line.push_str(word);
        } else if line.len() + 1 + word.len() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed() -> SearchParams {
        SearchParams { aspiration_delta: 30, ..SearchParams::default() }
    }

    #[test]
    fn the_table_is_aligned_and_wrapped() {
        let text = format_params(&changed(), Format::Table);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(
            lines[0],
            "name                          value  default  published        range  step  technique                      \
             meaning"
        );
        assert_eq!(
            lines[1],
            "aspiration_delta                 30       25         25       1..500     5  aspiration                     \
             half-width of the first aspiration window, in centipawns"
        );
        let meaning_column = lines[0].find("meaning").unwrap();
        assert!(lines.iter().all(|line| line.len() <= meaning_column + DOC_WIDTH));
        assert!(lines.iter().all(|line| &line[meaning_column - 1..meaning_column] == " "));
    }

    #[test]
    fn toml_is_a_params_section_with_the_values() {
        let text = format_params(&changed(), Format::Toml);
        assert!(text.starts_with(
            "[params]\n# half-width of the first aspiration window, in centipawns (1 to 500)\naspiration_delta = 30\n"
        ));
        let parsed: toml::Table = text.parse().unwrap();
        let section = parsed["params"].as_table().unwrap();
        assert_eq!(section.len(), PARAMS.len());
        for (info, value) in changed().iter() {
            assert_eq!(section[info.name].as_integer(), Some(value.into()));
        }
    }

    #[test]
    fn open_bench_lines_have_seven_fields() {
        let text = format_params(&changed(), Format::OpenBench);
        assert_eq!(text.lines().next(), Some("aspiration_delta, int, 30, 1, 500, 5, 0.002"));
        assert_eq!(text.lines().count(), PARAMS.len());
        assert!(text.lines().all(|line| line.split(", ").count() == 7));
    }

    #[test]
    fn json_has_every_column() {
        let text = format_params(&changed(), Format::Json);
        let parsed: Vec<serde_json::Map<String, serde_json::Value>> = serde_json::from_str(&text).unwrap();
        assert_eq!(parsed.len(), PARAMS.len());
        let expected = serde_json::json!({
            "name": "aspiration_delta", "value": 30, "default": 25, "published": 25, "min": 1, "max": 500, "step": 5,
            "technique": "aspiration", "doc": "half-width of the first aspiration window, in centipawns",
        });
        assert_eq!(serde_json::Value::Object(parsed[0].clone()), expected);
        let margin = parsed.iter().find(|row| row["name"] == "history_pruning_margin").unwrap();
        assert_eq!((&margin["default"], &margin["published"]), (&200.into(), &16.into()));
    }

    #[test]
    fn words_longer_than_the_width_stay_whole() {
        assert_eq!(wrap("a verylongword b", 6), ["a", "verylongword", "b"]);
    }
}
