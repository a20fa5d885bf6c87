//! Where the panels stand: a tree of tabs that a person can rearrange, remembered with the settings.

mod panel;

use egui::{Color32, Id, Rect, Response, RichText, Stroke, Ui, Visuals, WidgetText};
use egui_tiles::{
    Behavior, Container, LinearDir, SimplificationOptions, TabState, Tile, TileId, Tiles, Tree, UiResponse,
};
use framewalk_inspector::glossary::explain;
use framewalk_inspector::theme::{Theme, size};

pub use self::panel::panel_ui;
use crate::panels::Pane;
use crate::shell::tour;

/// The areas of a first start: outliner, scene and camera, properties, project and history; the strip; stages, timeline,
/// record, log and problems beside pacing, handoff, histogram, threads and the comparison of handoffs.
#[must_use]
pub fn default_layout() -> Tree<Pane> {
    let mut tiles = Tiles::default();
    let mut tabs = |panes: &[Pane]| {
        let children = panes.iter().map(|&pane| tiles.insert_pane(pane)).collect();
        tiles.insert_tab_tile(children)
    };
    let outliner = tabs(&[Pane::Outliner]);
    let scene = tabs(&[Pane::Scene, Pane::Camera]);
    let properties = tabs(&[Pane::Properties, Pane::Project, Pane::History]);
    let strip = tabs(&[Pane::Strip]);
    let stages = tabs(&[Pane::Stages, Pane::Timeline, Pane::Record, Pane::Log, Pane::Problems]);
    let pacing = tabs(&[Pane::Pacing, Pane::Handoff, Pane::Histogram, Pane::Threads, Pane::Compare]);
    let upper = row(&mut tiles, &[(outliner, 0.16), (scene, 0.64), (properties, 0.20)]);
    let lower = row(&mut tiles, &[(stages, 0.43), (pacing, 0.57)]);
    let root = tiles.insert_vertical_tile(vec![upper, strip, lower]);
    set_shares(&mut tiles, root, &[(upper, 0.585), (strip, 0.075), (lower, 0.34)]);
    Tree::new(Id::unique("framewalk_dock"), root, tiles)
}

fn row(tiles: &mut Tiles<Pane>, children: &[(TileId, f32)]) -> TileId {
    let row = tiles.insert_horizontal_tile(children.iter().map(|(id, _)| *id).collect());
    set_shares(tiles, row, children);
    row
}

fn set_shares(tiles: &mut Tiles<Pane>, container: TileId, shares: &[(TileId, f32)]) {
    if let Some(Tile::Container(Container::Linear(linear))) = tiles.get_mut(container) {
        for &(child, share) in shares {
            linear.shares.set_share(child, share);
        }
    }
}

/// A remembered layout, as far as it holds no panel twice. A panel that it lacks, since the program that wrote it had
/// none such, is put behind the tabs it has in the default layout; where those are gone too, the default one is used.
#[must_use]
pub fn checked_layout(layout: Option<Tree<Pane>>) -> Tree<Pane> {
    layout.and_then(completed).unwrap_or_else(default_layout)
}

fn completed(mut tree: Tree<Pane>) -> Option<Tree<Pane>> {
    let root = tree.root()?;
    for pane in Pane::ALL {
        match tree.tiles.iter().filter(|(_, tile)| matches!(tile, Tile::Pane(this) if *this == pane)).count()
        {
            0 => put_beside(&mut tree, pane)?,
            1 => {}
            _ => return None,
        }
    }
    // A file that was changed by hand may have tiles that hang on nothing: what stands there is never drawn.
    let stands = |pane| tree.tiles.find_pane(&pane).is_some_and(|tile| hangs_on(&tree, tile, root));
    Pane::ALL.into_iter().all(stands).then_some(tree)
}

fn hangs_on(tree: &Tree<Pane>, tile: TileId, root: TileId) -> bool {
    let mut at = tile;
    // As many steps as there are tiles: a ring has no end.
    for _ in tree.tiles.iter() {
        if at == root {
            return true;
        }
        let Some(parent) = tree.tiles.parent_of(at) else { return false };
        at = parent;
    }
    false
}

