//! The outliner: the entities of the scene, or of the running world, as a tree with a filter.

mod dragging;
mod icons;
mod lines;
mod menu;
mod renaming;

use std::collections::HashSet;

use egui::{Color32, Key, Rect, Response, RichText, ScrollArea, Sense, Ui, vec2};
use framewalk_inspector::theme::{Theme, size};
use framewalk_runtime::scene::EntityId;
use framewalk_runtime::world::{EntityKind, EntityRow};

use self::dragging::Dragging;
use self::icons::marks_ui;
use self::lines::{Line, Lines, visible};
use self::renaming::renaming_ui;
use crate::command::keymap::Keymap;
use crate::command::{Action, EditorCommand, Situation};
use crate::document::marks::Marks;
use crate::document::selection::{Selection, SelectionChange};
use crate::panels::Pane;
use crate::project::store::spelt;
use crate::session::Phase;
use crate::stamp::ListStamp;

const ROW_HEIGHT: f32 = 22.0;
const INDENT: f32 = 16.0;

/// What the panel remembers: the filter, and which parents are folded.
#[derive(Clone, Debug, Default)]
pub struct OutlinerView {
    pub filter: String,
    folded: HashSet<EntityId>,
    // Counts up whenever others are folded.
    folds: u64,
    lines: Lines,
    // Where a range of rows begins: the row chosen last without Shift.
    anchor: Option<EntityId>,
    dragging: Dragging,
    renaming: Option<Renaming>,
    // The primary entity as of the last pass, and whether its row has still to be brought into sight.
    primary: Option<EntityId>,
    out_of_sight: bool,
    // As of the last pass: how many lines there are, how far it is scrolled, and how high it is.
    count: usize,
    offset: f32,
    height: f32,
}

/// A name that is typed in place of a row's, until it is entered.
#[derive(Clone, Debug)]
struct Renaming {
    id: EntityId,
    typed: String,
    /// The field has been given the keyboard.
    focused: bool,
}

impl OutlinerView {
    /// Lets the name of an entity be typed in its row.
    pub fn rename(&mut self, id: EntityId, name: String) {
        self.renaming = Some(Renaming { id, typed: name, focused: false });
    }

    /// Another primary entity, wherever it was chosen, is to be seen: no parent of it stays folded.
    fn follow(&mut self, primary: Option<EntityId>, rows: &[EntityRow]) {
        if self.primary == primary {
            return;
        }
        self.primary = primary;
        self.out_of_sight = primary.is_some();
        let under = |id| rows.iter().find(|row| row.id == id).and_then(|row| row.under);
        // A loop of parents, should a file ever hold one, ends with the last of the rows.
        let mut above = primary.and_then(under);
        for _ in 0..rows.len() {
            let Some(id) = above.filter(|_| !self.folded.is_empty()) else { return };
            if self.folded.contains(&id) {
                self.set_folded(id, false);
            }
            above = under(id);
        }
    }

    /// What is dragged or typed is let go: the scene leaves the front.
    pub fn let_go(&mut self) {
        (self.dragging, self.renaming) = (Dragging::default(), None);
    }

    fn set_folded(&mut self, id: EntityId, folded: bool) {
        if folded {
            self.folded.insert(id);
        } else {
            self.folded.remove(&id);
        }
        self.folds += 1;
    }
}

/// What the panel shows.
pub struct OutlinerFacts<'a> {
    pub rows: &'a [EntityRow],
    /// Tells this list from any other.
    pub stamp: ListStamp,
    pub selection: &'a Selection,
    pub marks: &'a Marks,
    /// The panel has the keyboard.
    pub has_keys: bool,
    pub situation: Situation,
    pub keymap: &'a Keymap,
}

