//! The row of tabs above the panels: one a scene that is open, the one in front lit.

use std::path::Path;

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Align2, Galley, Id, Rect, Response, Role, ScrollArea, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};
use framewalk_inspector::theme::{Theme, size};

use crate::command::keymap::Keymap;
use crate::command::naming::Naming;
use crate::command::{Action, EditorCommand, Situation};
use crate::session::Phase;
use crate::shell::areas;

/// How high the row is.
pub const HEIGHT: f32 = 26.0;
/// A longer name ends in dots; the tooltip has all of it.
const WIDEST_NAME: f32 = 180.0;
const EDGE: f32 = 10.0;
const MARK: f32 = 14.0;
const CLOSE: f32 = 18.0;

/// One tab.
#[derive(Clone, Copy, Debug)]
pub struct TabFacts<'a> {
    /// As the project names it.
    pub name: &'a str,
    /// As it is written on the tab.
    pub title: &'a str,
    pub path: &'a Path,
    pub is_front: bool,
    pub is_unsaved: bool,
    /// Its file was changed by another program, and it is not said which of them counts.
    pub is_newer_on_disk: bool,
    /// Its file is gone from the disk.
    pub is_gone: bool,
    /// Its file is refused.
    pub is_broken: bool,
    /// The run that lives is of this scene.
    pub runs: bool,
}

/// What the row shows.
pub struct TabsFacts<'a> {
    pub tabs: &'a [TabFacts<'a>],
    pub keymap: &'a Keymap,
    pub situation: Situation,
}

/// Draws the row into a panel of its height.
pub fn ui(ui: &mut Ui, facts: &TabsFacts<'_>, actions: &mut Vec<Action>) {
    let theme = Theme::of(ui);
    let whole = ui.max_rect();
    ui.spacing_mut().item_spacing = egui::Vec2::ZERO;
    ui.painter().hline(whole.x_range(), whole.bottom() - 0.5, Stroke::new(1.0, theme.line));
    ui.horizontal(|ui| {
        ui.set_height(HEIGHT);
        let room = ui.available_width() - HEIGHT;
        let area = ScrollArea::horizontal()
            .id_salt("scene_tabs")
            .max_width(room)
            .scroll_bar_visibility(egui::scroll_area::ScrollBarVisibility::AlwaysHidden);
        area.show(ui, |ui| row_ui(ui, &theme, facts, actions));
        new_scene_ui(ui, &theme, facts, actions);
    });
    if let Some(front) = facts.tabs.iter().find(|tab| tab.is_front) {
        areas::note(ui.ctx(), tab_id(front), whole);
    }
}

fn tab_id(tab: &TabFacts<'_>) -> Id {
    Id::unique(("framewalk_scene_tab", tab.name))
}

fn row_ui(ui: &mut Ui, theme: &Theme, facts: &TabsFacts<'_>, actions: &mut Vec<Action>) {
    ui.set_height(HEIGHT);
    let rects: Vec<Rect> = facts.tabs.iter().map(|tab| tab_ui(ui, theme, tab, facts, actions)).collect();
    // Dragged over the middle of a neighbour, it changes places with it.
    let dragged = facts.tabs.iter().position(|tab| ui.ctx().is_being_dragged(tab_id(tab)));
    if let Some((from, at)) = dragged.zip(ui.ctx().pointer_interact_pos()) {
        let beyond = |to: &usize| {
            let middle = rects[*to].center().x;
            if *to < from { at.x < middle } else { at.x > middle }
        };
        let left = from.checked_sub(1).filter(beyond);
        let right = Some(from + 1).filter(|to| *to < rects.len()).filter(beyond);
        actions.extend(left.or(right).map(|to| Action::ShiftTab { from, to }));
    }
}

/// Where it was drawn.
fn tab_ui(
    ui: &mut Ui,
    theme: &Theme,
    tab: &TabFacts<'_>,
    facts: &TabsFacts<'_>,
    actions: &mut Vec<Action>,
) -> Rect {
    let name = name_galley(ui, theme, tab);
    let can_close = facts.tabs.len() > 1;
    let marked = tab.runs || tab.is_unsaved || tab.is_newer_on_disk || tab.is_broken;
    // The room of the mark is kept, so that no tab moves when one is saved.
    let width = EDGE + MARK + name.size().x + if can_close { CLOSE } else { 0.0 } + EDGE;
    let (_, rect) = ui.allocate_space(vec2(width, HEIGHT));
    let response = ui.interact(rect, tab_id(tab), Sense::click_and_drag());
    let label = label_of(tab);
    response.widget_info(|| WidgetInfo::selected(Role::Tab, ui.is_enabled(), tab.is_front, &label));
    paint_tab(ui, theme, tab, rect, &response);
    if marked {
        paint_mark(ui, theme, tab, pos2(rect.left() + EDGE + MARK * 0.35, rect.center().y));
    }
    let at = pos2(rect.left() + EDGE + MARK, rect.center().y - name.size().y * 0.5);
    let lit = tab.is_front || response.hovered();
    ui.painter().galley_with_override_text_color(at, name, if lit { theme.text } else { theme.dim });
    if tab.is_front && became_front(ui, tab) {
        response.scroll_to_me(None);
    }
    if response.clicked() && !tab.is_front {
        actions.push(Action::OpenScene(tab.name.to_owned()));
    }
    if response.middle_clicked() && can_close {
        actions.push(Action::CloseScene(tab.name.to_owned()));
    }
    response.context_menu(|ui| menu_ui(ui, tab, facts, actions));
    let stays = !tab.is_front && facts.situation.phase != Phase::Edit;
    let stays =
        if stays { "\nAnother scene runs: Stop it, and then this one can come to the front." } else { "" };
    response.on_hover_text(format!("{}\n{}{stays}", tab.path.display(), state_of(tab)));
    if can_close {
        close_ui(ui, theme, tab, rect, lit, facts, actions);
    }
    rect
}

