//! Small shapes that mean something, painted rather than written, so that no face has to have them.

use egui::{
    Align2, Color32, EventFilter, Key, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind,
    Ui, WidgetInfo, pos2, vec2,
};

use crate::glossary;
use crate::history::changes::Change;
use crate::theme::Theme;

/// Height of the line of figures above a panel.
pub const CAPTION_HEIGHT: f32 = 24.0;
/// Width of the ring around what has the keyboard.
const FOCUS_WIDTH: f32 = 1.5;

/// Done, or held.
pub fn tick_mark(painter: &Painter, center: Pos2, color: Color32) {
    let points = vec![center + vec2(-4.0, 0.5), center + vec2(-1.2, 3.2), center + vec2(4.2, -3.4)];
    painter.add(Shape::line(points, Stroke::new(1.6, color)));
}

/// Not held.
pub fn cross_mark(painter: &Painter, center: Pos2, color: Color32) {
    let stroke = Stroke::new(1.8, color);
    painter.line_segment([center + vec2(-3.5, -3.5), center + vec2(3.5, 3.5)], stroke);
    painter.line_segment([center + vec2(-3.5, 3.5), center + vec2(3.5, -3.5)], stroke);
}

/// Runs next.
pub fn next_mark(painter: &Painter, center: Pos2, color: Color32) {
    let points = vec![center + vec2(-4.0, -5.0), center + vec2(5.0, 0.0), center + vec2(-4.0, 5.0)];
    painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
}

/// To come.
pub fn dot_mark(painter: &Painter, center: Pos2, color: Color32) {
    painter.circle_filled(center, 1.5, color);
}

/// Opens to more; turned down where it is open.
pub fn chevron(painter: &Painter, center: Pos2, is_open: bool, color: Color32) {
    let points = if is_open {
        vec![center + vec2(-3.5, -1.5), center + vec2(0.0, 2.0), center + vec2(3.5, -1.5)]
    } else {
        vec![center + vec2(-1.5, -3.5), center + vec2(2.0, 0.0), center + vec2(-1.5, 3.5)]
    };
    painter.add(Shape::line(points, Stroke::new(1.3, color)));
}

/// Something changed before a frame: a setting, a pause, a step. The shape says which, not the colour alone.
pub fn change_mark(painter: &Painter, center: Pos2, change: Change, theme: &Theme) {
    match change {
        Change::Setting => {
            let points = vec![center + vec2(-4.0, -4.0), center + vec2(4.0, -4.0), center + vec2(0.0, 3.0)];
            painter.add(Shape::convex_polygon(points, theme.accent, Stroke::NONE));
        }
        Change::Paused => {
            for x in [-2.0, 2.0] {
                let bar = Rect::from_center_size(center + vec2(x, -0.5), vec2(2.0, 7.0));
                painter.rect_filled(bar, 0.0, theme.run);
            }
        }
        Change::Stepped => {
            painter.circle_filled(center, 2.2, theme.run);
        }
    }
}

pub fn square(painter: &Painter, center: Pos2, side: f32, color: Color32) {
    painter.rect_filled(Rect::from_center_size(center, vec2(side, side)), 2.0, color);
}

/// Notches the wheel was turned in this pass, above 0 to zoom nearer.
#[must_use]
pub fn wheel_turns(ui: &Ui) -> i32 {
    ui.input(|input| {
        let turn = |event: &egui::Event| match event {
            egui::Event::MouseWheel { delta, .. } if delta.y != 0.0 => Some(delta.y.signum() as i32),
            _ => None,
        };
        input.events.iter().filter_map(turn).sum()
    })
}

/// How a thing that has the keyboard shows it, in both themes: a ring of the accent colour, inside its edge.
pub fn focus_ring(ui: &Ui, rect: Rect) {
    let stroke = Stroke::new(FOCUS_WIDTH, Theme::of(ui).accent);
    ui.painter().rect_stroke(rect, 2.0, stroke, StrokeKind::Inside);
}

/// What keys ask of a picture of frames that has the keyboard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameKeys {
    /// Frames to walk: the left and the right arrow.
    pub steps: i64,
    /// As [`wheel_turns`]: plus and minus.
    pub turns: i32,
}

