//! What is shown while games are played: on a terminal one line that changes, elsewhere a line now and then.

use super::tell;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Time between two changes of the line on a terminal.
const REDRAW_EVERY: Duration = Duration::from_millis(200);

/// Shows the progress of a run on standard error.
pub struct ProgressLine {
    bar: Option<ProgressBar>,
    began: Instant,
    shown: Instant,
    new_games: u64,
    heading: String,
}

impl ProgressLine {
    /// Begins to show; nothing is written before the first pair is counted.
    ///
    /// `heading` says what is played, for those who see single lines.
    pub fn new(heading: String) -> ProgressLine {
        let bar = std::io::stderr().is_terminal().then(|| {
            // Once nobody holds it any more, the line is taken away.
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
                .with_finish(ProgressFinish::AndClear);
            let style = ProgressStyle::with_template("{spinner} {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.enable_steady_tick(REDRAW_EVERY);
            bar
        });
        let now = Instant::now();
        ProgressLine { bar, began: now, shown: now, new_games: 0, heading }
    }

    /// A pair has been counted; `is_new` if it was played in this session. `line` says how things stand, given the
    /// games played a second.
    pub fn counted(&mut self, is_new: bool, line: impl FnOnce(f64) -> String) {
        self.new_games += if is_new { 2 } else { 0 };
        let every = if self.bar.is_some() { REDRAW_EVERY } else { LINE_EVERY };
        if !is_new || self.shown.elapsed() < every {
            return;
        }
        self.shown = Instant::now();
        let line = line(self.new_games as f64 / self.began.elapsed().as_secs_f64().max(1e-3));
        match &self.bar {
            Some(bar) => bar.set_message(line),
            None => tell(format_args!("{}: {line}", self.heading)),
        }
    }
}