fn name_galley(ui: &Ui, theme: &Theme, tab: &TabFacts<'_>) -> std::sync::Arc<Galley> {
    let mut format = TextFormat::simple(Theme::text_font(ui), theme.text);
    if tab.is_gone {
        format.strikethrough = Stroke::new(1.0, theme.drop);
    }
    let mut job = LayoutJob::single_section(tab.title.to_owned(), format);
    job.wrap = TextWrapping::truncate_at_width(WIDEST_NAME);
    ui.painter().layout_job(job)
}

fn paint_tab(ui: &Ui, theme: &Theme, tab: &TabFacts<'_>, rect: Rect, response: &Response) {
    let painter = ui.painter();
    if tab.is_front {
        painter.rect_filled(rect, 0.0, theme.bg1);
        let bar = Rect::from_min_size(rect.min, vec2(rect.width(), size::BAR));
        painter.rect_filled(bar, 0.0, theme.accent);
        painter.vline(rect.left() + 0.5, rect.y_range(), Stroke::new(1.0, theme.line));
    } else if response.hovered() {
        painter.rect_filled(rect, 0.0, theme.hover);
    }
    painter.vline(rect.right() - 0.5, rect.y_range(), Stroke::new(1.0, theme.line));
}

/// What matters most of a scene, left of its name.
fn paint_mark(ui: &Ui, theme: &Theme, tab: &TabFacts<'_>, at: egui::Pos2) {
    let sign = |text: &str, color| {
        ui.painter().text(at, Align2::CENTER_CENTER, text, Theme::text_font(ui), color);
    };
    if tab.is_newer_on_disk {
        sign("⚠", theme.late);
    } else if tab.runs {
        let corner = |x: f32, y: f32| at + vec2(x, y);
        let triangle = vec![corner(-3.0, -4.5), corner(4.5, 0.0), corner(-3.0, 4.5)];
        ui.painter().add(egui::Shape::convex_polygon(triangle, theme.run, Stroke::NONE));
    } else if tab.is_unsaved {
        ui.painter().circle_filled(at, 4.0, theme.run);
    } else {
        sign("✗", theme.drop);
    }
}

fn close_ui(
    ui: &Ui,
    theme: &Theme,
    tab: &TabFacts<'_>,
    rect: Rect,
    lit: bool,
    facts: &TabsFacts<'_>,
    actions: &mut Vec<Action>,
) {
    let middle = pos2(rect.right() - EDGE * 0.5 - CLOSE * 0.5, rect.center().y);
    let place = Rect::from_center_size(middle, vec2(CLOSE, CLOSE));
    let response = ui.interact(place, tab_id(tab).with("close"), Sense::click());
    let label = format!("Close {}", tab.title);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &label));
    if response.hovered() {
        ui.painter().rect_filled(place, f32::from(size::CORNER), theme.bg2);
    }
    let color = if lit || response.hovered() { theme.text } else { theme.dim };
    for (x, y) in [(3.5, 3.5), (3.5, -3.5)] {
        let arm = vec2(x, y);
        ui.painter().line_segment([middle - arm, middle + arm], Stroke::new(1.3, color));
    }
    let keys = facts.keymap.text(ui.ctx(), EditorCommand::CloseScene);
    let keys = if tab.is_front && !keys.is_empty() { format!(" ({keys})") } else { String::new() };
    if response.on_hover_text(format!("{label}{keys}: what is not saved is asked about first.")).clicked() {
        actions.push(Action::CloseScene(tab.name.to_owned()));
    }
}

