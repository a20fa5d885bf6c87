//! Canonical form, with comments.

use super::properties::scene;
use super::updates::{relaid, trivia};
use super::*;
use crate::scene::text::comments;
use proptest::prelude::*;

#[test]
fn comments_stay_with_what_they_are_about() {
    let text = "// A scene.
#![enable(implicit_some)]
Scene( entities: [

    // ---- lights ----

    /* it shines */ (name: \"Sun\", id: 1, sun: (strength: 1.50,), parent: None ), // east
    (id: 2, name: \"B\", // its name
       transform: ( position: (1.0, /* up */ 2.0, 3) ), body: None, // none
       // last
    ),
    // end of the list
  ],
  // what
  format: 1 /* first */ ,
)
// The end.";
    let canonical = "// A scene.
#![enable(implicit_some)]
(
    // what
    format: 1 /* first */,
    entities: [
        // ---- lights ----

        /* it shines */
        (id: 1, name: \"Sun\", sun: (strength: 1.5)), // east
        (
            id: 2,
            name: \"B\", // its name
            transform: ( position: (1.0, /* up */ 2.0, 3) ),
            body: None, // none
            // last
        ),
        // end of the list
    ],
)
// The end.
";
    assert_eq!(format_text(text).as_deref(), Ok(canonical));
    assert_eq!(format_text(canonical).as_deref(), Ok(canonical));
}

#[test]
fn a_comment_between_a_value_and_its_comma_stays_behind_the_value() {
    let text = "(format: 1, entities: [
        (id: 1, name: \"A\", transform: (position: (1, 2, 3)) /* there */, sun: (strength: 1.5) // up to the end
        ,) /* the first */ /* of all */, // and the only one
    ] /* end */,)";
    let canonical = "(
    format: 1,
    entities: [
        (
            id: 1, name: \"A\",
            transform: (position: (1, 2, 3)) /* there */,
            // up to the end
            sun: (strength: 1.5),
        ) /* the first */ /* of all */, // and the only one
    ] /* end */,
)
";
    assert_eq!(format_text(text).as_deref(), Ok(canonical));
    assert_eq!(format_text(canonical).as_deref(), Ok(canonical));
}

#[test]
fn a_text_of_windows_keeps_its_line_ends() {
    assert_eq!(
        format_text("(\r\nformat: 1, // a\r\n)").as_deref(),
        Ok("(\r\n    format: 1, // a\r\n    entities: [\r\n    ],\r\n)\r\n")
    );
}

#[test]
fn a_text_that_is_no_scene_is_not_formatted() {
    let found = format_text("(format: 1").err().unwrap_or_default();
    assert_eq!(
        found.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["1:11: the text ends too early: a closing `)` or `]` is missing"]
    );
}

proptest! {
    #[test]
    fn canonical_form_loses_no_comment_and_changes_no_scene(scene in scene(), trivia in trivia()) {
        let text = relaid(&write_scene(&scene), &trivia);
        let canonical = format_text(&text).expect("a scene");
        prop_assert_eq!(faults(&canonical), Vec::<String>::new(), "{}\n=>\n{}", text, canonical);
        prop_assert_eq!(parse_scene(&canonical), Ok(scene), "{}\n=>\n{}", text, canonical);
        let sorted = |text: &str| {
            let mut found: Vec<String> = comments(text).map(|comment| comment.trim_end().to_owned()).collect();
            found.sort();
            found
        };
        prop_assert_eq!(sorted(&canonical), sorted(&text), "{}\n=>\n{}", text, canonical);
        prop_assert_eq!(format_text(&canonical), Ok(canonical));
    }

    #[test]
    fn without_comments_it_is_the_text_that_is_written(scene in scene(), trivia in trivia()) {
        let blanks: Vec<String> =
            trivia.into_iter().map(|trivia| if trivia.contains('/') { " ".to_owned() } else { trivia }).collect();
        let text = relaid(&write_scene(&scene), &blanks).replace('\r', "");
        prop_assert_eq!(format_text(&text), Ok(write_scene(&scene)));
    }
}