/// Adds a panel behind the first of its default neighbours that stands among tabs.
fn put_beside(tree: &mut Tree<Pane>, pane: Pane) -> Option<()> {
    let usual = default_layout();
    let group = usual.tiles.find_pane(&pane).and_then(|tile| usual.tiles.parent_of(tile))?;
    let neighbours = usual.tiles.get_container(group)?.children().copied().collect::<Vec<_>>();
    let tabs = neighbours.iter().filter_map(|tile| usual.tiles.get_pane(tile)).find_map(|neighbour| {
        let parent = tree.tiles.find_pane(neighbour).and_then(|tile| tree.tiles.parent_of(tile))?;
        matches!(tree.tiles.get_container(parent)?, Container::Tabs(_)).then_some(parent)
    })?;
    let tile = tree.tiles.insert_pane(pane);
    match tree.tiles.get_mut(tabs) {
        Some(Tile::Container(Container::Tabs(tabs))) => tabs.add_child(tile),
        _ => return None,
    }
    Some(())
}

/// A panel stands somewhere, be it behind another tab.
#[must_use]
pub fn is_open(tree: &Tree<Pane>, pane: Pane) -> bool {
    tree.tiles.find_pane(&pane).is_some_and(|tile| tree.tiles.is_visible(tile))
}

/// Opens a panel where it was, in front of its tabs, or closes it; it keeps its place in the tree.
pub fn set_open(tree: &mut Tree<Pane>, pane: Pane, open: bool) {
    if let Some(tile) = tree.tiles.find_pane(&pane) {
        tree.tiles.set_visible(tile, open);
    }
    if open {
        show(tree, pane);
    }
}

/// Brings a panel to the front of its tabs, opening it where it is closed.
pub fn show(tree: &mut Tree<Pane>, pane: Pane) {
    if let Some(tile) = tree.tiles.find_pane(&pane) {
        tree.tiles.set_visible(tile, true);
    }
    tree.make_active(|_, tile| matches!(tile, Tile::Pane(this) if *this == pane));
}

/// Keeps the strip as high as it is meant to be, whatever the height of the window.
pub fn hold_strip_height(tree: &mut Tree<Pane>, available: f32) {
    let Some(strip) = tree.tiles.find_pane(&Pane::Strip) else { return };
    let Some(tabs) = tree.tiles.parent_of(strip) else { return };
    let Some(container) = tree.tiles.parent_of(tabs) else { return };
    // Alone in its tabs, in a column: else a person has moved it, and it is as high as they made it.
    let alone = tree.tiles.get_container(tabs).is_some_and(|tabs| tabs.num_children() == 1);
    if let Some(Tile::Container(Container::Linear(linear))) = tree.tiles.get_mut(container)
        && linear.dir == LinearDir::Vertical
        && alone
        && available > 4.0 * size::STRIP_HEIGHT
    {
        let others: f32 = linear.shares.iter().filter(|(id, _)| **id != tabs).map(|(_, share)| *share).sum();
        linear.shares.set_share(tabs, others * size::STRIP_HEIGHT / (available - size::STRIP_HEIGHT));
    }
}

/// What the tour points at when it points at this panel.
const fn tour_target(pane: Pane) -> Option<tour::Target> {
    match pane {
        Pane::Stages => Some(tour::Target::Stages),
        Pane::Pacing => Some(tour::Target::Pacing),
        Pane::Strip => Some(tour::Target::Strip),
        _ => None,
    }
}

/// What the dock needs of the program: the contents of a panel, and the line at the right of its tab bar.
pub trait Panes {
    fn pane_ui(&mut self, ui: &mut Ui, pane: Pane);
    fn caption(&self, pane: Pane) -> String;
    /// The title on its tab, with a number where there is something to count.
    fn title(&self, pane: Pane) -> String {
        pane.title().to_owned()
    }
}

/// What a person did to the layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rearranged {
    pub edited: bool,
    /// A panel is to have the room of all.
    pub maximise: Option<Pane>,
    /// A panel is to have a window of its own.
    pub undock: Option<Pane>,
}