/// Draws the panel. While it has the keyboard, the arrows walk through its rows.
pub fn ui(ui: &mut Ui, view: &mut OutlinerView, facts: &OutlinerFacts<'_>, actions: &mut Vec<Action>) {
    let OutlinerFacts { rows, selection, has_keys, .. } = *facts;
    let editable = facts.situation.phase == Phase::Edit;
    let theme = Theme::of(ui);
    egui::Frame::new().inner_margin(egui::Margin { left: 8, right: 8, top: 8, bottom: 4 }).show(ui, |ui| {
        let filter =
            egui::TextEdit::singleline(&mut view.filter).hint_text("Filter…").desired_width(f32::INFINITY);
        ui.add(filter).accessible_name("Filter entities");
    });
    if rows.is_empty() {
        ui.add_space(4.0);
        egui::Frame::new().inner_margin(egui::Margin::symmetric(10, 0)).show(ui, |ui| {
            let text = "No entity is here yet: Scene, Add makes one.";
            ui.add(egui::Label::new(RichText::new(text).color(theme.dim)).wrap());
        });
        return;
    }
    view.follow(selection.primary(), rows);
    let lines = view.lines.take((facts.stamp, rows), &view.filter, (view.folds, &view.folded));
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().auto_shrink(false);
    let mut target = None;
    if view.out_of_sight && view.count == lines.len() {
        view.out_of_sight = false;
        target = lines.iter().position(|line| Some(rows[line.row].id) == view.primary);
    } else if view.out_of_sight {
        // A list springs back from where it was not as long as that in the pass before: so, in the next one.
        ui.ctx().request_repaint();
    }
    if has_keys {
        target = keys(ui, view, rows, &lines, selection, actions).or(target);
    }
    if let Some(offset) = target.and_then(|line| scrolled_to(line, lines.len(), view.offset, view.height)) {
        area = area.vertical_scroll_offset(offset);
    }
    let mut top = 0.0;
    let output = area.show_rows(ui, ROW_HEIGHT, lines.len(), |ui, range| {
        top = ui.next_widget_position().y - range.start as f32 * ROW_HEIGHT;
        for line in &lines[range] {
            let row = &rows[line.row];
            let selected = selection.contains(row.id);
            if view.renaming.as_ref().is_some_and(|renaming| renaming.id == row.id) {
                renaming_ui(ui, view, row, line, actions);
                continue;
            }
            let (response, fold) = row_ui(ui, &theme, row, line, selected, facts.marks);
            if editable && marks_ui(ui, &theme, &response, row, facts.marks, actions) {
                continue;
            }
            if response.drag_started() && editable {
                let ids = if selected { selection.ids().to_vec() } else { vec![row.id] };
                view.dragging.begin(ids);
            }
            if response.secondary_clicked() && !selected {
                actions.push(Action::Select(Some(row.id)));
            }
            if fold {
                view.set_folded(row.id, !line.folded);
            } else if response.clicked() {
                let (more, range) = ui.input(|input| (input.modifiers.command, input.modifiers.shift));
                actions.push(chosen(view, rows, &lines, row.id, more, range));
            }
            if response.double_clicked() {
                actions.push(Action::Command(EditorCommand::FrameSelection));
            }
            response.context_menu(|ui| menu::ui(ui, facts, &row.name, actions));
        }
    });
    view.dragging.follow(ui, output.inner_rect, top, (rows, &lines), actions);
    view.offset = output.state.clamped_offset().y;
    view.height = output.inner_rect.height();
    view.count = lines.len();
    view.lines.put(lines);
}

/// What the keys ask for; the line that is selected by it, to be kept in sight.
fn keys(
    ui: &Ui,
    view: &mut OutlinerView,
    rows: &[EntityRow],
    lines: &[Line],
    selection: &Selection,
    actions: &mut Vec<Action>,
) -> Option<usize> {
    let primary = selection.primary();
    let line_of = || primary.and_then(|id| lines.iter().position(|line| rows[line.row].id == id));
    let shift = ui.input(|input| input.modifiers.shift_only());
    let pressed = |key| ui.input(|input| (input.modifiers.is_none() || shift) && input.key_pressed(key));
    if pressed(Key::Escape) {
        if selection.is_empty() {
            ui.memory_mut(|memory| memory.surrender_focus(Pane::Outliner.focus_id()));
        }
        actions.push(Action::Select(None));
    }
    if pressed(Key::Enter) && line_of().is_some() {
        actions.push(Action::Command(EditorCommand::FrameSelection));
    }
    let page = ((view.height / ROW_HEIGHT) as usize).max(1);
    let walk = WALKS.into_iter().find(|(key, _)| pressed(*key)).map(|(_, walk)| walk)?;
    match walked(lines, line_of(), walk, page)? {
        Walked::To(line) => {
            actions.push(chosen(view, rows, lines, rows[lines[line].row].id, false, shift));
            Some(line)
        }
        Walked::Fold(line) => {
            view.set_folded(rows[lines[line].row].id, true);
            None
        }
        Walked::Unfold(line) => {
            view.set_folded(rows[lines[line].row].id, false);
            None
        }
    }
}

/// What choosing a row means: it alone; with Ctrl it as well, or no more; with Shift all from the row chosen before.
fn chosen(
    view: &mut OutlinerView,
    rows: &[EntityRow],
    lines: &[Line],
    id: EntityId,
    more: bool,
    range: bool,
) -> Action {
    let place = |id| lines.iter().position(|line| rows[line.row].id == id);
    let ends = view.anchor.filter(|_| range).and_then(place).zip(place(id));
    let Some((from, to)) = ends else {
        view.anchor = Some(id);
        return match more {
            true => Action::ChangeSelection(SelectionChange::Toggle(id)),
            false => Action::Select(Some(id)),
        };
    };
    // The row that was chosen now comes last: it is the primary one.
    let mut ids: Vec<EntityId> =
        lines[from.min(to)..=from.max(to)].iter().map(|line| rows[line.row].id).collect();
    if to < from {
        ids.reverse();
    }
    let change = if more { SelectionChange::Extend(ids) } else { SelectionChange::Set(ids) };
    Action::ChangeSelection(change)
}

