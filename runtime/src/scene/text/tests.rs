use super::*;
use crate::scene::fault::Fault;

mod oracle;

/// The faults of a text, each as `byte: message`.
fn faults(text: &str) -> Vec<String> {
    parse(text).1.iter().map(|(at, fault): &(usize, Fault)| format!("{at}: {}", fault.message)).collect()
}

/// The tree of a text without faults.
fn tree(text: &str) -> Tree<'_> {
    let (tree, faults) = parse(text);
    assert_eq!(faults, [], "{text}");
    tree
}

#[test]
fn every_node_knows_where_it_stands() {
    let text = "// about\n( a: Cube /* c */ (size: 1.5,), r#b-c : [\"x\\n\", 'c', b\"d\", {1: 2}], )";
    let tree = tree(text);
    let root = tree.root().expect("a value");
    assert_eq!((root.kind(), root.name(), root.start()), (Kind::Group, "", 9));
    assert_eq!(
        &text[root.inner()],
        " a: Cube /* c */ (size: 1.5,), r#b-c : [\"x\\n\", 'c', b\"d\", {1: 2}], "
    );
    let names: Vec<&str> = root.children().map(Node::name).collect();
    assert_eq!(names, ["a", "b-c"]);
    let cube = root.field("a").and_then(Node::value).expect("a value");
    assert_eq!(
        (cube.kind(), cube.name(), cube.written()),
        (Kind::Group, "Cube", "Cube /* c */ (size: 1.5,)")
    );
    let list = root.field("b-c").and_then(Node::value).expect("a value");
    let kinds: Vec<Kind> = list.children().map(Node::kind).collect();
    assert_eq!(kinds, [Kind::Text, Kind::Char, Kind::Bytes, Kind::Map]);
    assert_eq!(list.children().next().and_then(Node::text_value).as_deref(), Some("x\n"));
    let entry = list.children().last().and_then(|map| map.children().next()).expect("an entry");
    assert_eq!((entry.kind(), entry.written()), (Kind::Entry, "1: 2"));
}

#[test]
fn some_around_one_value_is_seen_through() {
    for (text, inner) in
        [("Some(3)", "3"), ("Some ( Some(3) , )", "3"), ("3", "3"), ("Some((a: 1))", "(a: 1)")]
    {
        assert_eq!(tree(text).root().map(|node| node.without_some().written()), Some(inner), "{text}");
    }
    let unwrapped = "#![enable(unwrap_variant_newtypes)] Some(a: 1)";
    assert_eq!(tree(unwrapped).root().map(|node| node.without_some().written()), Some("Some(a: 1)"));
}

#[test]
fn several_faults_are_told_of_one_text() {
    for (text, expected) in [
        (
            "(a: 1 b: 2, c 3, d: , e: [1 2], f: #)",
            [
                "6: expected a comma or the closing bracket, found `b`",
                "14: expected `:` after a field's name, found `3`",
                "20: expected a value, found `,`",
                "28: expected a comma or the closing bracket, found `2`",
                "35: expected a value, found `#`",
            ]
            .as_slice(),
        ),
        (
            "(a: [1, (2], b: 3",
            &[
                "10: expected a comma or the closing bracket, found `]`",
                "17: the text ends too early: a closing `)` or `]` is missing",
            ],
        ),
        (
            "(a: 1] x",
            &[
                "5: expected a comma or the closing bracket, found `]`",
                "7: expected the end of the file, found `x`",
            ],
        ),
        (
            "(a: \"\\q\", b: 1x, c: 'ab')",
            &[
                "5: this is no escape: write `\\\\` for a backslash",
                "13: expected a number, found `1x`",
                "20: expected one character between single quotes",
            ],
        ),
    ] {
        assert_eq!(faults(text), expected, "{text}");
    }
}

#[test]
fn a_text_that_ends_in_the_middle_is_one_fault() {
    for (text, expected) in [
        ("", "0: expected `(`, found the end of the file"),
        ("(a: [", "5: the text ends too early: a closing `)` or `]` is missing"),
        ("(a:", "3: the text ends too early: a closing `)` or `]` is missing"),
        ("(a: \"b)", "4: a text is not closed: its second `\"` is missing"),
        ("(a: r##\"b\"#)", "4: a raw text is not closed: its second `\"`, with as many `#`, is missing"),
        ("(a: 1 /* b /* c */ )", "6: a comment is not closed: `*/` is missing"),
    ] {
        assert_eq!(faults(text).first().map(String::as_str), Some(expected), "{text}");
        assert!(faults(text).len() <= 2, "{text}: {:?}", faults(text));
    }
}

#[test]
fn ten_thousand_brackets_are_one_fault_with_a_place() {
    for bracket in ["(", "[", "{", "Some(", "[(", "(a:"] {
        let text = bracket.repeat(10_000);
        let found = faults(&text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].ends_with(": brackets are nested deeper than 64 levels"), "{found:?}");
    }
}

#[test]
fn rubbish_is_told_of_fifty_times_at_most() {
    let found = faults(&format!("[{}]", "# ".repeat(10_000)));
    assert_eq!(found.len(), 1);
    let found = faults(&format!("[{}]", "#,".repeat(10_000)));
    assert_eq!(found.len(), 51);
    assert_eq!(found[50], "99: there are too many faults before this: what follows is not read");
}
