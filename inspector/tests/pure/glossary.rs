use framewalk_inspector::glossary::{TERMS, explain, find, named_by};
use framewalk_runtime::frame::stage::Stage;

fn word(label: &str) -> Option<&'static str> {
    named_by(label).map(|term| term.word)
}

#[test]
fn every_term_is_one_word_of_the_table_and_has_one_sense() {
    let mut seen = std::collections::HashSet::new();
    for term in TERMS {
        assert!(term.sense.ends_with('.'), "{}", term.word);
        for written in std::iter::once(&term.word).chain(term.also) {
            assert!(seen.insert(*written), "{written} has two senses");
            assert_eq!(written.to_lowercase(), *written);
        }
    }
}

#[test]
fn every_stage_is_a_term() {
    for stage in Stage::ALL {
        assert!(find(stage.name()).is_some(), "{}", stage.name());
    }
}

#[test]
fn a_label_names_its_term_whatever_its_case_and_figures() {
    assert_eq!(word("Tick 1 204"), Some("tick"));
    assert_eq!(word("overstep, ms"), Some("overstep"));
    assert_eq!(word("in flight 0"), Some("in flight"));
    assert_eq!(word("Tick rate 60 Hz"), Some("tick rate"));
    assert_eq!(word("late –"), Some("late frame"));
    assert_eq!(word("Outliner"), None);
    assert_eq!(word("12 ms"), None);
}

#[test]
fn a_caption_is_explained_term_by_term_and_the_longest_term_is_meant() {
    let told = explain("frame 1 204 · frame interval 6.94 ms · Dropped frames 3");
    let words: Vec<&str> = told.lines().map(|line| line.split(':').next().unwrap_or_default()).collect();
    assert_eq!(words, ["frame", "frame interval", "dropped"]);
    assert_eq!(explain("latest news of 12 frameworks"), "");
}
