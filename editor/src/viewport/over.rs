//! What is written and drawn over a picture: what it is, whose the keys are, ghosts' ticks, trails.

use egui::{Color32, Pos2, Rect, RichText, Stroke, Ui, pos2, vec2};
use framewalk_inspector::theme::Theme;

use super::gizmo::strip::{self, StripFacts};
use super::port::Port;
use super::trail::Link;
use super::{Frame, Look, Viewport, ViewportFacts, overlay};
use crate::command::{Action, EditorCommand};
use crate::session::Phase;

/// Draws all of it, the trails first.
#[expect(clippy::too_many_arguments, reason = "one call, from one place, of what that place has at hand")]
pub(super) fn ui(
    ui: &mut Ui,
    theme: &Theme,
    rect: Rect,
    frame: Option<Frame>,
    viewport: &Viewport,
    port: Port,
    facts: &ViewportFacts<'_>,
    actions: &mut Vec<Action>,
) {
    if let Some(frame) = &frame {
        if viewport.show_trails && facts.live {
            trails_ui(ui, theme, frame, viewport, facts);
        }
        ghost_labels_ui(ui, theme, frame, viewport, facts);
    }
    overlay_ui(ui, theme, rect, viewport, port, facts);
    keys_ui(ui, theme, rect, port, facts);
    if port == Port::Scene {
        looks_ui(ui, theme, rect, viewport, facts, actions);
        let (gizmo, keymap) = (&viewport.gizmo, facts.keymap);
        let free = viewport.look(facts.live) == Look::Free;
        let orthographic = free && viewport.camera.orthographic;
        strip::ui(ui, theme, rect, &StripFacts { gizmo, keymap, orthographic }, actions);
        if let Some((a, b)) = gizmo.selecting {
            let around = Rect::from_two_pos(pos2(a.x, a.y), pos2(b.x, b.y)).intersect(rect);
            ui.painter().rect(
                around,
                0.0,
                theme.accent.gamma_multiply(0.12),
                Stroke::new(1.0, theme.accent),
                egui::StrokeKind::Inside,
            );
        }
    }
}

/// Where bodies stood in the last pictures: a dot a picture, joined where the pictures were of frames in a row. Where
/// frames between two pictures were never seen, the line is broken and in the colour of a drop.
fn trails_ui(ui: &Ui, theme: &Theme, frame: &Frame, viewport: &Viewport, facts: &ViewportFacts<'_>) {
    let painter = ui.painter().with_clip_rect(frame.rect);
    for trail in viewport.trails.of(facts.selection) {
        let marks = trail.marks();
        let count = marks.len().max(1) as f32;
        let mut before: Option<Pos2> = None;
        for (index, mark) in marks.enumerate() {
            let at = frame.place(mark.position);
            // The older, the fainter.
            let strength = 0.15 + 0.75 * (index as f32 + 1.0) / count;
            let color = theme.alpha.gamma_multiply(strength);
            if let (Some(from), Some(to)) = (before, at) {
                match mark.link {
                    Link::NextFrame => _ = painter.line_segment([from, to], Stroke::new(1.5, color)),
                    Link::FramesMissed => {
                        let stroke = Stroke::new(1.5, theme.drop.gamma_multiply(strength));
                        painter.extend(egui::Shape::dashed_line(&[from, to], stroke, 3.0, 3.0));
                    }
                    Link::First => {}
                }
            }
            if let Some(at) = at {
                painter.circle_filled(at, 1.8, color);
            }
            before = at;
        }
    }
}

/// What the buttons Free and Camera take at the right of the picture.
const LOOKS_WIDTH: f32 = 128.0;

/// Text that stays readable over any picture: on a faint plate of the window's own colour.
fn plate_text(ui: &Ui, theme: &Theme, at: Pos2, text: &str, font: egui::FontId, color: Color32) -> Rect {
    let galley = ui.painter().layout_no_wrap(text.to_owned(), font, color);
    let rect = Rect::from_min_size(at, galley.size());
    ui.painter().rect_filled(rect.expand2(vec2(5.0, 2.0)), 3.0, theme.bg0.gamma_multiply(0.72));
    ui.painter().galley(at, galley, color);
    rect
}