/// Every entity that the filter leaves, folded or not, in the order of the lines.
#[must_use]
pub fn listed(view: &OutlinerView, rows: &[EntityRow]) -> Vec<EntityId> {
    visible(rows, &view.filter, &HashSet::new()).iter().map(|line| rows[line.row].id).collect()
}

/// Where a key leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Walk {
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    In,
    Out,
}

const WALKS: [(Key, Walk); 7] = [
    (Key::ArrowUp, Walk::Up),
    (Key::ArrowDown, Walk::Down),
    (Key::PageUp, Walk::PageUp),
    (Key::PageDown, Walk::PageDown),
    (Key::Home, Walk::First),
    (Key::ArrowRight, Walk::In),
    (Key::ArrowLeft, Walk::Out),
];

/// What a key does from the line that is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Walked {
    To(usize),
    Fold(usize),
    Unfold(usize),
}

/// `None` where there is nowhere to go. Without a selection every key leads to the first line.
fn walked(lines: &[Line], at: Option<usize>, walk: Walk, page: usize) -> Option<Walked> {
    let last = lines.len().checked_sub(1)?;
    let Some(at) = at else { return Some(Walked::To(0)) };
    let line = lines[at];
    let to = match walk {
        Walk::Up => at.saturating_sub(1),
        Walk::Down => (at + 1).min(last),
        Walk::PageUp => at.saturating_sub(page),
        Walk::PageDown => (at + page).min(last),
        Walk::First => 0,
        Walk::In if line.folded => return Some(Walked::Unfold(at)),
        Walk::In if line.has_children => at + 1,
        Walk::In => return None,
        Walk::Out if line.has_children && !line.folded => return Some(Walked::Fold(at)),
        Walk::Out => (0..at).rev().find(|&above| lines[above].depth < line.depth)?,
    };
    Some(Walked::To(to))
}

/// How far to scroll so that a line of so many is in sight; `None` where it is. Beside it there is another, since the list
/// fades at both ends.
fn scrolled_to(line: usize, lines: usize, offset: f32, height: f32) -> Option<f32> {
    let beside = if height >= 3.0 * ROW_HEIGHT { 1 } else { 0 };
    let top = line.saturating_sub(beside) as f32 * ROW_HEIGHT;
    if top < offset {
        return Some(top);
    }
    let least = (line + 1 + beside).min(lines) as f32 * ROW_HEIGHT - height;
    (least > offset && height > 0.0).then_some(least)
}

fn row_ui(
    ui: &mut Ui,
    theme: &Theme,
    row: &EntityRow,
    line: &Line,
    selected: bool,
    marks: &Marks,
) -> (Response, bool) {
    let size = vec2(ui.available_width(), ROW_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::CLICK | Sense::DRAG);
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::Role::TreeItem, ui.is_enabled(), selected, &row.name)
    });
    if selected {
        ui.painter().rect_filled(rect, 0.0, theme.selection);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 0.0, theme.hover);
    }
    let x = rect.left() + 8.0 + INDENT * f32::from(line.depth);
    let middle = rect.center().y;
    let arrow = Rect::from_center_size(egui::pos2(x + 4.0, middle), vec2(12.0, ROW_HEIGHT));
    if line.has_children {
        paint_arrow(ui, theme, arrow, line.folded);
    }
    let square = Rect::from_center_size(egui::pos2(x + 17.0, middle), vec2(size::SQUARE, size::SQUARE));
    ui.painter().rect_filled(square, 2.0, kind_color(theme, row.kind));
    let color = match (row.spawned, marks.hidden.contains(&row.id)) {
        (true, _) => theme.run,
        (false, true) => theme.faint,
        (false, false) => theme.text,
    };
    let clip = ui.painter().with_clip_rect(rect);
    let at = egui::pos2(x + 28.0, middle);
    clip.text(at, egui::Align2::LEFT_CENTER, spelt::line(&row.name), Theme::text_font(ui), color);
    let fold = line.has_children
        && response.clicked()
        && response.interact_pointer_pos().is_some_and(|pointer| pointer.x < arrow.right() + 2.0);
    (response, fold)
}

