//! Holds the tree of dependencies to `deny.toml`, without a network: licences, doubled versions, banned crates, sources.
//!
//! Versions and sources are those of `Cargo.lock`, for every platform. Licences are those of the packages of this
//! platform, since those of others need not be on this machine; `cargo deny check` sees them all.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use framewalk_tests::licence::is_satisfied;
use framewalk_tests::sources::root;
use serde::Deserialize;

#[derive(Deserialize)]
struct Deny {
    licenses: Licenses,
    bans: Bans,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
    exceptions: Vec<LicenseException>,
}

#[derive(Deserialize)]
struct LicenseException {
    #[serde(rename = "crate")]
    package: String,
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    deny: Vec<Ban>,
    skip: Vec<Skip>,
}

/// A crate that is banned, or of which two versions are.
#[derive(Deserialize)]
struct Ban {
    #[serde(rename = "crate")]
    package: String,
    #[serde(default, rename = "deny-multiple-versions")]
    one_version: bool,
}

/// A version, `name@version`, that does not count as a second one.
#[derive(Deserialize)]
struct Skip {
    #[serde(rename = "crate")]
    package: String,
    reason: String,
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<LockedPackage>,
}

#[derive(Deserialize)]
struct LockedPackage {
    name: String,
    version: String,
    source: Option<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
}

fn read<T: for<'de> Deserialize<'de>>(file: &str) -> T {
    let text = std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()))
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap_or_else(|error| panic!("cargo does not start: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {} failed:\n{errors}", arguments.join(" "));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The platform this was built on, as cargo names it.
fn host() -> String {
    let rustc = Command::new("rustc").arg("-vV").output().unwrap_or_else(|error| panic!("rustc: {error}"));
    let text = String::from_utf8_lossy(&rustc.stdout);
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.unwrap_or_else(|| panic!("rustc -vV names no host:\n{text}")).to_owned()
}

/// Versions of every package that is really built here, by name.
fn built() -> BTreeMap<String, BTreeSet<String>> {
    let tree =
        cargo(&["tree", "--workspace", "--locked", "--offline", "--prefix", "none", "--format", "{p}"]);
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in tree.lines() {
        let mut words = line.split(' ');
        if let (Some(name), Some(version)) = (words.next(), words.next()) {
            versions.entry(name.to_owned()).or_default().insert(version.trim_start_matches('v').to_owned());
        }
    }
    versions
}

#[test]
fn every_licence_is_one_that_deny_toml_allows() {
    let licenses = read::<Deny>("deny.toml").licenses;
    let metadata = cargo(&[
        "metadata",
        "--format-version",
        "1",
        "--locked",
        "--offline",
        "--all-features",
        "--filter-platform",
        &host(),
    ]);
    let metadata: Metadata = serde_json::from_str(&metadata).unwrap();
    let mut refused = Vec::new();
    for package in &metadata.packages {
        let Some(expression) = &package.license else {
            refused.push(format!("{} {} names no licence", package.name, package.version));
            continue;
        };
        let exceptions = licenses.exceptions.iter().filter(|exception| exception.package == package.name);
        let exceptions: Vec<&String> = exceptions.flat_map(|exception| &exception.allow).collect();
        let accepts = |licence: &str| {
            licenses.allow.iter().chain(exceptions.iter().copied()).any(|allowed| allowed == licence)
        };
        match is_satisfied(expression, &accepts) {
            Ok(true) => {}
            Ok(false) => refused.push(format!("{} {}: {expression}", package.name, package.version)),
            Err(sentence) => refused.push(format!("{} {}: {sentence}", package.name, package.version)),
        }
    }
    assert!(metadata.packages.len() > 100, "only {} packages were looked at", metadata.packages.len());
    assert!(
        refused.is_empty(),
        "licences that deny.toml does not allow; replace the crate, or add the licence there with a reason:\n{}",
        refused.join("\n")
    );
}

#[test]
fn every_exception_in_deny_toml_is_still_needed() {
    let deny: Deny = read("deny.toml");
    let lock: Lock = read("Cargo.lock");
    let locked = |name: &str, version: Option<&str>| {
        lock.package
            .iter()
            .any(|package| package.name == name && version.is_none_or(|v| package.version == v))
    };
    for exception in &deny.licenses.exceptions {
        assert!(
            locked(&exception.package, None),
            "deny.toml: take out the exception for {}",
            exception.package
        );
    }
    for skip in &deny.bans.skip {
        let (name, version) = skip.package.split_once('@').unwrap();
        assert!(locked(name, Some(version)), "deny.toml: take out the skipped {}", skip.package);
        assert!(!skip.reason.is_empty(), "deny.toml: say why {} is skipped", skip.package);
    }
}

#[test]
fn crates_that_meet_at_an_interface_are_there_in_one_version() {
    let bans = read::<Deny>("deny.toml").bans;
    let lock: Lock = read("Cargo.lock");
    let skipped = |package: &LockedPackage| {
        bans.skip.iter().any(|skip| skip.package == format!("{}@{}", package.name, package.version))
    };
    let single: Vec<&str> =
        bans.deny.iter().filter(|ban| ban.one_version).map(|ban| ban.package.as_str()).collect();
    for needed in ["egui", "eframe", "egui-wgpu", "wgpu", "winit", "glam"] {
        assert!(single.contains(&needed), "deny.toml: say `deny-multiple-versions` for {needed}");
    }
    for name in single {
        let versions: Vec<&str> = lock
            .package
            .iter()
            .filter(|package| package.name == name && !skipped(package))
            .map(|package| package.version.as_str())
            .collect();
        assert_eq!(
            versions.len(),
            1,
            "Cargo.lock has {name} in the versions {versions:?}, and one is needed: \
             `cargo tree --target all -i {name}@VERSION` says who asks for it"
        );
    }
}

#[test]
fn no_version_that_deny_toml_skips_is_built() {
    let bans = read::<Deny>("deny.toml").bans;
    let built = built();
    for skip in &bans.skip {
        let (name, version) = skip.package.split_once('@').unwrap();
        let versions = built.get(name).unwrap_or_else(|| panic!("deny.toml: {name} is not built at all"));
        assert!(
            !versions.contains(version),
            "{name} {version} is built, beside {versions:?}: the reason in deny.toml is no longer true; \
             `cargo tree --workspace -i {name}@{version}` says who asks for it"
        );
    }
}

#[test]
fn no_banned_crate_is_in_the_tree() {
    let bans = read::<Deny>("deny.toml").bans;
    let lock: Lock = read("Cargo.lock");
    let banned: Vec<&str> =
        bans.deny.iter().filter(|ban| !ban.one_version).map(|ban| ban.package.as_str()).collect();
    assert!(banned.contains(&"egui_dock"), "deny.toml: ban egui_dock");
    for package in &lock.package {
        assert!(!banned.contains(&package.name.as_str()), "{} is banned by deny.toml", package.name);
    }
}

#[test]
fn every_package_comes_from_the_registry() {
    let lock: Lock = read("Cargo.lock");
    let registry = "registry+https://github.com/rust-lang/crates.io-index";
    for LockedPackage { name, version, source } in &lock.package {
        match source {
            Some(source) => {
                assert_eq!(source, registry, "{name} {version}: depend on a release of it instead");
            }
            // No source: a crate of this workspace.
            None => assert!(name.starts_with("framewalk"), "{name} {version} is taken from a folder"),
        }
    }
}