fn menu_ui(ui: &mut Ui, tab: &TabFacts<'_>, facts: &TabsFacts<'_>, actions: &mut Vec<Action>) {
    let several = if facts.tabs.len() > 1 { Ok(()) } else { Err("It is the only open scene.") };
    let unsaved = if tab.is_unsaved { Ok(()) } else { Err("The scene is as in its file.") };
    let name = || tab.name.to_owned();
    let items = [
        ("Save", unsaved, Action::SaveScene(name())),
        ("Close", several, Action::CloseScene(name())),
        ("Close others", several, Action::CloseOtherScenes(name())),
        ("Open the scene file", Ok(()), Action::OpenFile(tab.path.to_owned())),
        ("Open the scene's folder", Ok(()), Action::OpenFolderOf(tab.path.to_owned())),
        ("Copy path", Ok(()), Action::CopyText(tab.path.display().to_string())),
    ];
    for (label, allowed, action) in items {
        let button = ui.add_enabled(allowed.is_ok(), egui::Button::new(label));
        let button = match allowed {
            Ok(()) => button,
            Err(reason) => button.on_disabled_hover_text(reason),
        };
        if button.clicked() {
            actions.push(action);
            ui.close();
        }
    }
}

fn new_scene_ui(ui: &mut Ui, theme: &Theme, facts: &TabsFacts<'_>, actions: &mut Vec<Action>) {
    let command = EditorCommand::Name(Naming::NewScene);
    let allowed = command.allowed(&facts.situation);
    let sense = if allowed.is_ok() { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(HEIGHT, HEIGHT), sense);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, allowed.is_ok(), "Add a scene"));
    let place = rect.shrink(4.0);
    let color = match allowed {
        Ok(()) if response.hovered() => {
            ui.painter().rect_filled(place, f32::from(size::CORNER), theme.bg2);
            theme.text
        }
        Ok(()) => theme.dim,
        Err(_) => theme.faint,
    };
    let stroke = Stroke::new(1.3, color);
    ui.painter().hline(rect.center().x - 4.5..=rect.center().x + 4.5, rect.center().y, stroke);
    ui.painter().vline(rect.center().x, rect.center().y - 4.5..=rect.center().y + 4.5, stroke);
    let keys = facts.keymap.text(ui.ctx(), command);
    let tip = match allowed {
        Ok(()) => format!("{} {keys}", command.tooltip()),
        Err(reason) => reason.to_owned(),
    };
    if response.on_hover_text(tip).clicked() {
        actions.push(Action::Command(command));
    }
}

/// True in the first pass in which this tab is in front.
fn became_front(ui: &Ui, tab: &TabFacts<'_>) -> bool {
    let place = Id::unique("framewalk_scene_tab_in_front");
    let now = tab_id(tab);
    ui.data_mut(|data| {
        data.get_temp::<Id>(place) != Some(now) && {
            data.insert_temp(place, now);
            true
        }
    })
}

/// What a screen reader reads: the scene and how it stands.
fn label_of(tab: &TabFacts<'_>) -> String {
    let mut label = format!("Scene {}", tab.title);
    let states = [
        (tab.runs, "runs"),
        (tab.is_unsaved, "not saved"),
        (tab.is_gone, "gone from the disk"),
        (tab.is_newer_on_disk, "changed on disk"),
        (tab.is_broken, "has faults"),
    ];
    for (_, state) in states.into_iter().filter(|(is_so, _)| *is_so) {
        label = format!("{label}, {state}");
    }
    label
}

fn state_of(tab: &TabFacts<'_>) -> String {
    let states = [
        (tab.runs, "It runs."),
        (tab.is_unsaved && !tab.is_gone, "It has changes that are not in its file."),
        (tab.is_gone, "Its file is gone from the disk: Save writes it again."),
        (
            tab.is_newer_on_disk,
            "Its file was changed by another program: which of them counts is asked when it is in front.",
        ),
        (tab.is_broken, "Its file cannot be used: see the Problems panel."),
    ];
    let said: Vec<&str> = states.into_iter().filter(|(is_so, _)| *is_so).map(|(_, said)| said).collect();
    if said.is_empty() { "It is as in its file.".to_owned() } else { said.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tab_says_how_its_scene_stands() {
        let clean = TabFacts {
            name: "main.ron",
            title: "main",
            path: Path::new("/p/scenes/main.ron"),
            is_front: true,
            is_unsaved: false,
            is_newer_on_disk: false,
            is_gone: false,
            is_broken: false,
            runs: false,
        };
        assert_eq!(
            (label_of(&clean).as_str(), state_of(&clean).as_str()),
            ("Scene main", "It is as in its file.")
        );
        let tab = TabFacts { is_unsaved: true, is_newer_on_disk: true, ..clean };
        assert_eq!(label_of(&tab), "Scene main, not saved, changed on disk");
        let tab = TabFacts { is_broken: true, runs: true, ..clean };
        assert_eq!(label_of(&tab), "Scene main, runs, has faults");
        let tab = TabFacts { is_unsaved: true, is_gone: true, ..clean };
        assert_eq!(
            (label_of(&tab).as_str(), state_of(&tab).as_str()),
            (
                "Scene main, not saved, gone from the disk",
                "Its file is gone from the disk: Save writes it again."
            )
        );
    }
}
