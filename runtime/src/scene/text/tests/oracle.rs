//! The `ron` crate is the measure: what it accepts is accepted, what it refuses is refused, and values are the same.

use super::super::{Kind, Node, literal, parse};
use proptest::collection::vec;
use proptest::prelude::*;
use ron::Value;
use ron::value::{Map, Number};

fn by_ron(text: &str) -> Option<Value> {
    ron::Options::default().with_recursion_limit(64).from_str(text).ok()
}

fn by_tree(text: &str) -> Option<Value> {
    let (tree, faults) = parse(text);
    let root = tree.root()?;
    faults.is_empty().then(|| value(root))
}

fn value(node: Node<'_, '_>) -> Value {
    let written = node.written();
    match node.kind() {
        Kind::Word => word(written),
        Kind::Number => number(written),
        Kind::Text => Value::String(node.text_value().expect("a text").into_owned()),
        Kind::Group if node.name() == "Some" && written.starts_with("Some") => {
            Value::Option(Some(Box::new(value(node.children().next().expect("one value")))))
        }
        // The crate reads only this very spelling as a unit.
        Kind::Group if written == "()" => Value::Unit,
        Kind::Group if node.children().any(|child| child.kind() == Kind::Field) => {
            let mut map = Map::new();
            for field in node.children() {
                map.insert(Value::String(field.name().to_owned()), value(field.value().expect("a value")));
            }
            Value::Map(map)
        }
        Kind::Group | Kind::List => Value::Seq(node.children().map(value).collect()),
        Kind::Map => {
            let mut map = Map::new();
            for entry in node.children() {
                let mut parts = entry.children().map(value);
                map.insert(parts.next().expect("a key"), parts.next().expect("a value"));
            }
            Value::Map(map)
        }
        // What they say is nobody's business here: they stand in parts that are not known.
        Kind::Char | Kind::Bytes => by_ron(written).expect("accepted"),
        Kind::Field | Kind::Entry | Kind::Missing => unreachable!("no value"),
    }
}

fn word(written: &str) -> Value {
    match written {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "None" => Value::Option(None),
        "inf" | "inff32" | "inff64" | "NaN" | "NaNf32" | "NaNf64" => number(written),
        _ => Value::Unit,
    }
}

fn number(written: &str) -> Value {
    let is_negative = written.starts_with('-') && literal::whole(&written[1..], u64::MAX, "").is_some();
    let number = if written.contains("..") || written.starts_with("b'") || is_negative {
        return by_ron(written).expect("accepted");
    } else if let Some(Ok(whole)) = literal::whole(written, u64::MAX, "") {
        match whole {
            0..=0xff => Number::new(whole as u8),
            0x100..=0xffff => Number::new(whole as u16),
            0x1_0000..=0xffff_ffff => Number::new(whole as u32),
            _ => Number::new(whole),
        }
    } else if written.ends_with("f32") {
        Number::new(literal::float::<f32>(written, "f32").expect("a number"))
    } else if written.ends_with("f64") {
        Number::new(literal::float::<f64>(written, "f64").expect("a number"))
    } else if written.contains(['u', 'i']) && !written.contains("inf") {
        return by_ron(written).expect("accepted");
    } else {
        let value = literal::float::<f64>(written, "f64").expect("a number");
        if value.is_nan() || f64::from(value as f32) == value {
            Number::new(value as f32)
        } else {
            Number::new(value)
        }
    };
    Value::Number(number)
}

/// Blanks and comments, often none.
fn trivia() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::new()),
        2 => Just(" ".to_owned()),
        1 => "[ \\n\\r\\t\u{2028}]{1,3}",
        1 => "//[a-z(),\"]{0,4}\\n",
        1 => "/\\*[a-z(),\" /]{0,4}\\*/",
        1 => Just("/* /* */ \" */".to_owned()),
    ]
}

