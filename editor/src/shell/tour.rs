//! The tour of a first start: four cards, each beside what it speaks of. It asks for nothing and blocks nothing.

use egui::{Align2, Context, Id, LayerId, Order, Rect, RichText, Stroke, StrokeKind, vec2};
use framewalk_inspector::theme::{Theme, size};

use crate::command::keymap::Keymap;
use crate::command::{Action, EditorCommand, TourStep};

/// What a card points at. Whoever draws it says where it is, by [`mark`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    Play,
    Stages,
    Pacing,
    Strip,
}

struct Card {
    target: Target,
    title: &'static str,
    text: &'static str,
    /// A command whose key is named under the text.
    command: EditorCommand,
}

/// The cards, in order.
const CARDS: [Card; 4] = [
    Card {
        target: Target::Play,
        title: "Start here",
        text: "This button runs a copy of the scene. The scene you opened is never touched; Stop throws the copy away.",
        command: EditorCommand::PlayOrResume,
    },
    Card {
        target: Target::Stages,
        title: "One frame, six stages",
        text: "Every frame walks through these six. Pause, then step through them one by one and read what each has done.",
        command: EditorCommand::StepStage,
    },
    Card {
        target: Target::Pacing,
        title: "What makes motion even",
        text: "Alpha and overstep say how a frame is blended between two ticks; intervals and drops say when it came, or did not.",
        command: EditorCommand::StepFrame,
    },
    Card {
        target: Target::Strip,
        title: "Every frame that was",
        text: "One bar a frame, coloured by what became of it. Click a bar and every panel shows that frame.",
        command: EditorCommand::GoLive,
    },
];

/// How many cards there are.
pub const STEPS: usize = CARDS.len();

/// Says where a target is, in this pass.
pub fn mark(ctx: &Context, target: Target, rect: Rect) {
    let pass = ctx.cumulative_pass_nr();
    ctx.data_mut(|data| data.insert_temp(id(target), (pass, rect)));
}

/// Where a target is, if it has been drawn in this pass.
fn place(ctx: &Context, target: Target) -> Option<Rect> {
    let marked: Option<(u64, Rect)> = ctx.data(|data| data.get_temp(id(target)));
    marked.filter(|(pass, _)| *pass == ctx.cumulative_pass_nr()).map(|(_, rect)| rect)
}

fn id(target: Target) -> Id {
    Id::unique(("framewalk_tour", target))
}

/// Draws one card, and an outline around what it speaks of.
pub fn ui(ctx: &Context, step: usize, keymap: &Keymap, actions: &mut Vec<Action>) {
    let Some(card) = CARDS.get(step) else { return };
    let theme = if ctx.global_style().visuals.dark_mode { Theme::dark() } else { Theme::light() };
    let place = place(ctx, card.target);
    if let Some(rect) = place {
        let layer = LayerId::new(Order::Foreground, Id::unique("framewalk_tour_outline"));
        let stroke = Stroke::new(2.0, theme.accent);
        ctx.layer_painter(layer).rect_stroke(rect, f32::from(size::CORNER), stroke, StrokeKind::Inside);
    }
    // Unless somebody else needs it: a text field, or the game.
    if ctx.memory(|memory| memory.focused().is_none())
        && ctx.input_mut(|input| input.consume_key(egui::Modifiers::NONE, egui::Key::Escape))
    {
        actions.push(Action::Tour(TourStep::End));
    }
    let screen = ctx.content_rect();
    let (pivot, at) = match place {
        Some(rect) if rect.center().y < screen.center().y => {
            (Align2::LEFT_TOP, rect.left_bottom() + vec2(0.0, 10.0))
        }
        Some(rect) => (Align2::LEFT_BOTTOM, rect.left_top() + vec2(12.0, -10.0)),
        None => (Align2::CENTER_BOTTOM, screen.center_bottom() - vec2(0.0, 60.0)),
    };
    let area = egui::Area::new(Id::unique("framewalk_tour_card")).order(Order::Foreground);
    area.pivot(pivot).fixed_pos(at).constrain(true).show(ctx, |ui| {
        egui::Frame::popup(ui.style()).stroke(Stroke::new(1.0, theme.accent)).inner_margin(14.0).show(
            ui,
            |ui| {
                ui.set_width(300.0);
                card_ui(ui, &theme, card, step, keymap, actions);
            },
        );
    });
}

fn card_ui(
    ui: &mut egui::Ui,
    theme: &Theme,
    card: &Card,
    step: usize,
    keymap: &Keymap,
    actions: &mut Vec<Action>,
) {
    ui.label(theme.section(&format!("Tour, {} of {STEPS}", step + 1)));
    ui.label(RichText::new(card.title).size(15.0));
    ui.add(egui::Label::new(card.text).wrap());
    let keys = keymap.text(ui.ctx(), card.command);
    if !keys.is_empty() {
        ui.label(RichText::new(format!("Key: {keys}")).color(theme.dim));
    }
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let last = step + 1 == STEPS;
        if ui.button(if last { "End of the tour" } else { "Next" }).clicked() {
            actions.push(Action::Tour(if last { TourStep::End } else { TourStep::To(step + 1) }));
        }
        if step > 0 && ui.button("Back").clicked() {
            actions.push(Action::Tour(TourStep::To(step - 1)));
        }
        if !last && ui.button("Skip the tour").clicked() {
            actions.push(Action::Tour(TourStep::End));
        }
    });
}