/// Draws one panel in the room of all. True when the others are to come back.
pub fn maximised_ui(ui: &mut Ui, pane: Pane, keys: &str, panes: &mut dyn Panes) -> bool {
    let theme = Theme::of(ui);
    let mut restore = false;
    ui.spacing_mut().item_spacing.y = 0.0;
    let bar = egui::vec2(ui.available_width(), size::TAB_HEIGHT);
    ui.allocate_ui_with_layout(bar, egui::Layout::left_to_right(egui::Align::Center), |ui| {
        ui.add_space(14.0);
        ui.label(pane.title());
        let tip = format!("Puts every panel back. {keys}");
        restore = ui.button("Show all panels").on_hover_text(tip).clicked();
        let caption = panes.caption(pane);
        let label = ui.label(RichText::new(&caption).monospace().color(theme.dim));
        label.on_hover_ui(|ui| _ = ui.label(explain(&caption)));
    });
    let rect = ui.available_rect_before_wrap();
    ui.painter().rect_filled(rect, 0.0, theme.bg1);
    ui.scope_builder(egui::UiBuilder::new().max_rect(rect), |ui| {
        ui.set_clip_rect(rect.intersect(ui.clip_rect()));
        panel_ui(ui, pane, panes);
    });
    restore
}

/// Draws the tree and everything in it.
pub fn ui(tree: &mut Tree<Pane>, ui: &mut Ui, panes: &mut dyn Panes) -> Rearranged {
    hold_strip_height(tree, ui.available_height());
    let strip = tree.tiles.find_pane(&Pane::Strip);
    let is_tabs = |tile: &Tile<Pane>| matches!(tile, Tile::Container(Container::Tabs(_)));
    let framed = tree.tiles.iter().filter(|(_, tile)| is_tabs(tile)).map(|(id, _)| *id).collect();
    let mut behavior = DockBehavior {
        panes,
        theme: Theme::of(ui),
        strip,
        framed,
        rearranged: Rearranged::default(),
        tab_margin: TAB_MARGIN,
    };
    tree.ui(&mut behavior, ui);
    behavior.rearranged
}

/// What a tab is wider than its title.
const TAB_MARGIN: f32 = 28.0;
/// Where not all tabs of a group have room, and so that a few more have.
const NARROW_TAB_MARGIN: f32 = 14.0;

struct DockBehavior<'a> {
    panes: &'a mut dyn Panes,
    theme: Theme,
    strip: Option<TileId>,
    // The groups of tabs: what gets a border.
    framed: Vec<TileId>,
    rearranged: Rearranged,
    // Of the group whose tabs are drawn next.
    tab_margin: f32,
}

impl DockBehavior<'_> {
    /// What the right button offers on a tab; the middle one closes it, two clicks maximise it.
    fn tab_menu(&mut self, tiles: &mut Tiles<Pane>, tile: TileId, pane: Pane, response: &Response) {
        let mut close = response.middle_clicked();
        let mut maximise = response.double_clicked();
        response.context_menu(|ui| {
            maximise |= ui.button("Maximise").clicked();
            if ui.button("Move to its own window").clicked() {
                self.rearranged.undock = Some(pane);
            }
            close |= ui.button("Close").clicked();
        });
        if close {
            tiles.set_visible(tile, false);
            self.rearranged.edited = true;
        }
        if maximise {
            self.rearranged.maximise = Some(pane);
        }
    }
}

/// As many of a caption's parts, from its first on, as fit; none where not even that one does.
fn fitting(caption: &str, fits: impl Fn(&str) -> bool) -> Option<String> {
    const BETWEEN: &str = " · ";
    let parts: Vec<&str> = caption.split(BETWEEN).collect();
    let of = |count: usize| {
        let rest = if count < parts.len() { " · …" } else { "" };
        format!("{}{rest}", parts[..count].join(BETWEEN))
    };
    (1..=parts.len()).rev().map(of).find(|shown| fits(shown)).filter(|shown| !shown.is_empty())
}

impl Behavior<Pane> for DockBehavior<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _: TileId, pane: &mut Pane) -> UiResponse {
        let rect = ui.max_rect();
        // The scene's picture covers its panel.
        if !matches!(*pane, Pane::Scene | Pane::Camera) {
            ui.painter().rect_filled(rect, 0.0, self.theme.bg1);
        }
        if let Some(target) = tour_target(*pane) {
            tour::mark(ui.ctx(), target, rect);
        }
        ui.set_clip_rect(rect.intersect(ui.clip_rect()));
        panel_ui(ui, *pane, self.panes);
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> WidgetText {
        self.panes.title(*pane).into()
    }

