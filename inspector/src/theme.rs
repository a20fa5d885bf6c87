//! The only colours, sizes and faces: every panel of this crate, and the program around it, asks here.

use egui::style::{Selection, WidgetVisuals, Widgets};
use egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, RichText, Shadow, Stroke, Style, TextStyle, Ui,
    Visuals,
};
use framewalk_runtime::frame::stage::Stage;

/// The colours of one theme. Dark and light have the same roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    pub is_dark: bool,
    /// Window, panel and control backgrounds.
    pub bg0: Color32,
    pub bg1: Color32,
    pub bg2: Color32,
    /// 1-px borders and grid lines.
    pub line: Color32,
    /// Text, captions, disabled.
    pub text: Color32,
    pub dim: Color32,
    pub faint: Color32,
    /// Focus, active tab, active tool.
    pub accent: Color32,
    /// Playing or paused; the mark of unsaved work.
    pub run: Color32,
    /// Background of the row that runs next: `run`, faded into the panel.
    pub run_faded: Color32,
    /// One colour a stage, in running order; ask through [`Theme::stage`].
    pub stages: [Color32; Stage::COUNT],
    /// A frame on time, late, dropped.
    pub ok: Color32,
    pub late: Color32,
    pub drop: Color32,
    /// A tick of the free handoff that was never drawn: no loss.
    pub undrawn: Color32,
    /// Alpha, everywhere it is written or drawn.
    pub alpha: Color32,
    /// Background of a selected row, and of one under the pointer.
    pub selection: Color32,
    pub hover: Color32,
    /// Outline of a selected bar, the line under the pointer.
    pub outline: Color32,
}

/// The font families text and figures are set in. Whoever owns the window installs the faces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FontFamilies {
    pub text: FontFamily,
    pub figures: FontFamily,
}

impl Default for FontFamilies {
    fn default() -> Self {
        Self { text: FontFamily::Proportional, figures: FontFamily::Monospace }
    }
}

/// Heights and widths that more than one place needs, in points.
pub mod size {
    pub const MENU_HEIGHT: f32 = 30.0;
    pub const TRANSPORT_HEIGHT: f32 = 42.0;
    pub const STATUS_HEIGHT: f32 = 22.0;
    pub const TAB_HEIGHT: f32 = 28.0;
    pub const STRIP_HEIGHT: f32 = 66.0;
    /// The bar above an active tab, the line under the menu while a scene runs.
    pub const BAR: f32 = 2.0;
    pub const TEXT: f32 = 13.0;
    pub const FIGURES: f32 = 12.0;
    pub const SMALL: f32 = 11.0;
    pub const CORNER: u8 = 4;
    /// A colour square beside a name.
    pub const SQUARE: f32 = 9.0;
}

impl Theme {
    #[must_use]
    pub const fn dark() -> Self {
        Self {
            is_dark: true,
            bg0: rgb(0x12_14_18),
            bg1: rgb(0x19_1c_22),
            bg2: rgb(0x20_24_2c),
            line: rgb(0x2b_30_3a),
            text: rgb(0xd9_de_e7),
            dim: rgb(0x8b_94_a5),
            faint: rgb(0x5d_66_75),
            accent: rgb(0x4c_9f_fe),
            run: rgb(0xf0_a0_30),
            run_faded: rgb(0x2d_27_18),
            stages: [
                rgb(0x56_b4_e9),
                rgb(0x2b_b5_8a),
                rgb(0xe8_d4_4d),
                rgb(0xee_9a_2e),
                rgb(0xd2_83_b3),
                rgb(0x8f_98_a8),
            ],
            ok: rgb(0x3f_b6_8b),
            late: rgb(0xe8_b3_39),
            drop: rgb(0xea_5a_50),
            undrawn: rgb(0x6f_82_a8),
            alpha: rgb(0x7c_c4_ff),
            selection: rgb(0x1f_3a_5c),
            hover: rgb(0x22_27_30),
            outline: rgb(0xff_ff_ff),
        }
    }

    #[must_use]
    pub const fn light() -> Self {
        Self {
            is_dark: false,
            bg0: rgb(0xe9_ec_f0),
            bg1: rgb(0xfa_fb_fc),
            bg2: rgb(0xe7_ea_ef),
            line: rgb(0xd0_d5_dd),
            text: rgb(0x1c_22_2d),
            dim: rgb(0x55_5f_70),
            faint: rgb(0x8a_93_a2),
            accent: rgb(0x1b_6f_d8),
            run: rgb(0xc2_72_00),
            run_faded: rgb(0xfb_ee_d6),
            stages: [
                rgb(0x1f_86_c4),
                rgb(0x12_8a_66),
                rgb(0xa6_8b_00),
                rgb(0xcc_72_08),
                rgb(0xb2_52_8c),
                rgb(0x66_70_82),
            ],
            ok: rgb(0x1f_94_6c),
            late: rgb(0xb9_82_00),
            drop: rgb(0xcf_36_2c),
            undrawn: rgb(0x70_82_a8),
            alpha: rgb(0x14_74_c4),
            selection: rgb(0xcb_df_f9),
            hover: rgb(0xee_f1_f5),
            outline: rgb(0x10_14_1c),
        }
    }

