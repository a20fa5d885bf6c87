//! Of thousands that are edited together, the few by which fields are seen to be mixed.

use framewalk_runtime::scene::Transform;

use super::fields::{self, Values};
use crate::document::component::Component;

/// So many different components are told from each other without looking at their fields.
const MOST_KNOWN: usize = 16;

/// Those of the others that differ from the primary one in a number in which none before them did.
pub fn transforms(primary: &Transform, others: impl IntoIterator<Item = Transform>) -> Vec<Transform> {
    let numbers = |of: &Transform| {
        let vectors = [of.position, of.rotation_degrees, of.scale];
        vectors.map(|vector| vector.to_array())
    };
    let own = numbers(primary);
    let mut mixed = [[false; 3]; 3];
    let mut telling = Vec::new();
    for other in others {
        let theirs = numbers(&other);
        let mut tells = false;
        for (vector, axis) in (0..3).flat_map(|vector| (0..3).map(move |axis| (vector, axis))) {
            let is_same = own[vector][axis].partial_cmp(&theirs[vector][axis]).is_some_and(|of| of.is_eq());
            if !is_same && !mixed[vector][axis] {
                mixed[vector][axis] = true;
                tells = true;
            }
        }
        if tells {
            telling.push(other);
        }
        if mixed == [[true; 3]; 3] {
            break;
        }
    }
    telling
}

/// The fields of those of the others that differ from the primary one in a field in which none before them did.
pub fn components(primary: &Component, others: impl IntoIterator<Item = Component>) -> Vec<Values> {
    let own = fields::values_of(&mut primary.clone());
    let mut mixed = Values::new();
    let mut known = vec![primary.clone()];
    let mut telling = Vec::new();
    for mut other in others {
        if known.contains(&other) {
            continue;
        }
        if known.len() < MOST_KNOWN {
            known.push(other.clone());
        }
        let values = fields::values_of(&mut other);
        let before = mixed.len();
        for (label, value) in &values {
            if own.get(label).is_some_and(|own| own != value) && !mixed.contains_key(label) {
                mixed.insert(label.clone(), value.clone());
            }
        }
        if mixed.len() > before {
            telling.push(values);
        }
        if mixed.len() == own.len() {
            break;
        }
    }
    telling
}

#[cfg(test)]
mod tests {
    use super::*;
    use framewalk_runtime::scene::{Color, Shape, ShapeKind};
    use glam::Vec3;

    #[test]
    fn one_other_a_number_tells_that_it_is_mixed() {
        let at = |x: f32, y: f32| Transform { position: Vec3::new(x, y, 0.0), ..Transform::default() };
        let others: Vec<Transform> =
            (0..10_000).map(|n| at(n as f32, if n == 7_000 { 1.0 } else { -0.0 })).collect();
        assert_eq!(transforms(&at(0.0, 0.0), others), [at(1.0, -0.0), at(7_000.0, 1.0)]);
        assert_eq!(transforms(&at(3.0, 0.0), [at(3.0, 0.0); 3]), []);
    }

    #[test]
    fn one_other_a_field_tells_that_it_is_mixed() {
        let sphere = |radius: f32, red: u8| {
            Component::Shape(Shape {
                kind: ShapeKind::Sphere { radius },
                color: Color { red, green: 0, blue: 0 },
            })
        };
        let others = (0..1_000).map(|n| sphere(1.0 + (n / 500) as f32, n as u8));
        let telling = components(&sphere(1.0, 0), others);
        assert_eq!(telling.len(), 2);
        assert_eq!(telling[0], fields::values_of(&mut sphere(1.0, 1)));
        assert_eq!(telling[1], fields::values_of(&mut sphere(2.0, 244)));
    }
}