/// Reads the keys of a picture of frames; nothing while it has not the keyboard.
pub fn frame_keys(ui: &Ui, response: &Response) -> FrameKeys {
    if !response.has_focus() {
        return FrameKeys::default();
    }
    let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    ui.input(|input| {
        let presses = |key| i32::try_from(input.num_presses(key)).unwrap_or(i32::MAX);
        FrameKeys {
            steps: i64::from(presses(Key::ArrowRight)) - i64::from(presses(Key::ArrowLeft)),
            turns: presses(Key::Plus) + presses(Key::Equals) - presses(Key::Minus),
        }
    })
}

/// Offers to copy what a thing says: in its menu, and by the copy key while it has the keyboard. True when asked.
pub fn copy_asked(response: &Response, label: &str) -> bool {
    let is_key = |input: &egui::InputState| input.events.contains(&egui::Event::Copy);
    let mut asked = response.has_focus() && response.ctx.input(is_key);
    response.context_menu(|ui| asked |= ui.button(label).clicked());
    asked
}

/// Says what a painted word means while the pointer is on it, in the words of the glossary; names it, too.
pub fn explained(ui: &Ui, rect: Rect, word: &str) {
    let Some(term) = glossary::named_by(word) else { return };
    let response = ui.interact(rect, ui.scope_id().with(("explained", word)), Sense::hover());
    label(&response, Role::Label, word);
    response.on_hover_text(term.sense);
}

/// Names a painted thing for those who do not see it, and for tests.
pub fn label(response: &Response, kind: Role, text: impl Into<String>) {
    let text = text.into();
    let enabled = response.enabled();
    response.widget_info(|| WidgetInfo::labeled(kind, enabled, text.clone()));
}

/// A line of figures at the right: the panel's own, where the program does not put it beside the tab.
pub fn caption_ui(ui: &mut Ui, text: &str) {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), CAPTION_HEIGHT), Sense::hover());
    label(&response, Role::Label, text);
    let at = pos2(rect.right() - 12.0, rect.center().y);
    ui.painter().text(at, Align2::RIGHT_CENTER, text, Theme::figure_font(ui), theme.dim);
}

/// What a panel says while it has nothing to show: what will be here, and what to press.
pub fn empty_ui(ui: &mut Ui, what: &str, press: &str) {
    let theme = Theme::of(ui);
    let rect = ui.available_rect_before_wrap();
    let response = ui.allocate_rect(rect, Sense::hover());
    label(&response, Role::Label, format!("{what} {press}"));
    let width = (rect.width() - 32.0).max(40.0);
    let painter = ui.painter_at(rect);
    let centred = |text: &str| {
        let font = Theme::text_font(ui);
        let mut job = egui::text::LayoutJob::simple(text.to_owned(), font, theme.dim, width);
        job.halign = egui::Align::Center;
        painter.layout_job(job)
    };
    let (upper, lower) = (centred(what), centred(press));
    // A centred text is placed by the middle of its first line. In a low panel it begins at the top, and is cut below.
    let height = upper.size().y;
    let top = (rect.center().y - 3.0 - height).max(rect.top() + 6.0);
    painter.galley(pos2(rect.center().x, top), upper, theme.dim);
    painter.galley(pos2(rect.center().x, top + height + 6.0), lower, theme.dim);
}

/// Figures on one line of at most so many points, cut with an ellipsis where they are longer.
#[must_use]
pub fn cut(ui: &Ui, text: &str, width: f32, color: Color32) -> std::sync::Arc<egui::Galley> {
    cut_in(ui, text, Theme::figure_font(ui), width, color)
}

/// As [`cut`], in another font.
#[must_use]
pub fn cut_in(
    ui: &Ui,
    text: &str,
    font: egui::FontId,
    width: f32,
    color: Color32,
) -> std::sync::Arc<egui::Galley> {
    let mut job = egui::text::LayoutJob::simple_singleline(text.to_owned(), font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(width.max(0.0));
    ui.painter().layout_job(job)
}

/// "Press Play (F5)", with the key where it has a name.
#[must_use]
pub fn press(command: &str, key: &str) -> String {
    if key.is_empty() { format!("Press {command}.") } else { format!("Press {command} ({key}).") }
}