    /// The theme the given `Ui` is drawn in.
    #[must_use]
    pub fn of(ui: &Ui) -> Self {
        if ui.visuals().dark_mode { Self::dark() } else { Self::light() }
    }

    #[must_use]
    pub const fn stage(&self, stage: Stage) -> Color32 {
        self.stages[stage.index()]
    }

    /// Gives egui this theme's look in the mode it is made for; text in egui's own two families.
    pub fn apply(&self, ctx: &Context) {
        self.apply_with(ctx, &FontFamilies::default());
    }

    /// As [`Theme::apply`], with the families named.
    pub fn apply_with(&self, ctx: &Context, families: &FontFamilies) {
        let mode = if self.is_dark { egui::Theme::Dark } else { egui::Theme::Light };
        ctx.set_style_of(mode, self.style(families));
    }

    /// Gives egui both themes, so that following the system is its choice of mode and nothing more.
    pub fn install(ctx: &Context, families: &FontFamilies) {
        Self::dark().apply_with(ctx, families);
        Self::light().apply_with(ctx, families);
    }

    /// The whole egui style of this theme.
    #[must_use]
    pub fn style(&self, families: &FontFamilies) -> Style {
        let mut style = Style { visuals: self.visuals(), ..Style::default() };
        let text = |size| FontId::new(size, families.text.clone());
        style.text_styles = [
            (TextStyle::Small, text(size::SMALL)),
            (TextStyle::Body, text(size::TEXT)),
            (TextStyle::Button, text(size::TEXT)),
            (TextStyle::Heading, text(18.0)),
            (TextStyle::Monospace, FontId::new(size::FIGURES, families.figures.clone())),
        ]
        .into();
        style.drag_value_text_style = TextStyle::Monospace;
        style.spacing.item_spacing = egui::vec2(8.0, 4.0);
        style.spacing.button_padding = egui::vec2(8.0, 3.0);
        style.spacing.interact_size.y = 22.0;
        style.spacing.scroll = egui::style::ScrollStyle::thin();
        style.interaction.selectable_labels = false;
        style.interaction.tooltip_delay = 0.35;
        style
    }

    fn visuals(&self) -> Visuals {
        let base = if self.is_dark { Visuals::dark() } else { Visuals::light() };
        let shadow = Shadow {
            offset: [0, 6],
            blur: 16,
            spread: 0,
            color: Color32::from_black_alpha(if self.is_dark { 110 } else { 40 }),
        };
        Visuals {
            widgets: self.widgets(),
            selection: Selection { bg_fill: self.selection, stroke: Stroke::new(1.0, self.text) },
            weak_text_color: Some(self.dim),
            hyperlink_color: self.accent,
            faint_bg_color: self.hover,
            extreme_bg_color: self.bg0,
            code_bg_color: self.bg2,
            warn_fg_color: self.late,
            error_fg_color: self.drop,
            window_corner_radius: CornerRadius::same(size::CORNER + 2),
            menu_corner_radius: CornerRadius::same(size::CORNER),
            window_fill: self.bg1,
            window_stroke: Stroke::new(1.0, self.line),
            window_shadow: shadow,
            popup_shadow: shadow,
            panel_fill: self.bg1,
            indent_has_left_vline: false,
            ..base
        }
    }

    fn widgets(&self) -> Widgets {
        let widget = |fill: Color32, border: Color32, ink: Color32| WidgetVisuals {
            bg_fill: fill,
            weak_bg_fill: fill,
            bg_stroke: Stroke::new(1.0, border),
            corner_radius: CornerRadius::same(size::CORNER),
            fg_stroke: Stroke::new(1.0, ink),
            expansion: 0.0,
        };
        Widgets {
            noninteractive: widget(self.bg1, self.line, self.text),
            inactive: widget(self.bg2, self.line, self.text),
            hovered: widget(self.hover.lerp_to_gamma(self.line, 0.4), self.faint, self.text),
            active: widget(self.selection, self.accent, self.text),
            open: widget(self.bg2, self.faint, self.text),
        }
    }

    /// A section head: small capitals with a little spacing.
    #[must_use]
    pub fn section(&self, text: &str) -> RichText {
        RichText::new(text.to_uppercase()).size(size::SMALL).extra_letter_spacing(0.7).color(self.dim)
    }

    /// A figure: monospaced, so that its width stays while it changes.
    #[must_use]
    pub fn figure(&self, text: impl Into<String>) -> RichText {
        RichText::new(text).text_style(TextStyle::Monospace).color(self.text)
    }

    /// The monospaced face at its usual size, for painters.
    #[must_use]
    pub fn figure_font(ui: &Ui) -> FontId {
        TextStyle::Monospace.resolve(ui.style())
    }

    #[must_use]
    pub fn text_font(ui: &Ui) -> FontId {
        TextStyle::Body.resolve(ui.style())
    }

    #[must_use]
    pub fn small_font(ui: &Ui) -> FontId {
        TextStyle::Small.resolve(ui.style())
    }
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}
