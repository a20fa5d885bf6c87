use super::*;

#[test]
fn an_empty_scene_is_fine() {
    assert_eq!(check_scene(&Scene::default()), []);
}
