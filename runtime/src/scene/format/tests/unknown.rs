//! Parts that this version does not know.

use super::*;
use crate::scene::{EntityId, Unknown};

const TEXT: &str = "(
    format: 1,
    weather: Storm(wind: [1, 2]),
    entities: [
        (
            id: 1, name: \"A\",
            trail: (
                length: 3, // metres
            ),
            camera: (),
            r#on-hit: Some({\"a\": 'b'}),
        ),
    ],
)
";

#[test]
fn what_is_not_known_is_kept_listed_and_written_back() {
    let reading = read_scene(TEXT).expect("no fault");
    let part = |name: &str, text: &str| Unknown { name: name.to_owned(), text: text.to_owned() };
    assert_eq!(reading.scene.unknown, [part("weather", "Storm(wind: [1, 2])")]);
    assert_eq!(
        reading.scene.entities[0].unknown,
        [
            part("trail", "(\n                length: 3, // metres\n            )"),
            part("on-hit", "Some({\"a\": 'b'})")
        ]
    );
    let notes: Vec<String> = reading.unknown.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "3:5: weather: this version does not know it: it is kept as it is written",
            "7:13: \"A\" (id 1), trail: this version does not know it: it is kept as it is written",
            "11:13: \"A\" (id 1), on-hit: this version does not know it: it is kept as it is written",
        ]
    );
    let canonical = write_scene(&reading.scene);
    assert_eq!(parse_scene(&canonical), Ok(reading.scene.clone()));
    assert_eq!(update_scene(TEXT, &reading.scene), Ok(TEXT.to_owned()));
}

#[test]
fn a_duplicate_takes_the_unknown_parts_along() {
    let mut scene = parse_scene(TEXT).expect("no fault");
    let copy = Entity { id: EntityId(2), ..scene.entities[0].clone() };
    scene.entities.push(copy);
    let text = update_scene(TEXT, &scene).expect("a scene");
    assert_eq!(text.matches("trail: (").count(), 2);
    assert_eq!(parse_scene(&text), Ok(scene));
}

#[test]
fn a_misspelling_is_a_fault_and_a_name_of_its_own_is_not() {
    let entity = |field: &str| faults(&format!("(format: 1, entities: [(id: 1, name: \"A\", {field})])"));
    for field in ["gun: 3", "skybox: ()", "shadow: Soft", "r#shape-2: ()"] {
        assert_eq!(entity(field), Vec::<String>::new(), "{field}");
    }
    for (field, meant) in [("shap: 3", "shape"), ("Camera: ()", "camera"), ("teleportr: ()", "teleporter")] {
        let found = entity(field).join("\n");
        assert!(found.contains(&format!("did you mean `{meant}`?")), "{field}: {found}");
    }
    assert_eq!(entity("gun: 1, gun: 2"), ["1:51: the field `gun` is written twice"]);
}