fn overlay_ui(
    ui: &mut Ui,
    theme: &Theme,
    rect: Rect,
    viewport: &Viewport,
    port: Port,
    facts: &ViewportFacts<'_>,
) {
    let mut lines = overlay::lines(facts.phase, facts.open_frame, viewport.picture(), facts.settings_wait);
    if port == Port::Scene && viewport.look(facts.live) == Look::Free {
        lines.state = format!("{} · {}", lines.state, viewport.camera.name().to_lowercase());
    }
    let at = rect.min + vec2(14.0, 12.0);
    // As labels, so that they are read by screen readers and found by tests.
    let mut place = at;
    let ui = &mut ui.new_child(egui::UiBuilder::new().max_rect(rect));
    // In a narrow panel the first line ends before the two buttons at its right.
    let whole = (rect.width() - 28.0).max(0.0);
    let beside = if port == Port::Scene { (whole - LOOKS_WIDTH).max(0.0) } else { whole };
    for (text, font, color, room) in [
        (&lines.state, Theme::text_font(ui), theme.text, beside),
        (&lines.drawn, Theme::figure_font(ui), theme.alpha, whole),
    ] {
        if text.is_empty() {
            continue;
        }
        let galley = ui.painter().layout_no_wrap(text.clone(), font.clone(), color);
        let size = galley.size().min(vec2(room, f32::INFINITY));
        let plate = Rect::from_min_size(place, size).expand2(vec2(5.0, 2.0));
        ui.painter().rect_filled(plate, 3.0, theme.bg0.gamma_multiply(0.72));
        let label = egui::Label::new(RichText::new(text).font(font).color(color)).selectable(false);
        ui.put(Rect::from_min_size(place, size + vec2(1.0, 0.0)), label.truncate());
        place.y += size.y + 5.0;
    }
}

/// Whether ghosts of the selected body are drawn: they are what one looks at, and handles stand before them.
#[must_use]
pub fn shows_ghosts(viewport: &Viewport, facts: &ViewportFacts<'_>) -> bool {
    let picture = viewport.picture().filter(|_| viewport.ghosts && facts.phase != Phase::Edit);
    picture.is_some_and(|picture| {
        let item = facts.selection.and_then(|id| picture.item(id));
        picture.tick.0 > 0 && item.is_some_and(|item| item.simulated)
    })
}

/// "tick 499" and "tick 500" beside the ghosts of the selected body, as far as they stand apart.
fn ghost_labels_ui(ui: &Ui, theme: &Theme, frame: &Frame, viewport: &Viewport, facts: &ViewportFacts<'_>) {
    let Some(picture) = viewport.picture().filter(|_| viewport.ghosts && facts.phase != Phase::Edit) else {
        return;
    };
    let Some(item) = facts.selection.and_then(|id| picture.item(id)).filter(|item| item.simulated) else {
        return;
    };
    if picture.tick.0 == 0 {
        return;
    }
    let place = |position| frame.place(position);
    let Some((previous, current)) = picture
        .tick_poses(item.entity)
        .and_then(|poses| place(poses.previous.position).zip(place(poses.current.position)))
    else {
        return;
    };
    let font = egui::FontId::new(11.0, egui::FontFamily::Monospace);
    let radius = place(item.drawn.position + glam::Vec3::Y * item.radius)
        .zip(place(item.drawn.position))
        .map_or(16.0, |(top, middle)| (middle.y - top.y).abs().clamp(8.0, 160.0));
    let older = format!("tick {}", overlay_tick(overlay::tick_before(picture)));
    let newer = format!("tick {}", overlay_tick(picture.tick.0));
    // One label above, one below, on the left of the body: they never lie on each other.
    let (upper, lower) = if previous.y <= current.y { (older, newer) } else { (newer, older) };
    let left = previous.x.min(current.x) - radius - 66.0;
    let middle = (previous.y + current.y) * 0.5;
    let apart = (previous.y - current.y).abs().max(24.0) * 0.5;
    if !frame.rect.contains(pos2(left, middle)) {
        return;
    }
    plate_text(ui, theme, pos2(left, middle - apart - 7.0), &upper, font.clone(), theme.alpha);
    plate_text(ui, theme, pos2(left, middle + apart - 7.0), &lower, font, theme.alpha);
}

