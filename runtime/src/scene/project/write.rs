//! A project as a text, and the least change of one.

use super::{Limits, PhysicsDivisor, Project, read_project};
use crate::scene::fault::Fault;
use crate::scene::format::FORMAT;
use crate::scene::format::form::{self, Field, Fields, Form, field};
use crate::scene::format::read::without_mark;
use crate::scene::format::update::update_group;
use crate::scene::format::write::{decimal, quoted, write_field};
use crate::scene::text::parse;
use crate::time::fixed_step::{DEFAULT_MAX_DELTA, MaxTicks};
use crate::time::{Rate, Speed};
use std::borrow::Cow;

/// The project as RON; what has its default is left out, but for the rates, which people look for.
#[must_use]
pub fn write_project(project: &Project) -> String {
    let mut text = "(\n".to_owned();
    for field in fields(project).iter().filter(|field| !field.is_default) {
        text += "    ";
        write_field(&mut text, field);
        text += ",\n";
    }
    text + ")\n"
}

/// The text with the settings that are different in `project` changed, and nothing else.
///
/// # Errors
/// The text is no project: its faults.
pub fn update_project(text: &str, project: &Project) -> Result<String, Vec<Fault>> {
    let before = read_project(text)?.project;
    let source = without_mark(text);
    let (tree, _) = parse(source);
    let changed = tree.root().and_then(|root| update_group(source, root, &fields(&before), &fields(project)));
    Ok(changed
        .map_or_else(|| text.to_owned(), |changed| [&text[..text.len() - source.len()], &changed].concat()))
}

fn fields(project: &Project) -> Fields<'_> {
    let limits = limits(&project.limits);
    let mut fields = vec![
        field("format", Form::Whole(FORMAT.into())),
        field("name", Form::Text(&project.name)),
        Field { name: "about", form: Form::Text(&project.about), is_default: project.about.is_empty() },
        field("scenes", Form::List(project.scenes.iter().map(|scene| Form::Text(scene)).collect())),
        field("tick_rate", rate(project.tick_rate)),
        Field {
            name: "physics_divisor",
            form: Form::Whole(project.physics_divisor.ticks().into()),
            is_default: project.physics_divisor == PhysicsDivisor::default(),
        },
        field("frame_rate", rate(project.frame_rate)),
        Field {
            name: "audio_rate",
            form: rate(project.audio_rate),
            is_default: project.audio_rate == Project::AUDIO_RATE,
        },
        field("handoff", Form::Word(project.handoff.name())),
        Field {
            name: "speed",
            form: Form::Written(project.speed.to_string().into()),
            is_default: project.speed == Speed::NORMAL,
        },
        Field { name: "limits", form: limits, is_default: project.limits == Limits::default() },
    ];
    fields.extend(form::unknown(&project.unknown));
    fields
}

/// A number where RON can write it, else a text.
fn rate(rate: Rate) -> Form<'static> {
    let text = rate.to_string();
    Form::Written(Cow::Owned(if text.contains('/') { quoted(&text) } else { text }))
}

fn limits(limits: &Limits) -> Form<'static> {
    let max_delta = Field {
        name: "max_delta_ms",
        form: Form::Written(decimal(limits.max_delta, 1_000_000).into()),
        is_default: limits.max_delta == DEFAULT_MAX_DELTA,
    };
    let mut fields = vec![max_delta];
    if let MaxTicks::Fixed(ticks) = limits.max_ticks {
        fields.push(field("max_ticks", Form::Whole(ticks.into())));
    }
    Form::Group("", fields)
}