fn paint_arrow(ui: &Ui, theme: &Theme, rect: Rect, folded: bool) {
    let c = rect.center();
    let points = if folded {
        vec![c + vec2(-2.0, -4.0), c + vec2(3.0, 0.0), c + vec2(-2.0, 4.0)]
    } else {
        vec![c + vec2(-4.0, -2.0), c + vec2(4.0, -2.0), c + vec2(0.0, 3.0)]
    };
    ui.painter().add(egui::Shape::convex_polygon(points, theme.dim, egui::Stroke::NONE));
}

fn kind_color(theme: &Theme, kind: EntityKind) -> Color32 {
    match kind {
        EntityKind::Camera => theme.stages[0],
        EntityKind::Sun | EntityKind::Sky => theme.stages[2],
        EntityKind::Spawner | EntityKind::Crowd | EntityKind::Teleporter => theme.stages[3],
        EntityKind::Mover | EntityKind::Controlled | EntityKind::Sound => theme.stages[1],
        EntityKind::Body => theme.stages[4],
        EntityKind::Shape | EntityKind::Load | EntityKind::Empty => theme.stages[5],
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn row(id: u64, name: &str, parent: Option<u64>) -> EntityRow {
        let parent = parent.map(EntityId);
        let (id, kind) = (EntityId(id), EntityKind::Shape);
        EntityRow { id, name: name.into(), parent, under: parent, kind, spawned: false }
    }

    #[test]
    fn arrows_walk_rows_fold_and_unfold_them_and_stop_at_the_ends() {
        let rows = [row(1, "Scene", None), row(2, "Ball", Some(1)), row(3, "Sun", None)];
        let lines = visible(&rows, "", &HashSet::new());
        let go = |at, walk| walked(&lines, at, walk, 10);
        assert_eq!(go(None, Walk::Up), Some(Walked::To(0)));
        assert_eq!(go(Some(0), Walk::Up), Some(Walked::To(0)));
        assert_eq!(go(Some(1), Walk::Down), Some(Walked::To(2)));
        assert_eq!(go(Some(2), Walk::Down), Some(Walked::To(2)));
        assert_eq!(go(Some(0), Walk::In), Some(Walked::To(1)));
        assert_eq!(go(Some(1), Walk::In), None);
        assert_eq!(go(Some(1), Walk::Out), Some(Walked::To(0)));
        assert_eq!(go(Some(0), Walk::Out), Some(Walked::Fold(0)));
        assert_eq!(go(Some(0), Walk::PageDown), Some(Walked::To(2)));
        let folded = visible(&rows, "", &[EntityId(1)].into());
        assert_eq!(walked(&folded, Some(0), Walk::In, 10), Some(Walked::Unfold(0)));
        assert_eq!(walked(&[], None, Walk::Down, 10), None);
    }

    #[test]
    fn a_range_reaches_from_the_row_chosen_before_to_this_one_and_ends_there() {
        let rows = [row(1, "a", None), row(2, "b", None), row(3, "c", None), row(4, "d", None)];
        let lines = visible(&rows, "", &HashSet::new());
        let mut view = OutlinerView::default();
        let mut choose = |id, more, range| chosen(&mut view, &rows, &lines, EntityId(id), more, range);
        let set = |ids: &[u64]| {
            Action::ChangeSelection(SelectionChange::Set(ids.iter().copied().map(EntityId).collect()))
        };
        assert_eq!(choose(3, false, true), Action::Select(Some(EntityId(3))), "nothing was chosen before");
        assert_eq!(choose(1, false, true), set(&[3, 2, 1]));
        assert_eq!(choose(4, false, true), set(&[3, 4]), "from the same row");
        let toggled = Action::ChangeSelection(SelectionChange::Toggle(EntityId(1)));
        assert_eq!(choose(1, true, false), toggled);
        let more = SelectionChange::Extend([1, 2].map(EntityId).to_vec());
        assert_eq!(choose(2, true, true), Action::ChangeSelection(more));
    }

    #[test]
    fn the_selected_row_is_kept_in_sight_and_not_where_the_list_fades() {
        assert_eq!(scrolled_to(2, 10, 0.0, 100.0), None);
        assert_eq!(scrolled_to(3, 10, 0.0, 100.0), Some(10.0), "the row below it is in sight too");
        assert_eq!(scrolled_to(0, 10, 30.0, 100.0), Some(0.0));
        assert_eq!(scrolled_to(5, 10, 120.0, 100.0), Some(88.0), "and the one above it");
        assert_eq!(scrolled_to(9, 10, 0.0, 100.0), Some(120.0), "the last has none below it");
        assert_eq!(scrolled_to(9, 10, 0.0, 50.0), Some(170.0), "in a panel too low for three, it alone");
    }
}
