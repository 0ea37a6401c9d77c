//! Are the configs that come with the program what their names say?

use engine::config::EngineConfig;
use engine::params::SearchParams;
use engine::techniques::{TECHNIQUES, Techniques};
use std::path::{Path, PathBuf};

fn configs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs")
}

fn load(path: &Path) -> EngineConfig {
    EngineConfig::load(path).unwrap_or_else(|error| panic!("{error}"))
}

/// The files of a folder by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

fn on(techniques: &Techniques) -> Vec<&'static str> {
    techniques.iter().filter(|(_, on)| *on).map(|(info, _)| info.name).collect()
}

#[test]
fn full_is_the_engine_without_arguments_and_spells_it_out() {
    let path = configs().join("full.toml");
    assert_eq!(load(&path), EngineConfig { name: "full".to_owned(), ..EngineConfig::default() });
    let text = std::fs::read_to_string(path).unwrap();
    for (info, on) in Techniques::default().iter() {
        assert!(text.contains(&format!("\n{} = {on}\n", info.name)), "{}", info.name);
    }
    for (info, value) in SearchParams::default().iter() {
        assert!(text.contains(&format!("\n{} = {value}\n", info.name)), "{}", info.name);
    }
}

#[test]
fn the_ladder_leads_from_alpha_beta_to_the_full_engine_one_technique_at_a_time() {
    let files = files(&configs().join("ladder"));
    let full: Vec<&str> = TECHNIQUES.iter().filter(|info| info.default).map(|info| info.name).collect();
    assert_eq!(full[0], "alpha_beta");
    assert_eq!(files.len(), full.len());
    for (step, path) in files.iter().enumerate() {
        let config = load(path);
        assert_eq!(on(&config.techniques), full[..=step], "{}", path.display());
        assert_eq!(config.params, SearchParams::default());
        assert_eq!(config.name, format!("{:02}-{}", step + 1, full[step].replace('_', "-")));
        assert_eq!(path.file_stem().unwrap().to_str(), Some(&*config.name));
    }
}