fn leaf() -> impl Strategy<Value = String> {
    prop_oneof![
        "-?[0-9]{1,3}",
        "[-+]?[0-9]{0,4}\\.?[0-9]{0,3}([eE][-+]?[0-9]{1,2})?",
        "[-+]?(0x|0o|0b)?[0-9a-f_]{1,4}(u8|i16|u32|u64|i64|f32|f64)?",
        "(inf|-inf|NaN|true|false|None|Some|[a-z]{1,3}|r#[a-z.-]{1,3}|ä|_a1)",
        "\"[a-zä \\n(]{0,4}(\\\\[nrt0\\\\\"'x]|\\\\u\\{[0-9a-f]{1,6}\\}|\\\\x[0-9a-f]{2}|\\\\\\n  )?[a-z]{0,2}\"",
        "r#{0,2}\"[a-z\\\\]{0,3}\"#{0,2}",
        "b?'(\\\\?[a-zä'n]|\\\\x[0-9a-f]{2}|)'",
        "b\"[a-z]{0,3}(\\\\xff)?\"",
        "[0-9]{0,2}\\.\\.=?[0-9]{0,2}",
    ]
}

fn document() -> impl Strategy<Value = String> {
    let around = |inner: BoxedStrategy<String>| {
        (trivia(), inner, trivia()).prop_map(|(before, inner, after)| format!("{before}{inner}{after}"))
    };
    let value = around(leaf().boxed()).prop_recursive(4, 24, 4, move |inner| {
        let list =
            |inner: BoxedStrategy<String>| (vec(inner, 0..4), prop_oneof![3 => Just(""), 1 => Just(",")]);
        let joined = |(items, end): (Vec<String>, &str)| {
            let end = if items.is_empty() { "" } else { end };
            items.join(",") + end
        };
        let name = prop_oneof![4 => Just(""), 1 => Just("Cube"), 1 => Just("Some"), 1 => Just("a /* b */ ")];
        let field = (trivia(), "[a-c]", trivia(), inner.clone())
            .prop_map(|(before, name, after, value)| format!("{before}{name}{after}:{value}"))
            .boxed();
        let entry = (inner.clone(), inner.clone()).prop_map(|(key, value)| format!("{key}:{value}")).boxed();
        let value = prop_oneof![
            list(inner.clone()).prop_map(joined).prop_map(|items| format!("[{items}]")),
            (name.clone(), list(inner.clone()))
                .prop_map(move |(name, items)| format!("{name}({})", joined(items))),
            (name, list(field)).prop_map(move |(name, items)| format!("{name}({})", joined(items))),
            list(entry).prop_map(joined).prop_map(|items| format!("{{{items}}}")),
            inner.prop_map(|value| format!("Some({value})")),
        ];
        around(value.boxed()).boxed()
    });
    (prop_oneof![9 => Just(""), 1 => Just("#![enable(implicit_some)]"), 1 => Just("#![type = \"x\"]")], value)
        .prop_map(|(attribute, value)| format!("{attribute}{value}"))
}

/// One careless change of a text.
fn change() -> impl Strategy<Value = (prop::sample::Index, usize, String)> {
    (any::<prop::sample::Index>(), 0..4_usize, "[()\\[\\]{},:\"'/*#.0-9a-z-]{0,2}")
}

/// `ron` reads `Some 3` as `Some(3)` where a `Some` may be left out; here its bracket is wanted.
fn has_bare_some(text: &str) -> bool {
    text.match_indices("Some").any(|(at, _)| !text[at + 4..].trim_start().starts_with('('))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn every_text_of_the_grammar_is_read_as_the_ron_crate_reads_it(text in document()) {
        prop_assert_eq!(by_tree(&text), by_ron(&text), "{}", text);
    }

    #[test]
    fn every_careless_change_is_accepted_or_refused_as_the_ron_crate_does(
        text in document(), changes in vec(change(), 1..3)
    ) {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, removed, inserted) in changes {
            let at = at.index(chars.len() + 1);
            let end = (at + removed).min(chars.len());
            chars.splice(at..end, inserted.chars());
        }
        let text: String = chars.into_iter().collect();
        if !has_bare_some(&text) {
            prop_assert_eq!(by_tree(&text), by_ron(&text), "{}", text);
        }
    }

    #[test]
    fn a_tree_covers_its_text_and_nodes_lie_inside_their_parents(text in document()) {
        let (tree, faults) = parse(&text);
        if let (Some(root), true) = (tree.root(), faults.is_empty()) {
            assert_nested(root)?;
        }
    }
}

/// Children lie in order inside their parent; between them stand only blanks, comments and signs.
fn assert_nested(node: Node<'_, '_>) -> Result<(), TestCaseError> {
    let mut at = node.start();
    for child in node.children() {
        prop_assert!(child.start() >= at && child.span().end <= node.span().end);
        at = child.span().end;
        assert_nested(child)?;
    }
    Ok(())
}