    fn tab_bar_height(&self, _: &egui::Style) -> f32 {
        size::TAB_HEIGHT
    }

    fn is_tab_bar_visible(&self, _: TileId, tabs: &egui_tiles::Tabs) -> bool {
        !(tabs.children.len() == 1 && self.strip.is_some_and(|strip| tabs.children.contains(&strip)))
    }

    fn gap_width(&self, _: &egui::Style) -> f32 {
        6.0
    }

    fn min_size(&self) -> f32 {
        60.0
    }

    fn tab_title_spacing(&self, _: &Visuals) -> f32 {
        14.0
    }

    fn tab_bar_color(&self, _: &Visuals) -> Color32 {
        Color32::TRANSPARENT
    }

    fn tab_bg_color(&self, _: &Visuals, _: &Tiles<Pane>, _: TileId, state: &TabState) -> Color32 {
        if state.active { self.theme.bg1 } else { self.theme.bg0 }
    }

    fn tab_outline_stroke(&self, _: &Visuals, _: &Tiles<Pane>, _: TileId, _: &TabState) -> Stroke {
        Stroke::NONE
    }

    fn tab_bar_hline_stroke(&self, _: &Visuals) -> Stroke {
        Stroke::new(1.0, self.theme.line)
    }

    fn tab_text_color(&self, _: &Visuals, _: &Tiles<Pane>, _: TileId, state: &TabState) -> Color32 {
        if state.active { self.theme.text } else { self.theme.dim }
    }

    fn tab_ui(
        &mut self,
        tiles: &mut Tiles<Pane>,
        ui: &mut Ui,
        id: Id,
        tile_id: TileId,
        state: &TabState,
    ) -> Response {
        let title = self.tab_title_for_tile(tiles, tile_id).text().to_owned();
        let galley = ui.painter().layout_no_wrap(title.clone(), Theme::text_font(ui), self.theme.text);
        let width = galley.size().x + self.tab_margin;
        let (_, rect) = ui.allocate_space(egui::vec2(width, ui.available_height()));
        let response = ui.interact(rect, id, egui::Sense::click_and_drag());
        response.widget_info(|| {
            egui::WidgetInfo::selected(egui::Role::Tab, ui.is_enabled(), state.active, &title)
        });
        if ui.is_rect_visible(rect) && !state.is_being_dragged {
            let painter = ui.painter();
            if state.active {
                painter.rect_filled(rect, 0.0, self.theme.bg1);
                let bar = Rect::from_min_size(rect.min, egui::vec2(rect.width(), size::BAR));
                painter.rect_filled(bar, 0.0, self.theme.accent);
                painter.vline(rect.right(), rect.y_range(), Stroke::new(1.0, self.theme.line));
            }
            let color = if state.active || response.hovered() { self.theme.text } else { self.theme.dim };
            let at = egui::Align2::CENTER_CENTER.align_size_within_rect(galley.size(), rect).min;
            painter.galley_with_override_text_color(at, galley, color);
        }
        if let Some(&pane) = tiles.get_pane(&tile_id) {
            self.tab_menu(tiles, tile_id, pane, &response);
        }
        response
    }

