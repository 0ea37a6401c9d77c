//! The path from the command line to the verdict in `docs/architecture.md`: every function is in its file.

use std::fs;
use std::path::Path;

#[test]
fn every_step_of_the_path_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = fs::read_to_string(root.join("docs/architecture.md")).unwrap();
    let (_, path) = text.split_once("## From the command line to the verdict").expect("the section");
    let (path, _) = path.split_once("\n## ").unwrap();
    let quoted = |cell: &str| cell.trim().trim_matches('`').to_owned();
    let steps: Vec<Vec<String>> = (path.lines())
        .filter(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(quoted).collect::<Vec<_>>())
        .filter(|cells| cells[0].parse::<u32>().is_ok())
        .collect();
    assert!((1..=10).contains(&steps.len()), "{} steps", steps.len());
    for (number, step) in (1..).zip(&steps) {
        let [nth, function, file, _] = &step[..] else { panic!("{step:?}") };
        assert_eq!(*nth, number.to_string());
        let source = fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let is_there = ["(", "<"].iter().any(|after| source.contains(&format!("fn {function}{after}")));
        assert!(is_there, "{file} has no function {function}");
    }
}