fn overlay_tick(tick: u64) -> String {
    framewalk_inspector::wording::grouped(tick)
}

/// The line at the bottom: whose keys and mouse are, and what changes that.
fn keys_ui(ui: &mut Ui, theme: &Theme, rect: Rect, port: Port, facts: &ViewportFacts<'_>) {
    if !facts.live {
        return;
    }
    let color = if facts.game_has_keys { theme.run } else { theme.dim };
    // The longer one where there is room for it.
    let texts = match (port, facts.game_has_keys) {
        (Port::Camera, true) if facts.game_has_mouse => {
            ["Keys and mouse go to the game · Esc takes them back", "Esc takes keys and mouse back"]
        }
        (Port::Camera, true) => [
            "Keys go to the game · click the picture to give it the mouse too",
            "Click: the game gets the mouse too",
        ],
        (Port::Camera, false) => [
            "Keys and mouse go to the editor · click the picture to give them to the game",
            "Click: the game gets keys and mouse",
        ],
        (Port::Scene, true) => ["Keys go to the game · Esc takes them back", "Esc takes the keys back"],
        (Port::Scene, false) => [
            "Keys go to the editor · click the picture to give them to the game",
            "Click: the game gets the keys",
        ],
    };
    let tip = match port {
        Port::Scene => {
            "The mouse is the editor's here, to look around, to fly and to select. In the Camera panel, which is the \
             game's own picture, the game has it too."
        }
        Port::Camera => {
            "This is the game's own picture. While it has the keyboard, the mouse over it goes to the game: where it is, \
             in pixels from the top left, its buttons and its wheel. In Scene the mouse is the editor's."
        }
    };
    let font = egui::FontId::new(11.5, egui::FontFamily::Proportional);
    let room = (rect.width() - 28.0).max(0.0);
    let size_of = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), font.clone(), color).size();
    let text = texts.into_iter().find(|text| size_of(text).x <= room).unwrap_or(texts[1]);
    let size = size_of(text).min(vec2(room, f32::INFINITY));
    let line = Rect::from_min_size(pos2(rect.left() + 14.0, rect.bottom() - 26.0), size);
    ui.painter().rect_filled(line.expand2(vec2(5.0, 2.0)), 3.0, theme.bg0.gamma_multiply(0.72));
    let label = egui::Label::new(RichText::new(text).font(font).color(color)).selectable(false).truncate();
    let ui = &mut ui.new_child(egui::UiBuilder::new().max_rect(rect));
    ui.put(line.with_max_x(line.max.x + 1.0), label).on_hover_text(tip);
}

/// Two small buttons at the top right: from where the scene is looked at.
fn looks_ui(
    ui: &mut Ui,
    theme: &Theme,
    rect: Rect,
    viewport: &Viewport,
    facts: &ViewportFacts<'_>,
    actions: &mut Vec<Action>,
) {
    if !facts.scene_has_camera {
        return;
    }
    let area = Rect::from_min_max(
        pos2(rect.right() - 150.0, rect.top() + 8.0),
        pos2(rect.right() - 10.0, rect.top() + 34.0),
    );
    let ui = &mut ui.new_child(
        egui::UiBuilder::new().max_rect(area).layout(egui::Layout::right_to_left(egui::Align::Center)),
    );
    ui.spacing_mut().item_spacing.x = 6.0;
    let look = viewport.look(facts.live);
    let keys = facts.keymap.text(ui.ctx(), EditorCommand::LookThroughCamera);
    for (label, this) in [("Camera", Look::Camera), ("Free", Look::Free)] {
        let active = look == this;
        let border = egui::Stroke::new(1.0, if active { theme.accent } else { theme.line });
        let ink = if active { theme.text } else { theme.dim };
        let button = egui::Button::new(RichText::new(label).color(ink)).fill(theme.bg2).stroke(border);
        let tip = match this {
            Look::Camera => format!("What the scene's own camera sees.\n{keys}"),
            Look::Free => format!("Right button to look and fly with W A S D, wheel to zoom.\n{keys}"),
        };
        if ui.add(button).on_hover_text(tip).clicked() && !active {
            actions.push(Action::Command(EditorCommand::LookThroughCamera));
        }
    }
}