    fn top_bar_right_ui(
        &mut self,
        tiles: &Tiles<Pane>,
        ui: &mut Ui,
        _: TileId,
        tabs: &egui_tiles::Tabs,
        _: &mut f32,
    ) {
        let active = tabs.active.and_then(|tile| tiles.get_pane(&tile));
        let caption = active.map_or_else(String::new, |&pane| self.panes.caption(pane));
        let width_of = |text: &str, font, ui: &Ui| {
            ui.painter().layout_no_wrap(text.to_owned(), font, Color32::WHITE).size().x
        };
        let titles = tabs
            .children
            .iter()
            .filter_map(|&tile| tiles.get_pane(&tile))
            .map(|&pane| self.panes.title(pane));
        let tabs_width: f32 =
            titles.map(|title| width_of(&title, Theme::text_font(ui), ui) + TAB_MARGIN).sum();
        self.tab_margin = if tabs_width <= ui.available_width() { TAB_MARGIN } else { NARROW_TAB_MARGIN };
        // The tabs come first: of a caption that does not fit beside them as much is shown as does.
        let room = ui.available_width() - tabs_width - 20.0;
        let font = Theme::figure_font(ui);
        if let Some(shown) = fitting(&caption, |text| width_of(text, font.clone(), ui) <= room) {
            ui.add_space(10.0);
            let text = RichText::new(&shown).font(font).color(self.theme.dim);
            let label = ui.label(text);
            label.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &caption));
            label.on_hover_ui(|ui| {
                if shown != caption {
                    ui.label(RichText::new(&caption).monospace());
                }
                ui.label(explain(&caption));
            });
        }
    }

    fn paint_on_top_of_tile(&self, painter: &egui::Painter, _: &egui::Style, tile: TileId, rect: Rect) {
        if !self.framed.contains(&tile) {
            return;
        }
        painter.rect_stroke(rect, 0.0, Stroke::new(1.0, self.theme.line), egui::StrokeKind::Inside);
    }

    fn resize_stroke(&self, _: &egui::Style, state: egui_tiles::ResizeState) -> Stroke {
        match state {
            egui_tiles::ResizeState::Idle => Stroke::NONE,
            egui_tiles::ResizeState::Hovering => Stroke::new(2.0, self.theme.faint),
            egui_tiles::ResizeState::Dragging => Stroke::new(2.0, self.theme.accent),
        }
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: true, ..SimplificationOptions::default() }
    }

    fn on_edit(&mut self, _: egui_tiles::EditAction) {
        self.rearranged.edited = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_caption_the_parts_are_shown_that_fit() {
        let of = |caption, most| fitting(caption, |text: &str| text.chars().count() <= most);
        let caption = "frame 848 · stages 3.10 ms · batch 0.90 ms";
        assert_eq!(of(caption, 42).as_deref(), Some(caption));
        assert_eq!(of(caption, 41).as_deref(), Some("frame 848 · stages 3.10 ms · …"));
        assert_eq!(of(caption, 20).as_deref(), Some("frame 848 · …"));
        assert_eq!((of(caption, 12), of("", 12)), (None, None));
    }

    #[test]
    fn the_default_layout_holds_every_panel_once() {
        assert_eq!(checked_layout(Some(default_layout())), default_layout());
    }

    #[test]
    fn a_panel_that_a_layout_lacks_is_put_behind_its_usual_neighbours() {
        let mut layout = default_layout();
        let camera = layout.tiles.find_pane(&Pane::Camera).unwrap();
        layout.remove_recursively(camera);
        let mended = checked_layout(Some(layout));
        let parent = |pane| mended.tiles.parent_of(mended.tiles.find_pane(&pane).unwrap());
        assert_eq!(parent(Pane::Camera), parent(Pane::Scene));
        assert_eq!(checked_layout(Some(mended.clone())), mended);
        assert_eq!(checked_layout(None), default_layout());
    }

    #[test]
    fn a_layout_that_holds_a_panel_twice_is_not_used() {
        let mut layout = default_layout();
        let twice = layout.tiles.insert_pane(Pane::Log);
        let root = layout.root().unwrap();
        layout.move_tile_to_container(twice, root, 0, false);
        assert_eq!(checked_layout(Some(layout)), default_layout());
    }

    #[test]
    fn a_layout_with_a_panel_that_hangs_on_nothing_is_not_used() {
        let mut layout = default_layout();
        let log = layout.tiles.find_pane(&Pane::Log).unwrap();
        layout.remove_recursively(log);
        let _ = layout.tiles.insert_pane(Pane::Log);
        assert_eq!(checked_layout(Some(layout)), default_layout());
    }

    #[test]
    fn a_closed_panel_keeps_its_place_and_comes_back_there() {
        let mut layout = default_layout();
        set_open(&mut layout, Pane::Outliner, false);
        assert!(!is_open(&layout, Pane::Outliner));
        assert_eq!(checked_layout(Some(layout.clone())), layout, "a closed panel is remembered as closed");
        show(&mut layout, Pane::Outliner);
        assert!(is_open(&layout, Pane::Outliner));
        assert_eq!(layout, default_layout());
    }
}
