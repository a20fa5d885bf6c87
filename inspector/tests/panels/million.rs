//! A million frames, and plots zoomed to nothing and to everything: what is painted is bounded by the room there is, and
//! the one slow frame is in it.

use std::sync::Arc;

use egui::{Color32, Mesh, Shape, vec2};

use super::*;

const MILLI: i64 = 1_000_000;

/// Frame `number` of a 100 Hz run; one of them takes 300 ms.
fn record(number: u64, slow: u64) -> FrameRecord {
    let late_by = if number > slow { 290 * MILLI } else { 0 };
    FrameRecord {
        run: 1,
        frame: FrameIndex(number),
        kind: if number == 1 { FrameKind::First } else { FrameKind::Running },
        render_time: Nanos(number as i64 * 10 * MILLI + late_by),
        delta: Nanos(if number == slow { 300 * MILLI } else { 10 * MILLI }),
        alpha: 0.25,
        overstep: Nanos(4 * MILLI),
        ..FrameRecord::default()
    }
}

/// A desk on which one thing after the other is looked at.
struct Looked {
    desk: Desk,
    what: What,
}

/// At so many frames, of which the one after three fifths is slow.
fn look(frames: u64) -> Harness<'static, Looked> {
    let slow = frames * 3 / 5 + 1;
    let mut desk = Desk::new(0);
    desk.inspector.set_capacity(1_000_000);
    (1..=frames).for_each(|number| desk.inspector.ingest_frame(record(number, slow)));
    desk.inspector.show_everything(890);
    let builder: HarnessBuilder<Looked> = Harness::builder();
    let builder = builder.with_size([900.0, 900.0]).with_theme(egui::Theme::Dark).with_context_setup(|ctx| {
        ctx.set_fonts(fonts::fonts());
        Theme::install(ctx, &FontFamilies::default());
    });
    let looked = Looked { desk, what: What::Strip };
    builder.build_ui_state(|ui, looked: &mut Looked| looked.desk.ui(ui, looked.what), looked)
}

/// Looks at one thing, twice, so that nothing of it is left to be made.
fn turn_to(harness: &mut Harness<'_, Looked>, what: What) {
    harness.state_mut().what = what;
    harness.run_steps(2);
}

/// Shapes, and vertices once they are tessellated, of the last pass.
fn painted(harness: &Harness<'_, Looked>) -> (usize, usize) {
    let shapes = harness.output().shapes.clone();
    let count = shapes.len();
    let vertices = harness.ctx.tessellate(shapes, 1.0).into_iter().map(|part| match part.primitive {
        egui::epaint::Primitive::Mesh(mesh) => mesh.vertices.len(),
        egui::epaint::Primitive::Callback(_) => 0,
    });
    (count, vertices.sum())
}

/// Heights of the rectangles of this colour that lie in meshes, in points.
fn heights(harness: &Harness<'_, Looked>, color: Color32) -> Vec<f32> {
    let meshes: Vec<Arc<Mesh>> = harness
        .output()
        .shapes
        .iter()
        .filter_map(|clipped| match &clipped.shape {
            Shape::Mesh(mesh) => Some(Arc::clone(mesh)),
            _ => None,
        })
        .collect();
    let corners = meshes.iter().flat_map(|mesh| mesh.vertices.chunks_exact(4));
    let of_color = corners.filter(|corners| corners[0].color == color);
    of_color
        .map(|corners| {
            let y = |of: fn(f32, f32) -> f32| corners.iter().map(|corner| corner.pos.y).reduce(of);
            y(f32::max).zip(y(f32::min)).map_or(0.0, |(bottom, top)| bottom - top)
        })
        .collect()
}

#[test]
fn of_a_million_frames_the_slow_one_is_seen_and_a_pass_paints_no_more_than_of_ten_thousand() {
    let (mut few, mut many) = (look(10_000), look(1_000_000));
    assert_eq!(many.state().desk.inspector.frames_held(), 1_000_000);
    for what in EVERYTHING {
        turn_to(&mut few, what);
        turn_to(&mut many, what);
        let (few, many) = (painted(&few), painted(&many));
        // A column is at least a point wide, has four corners in each of three plots, and there are 834 of them; a dashed
        // line has a shape every six points of 900, and nine stand in three histograms.
        assert!(many.0 <= 2_000 && many.1 <= 16_000, "{what:?}: {many:?}");
        assert!(many.1 <= few.1 + few.1 / 2, "{what:?}: {few:?} and {many:?}");
    }
    let theme = Theme::dark();
    turn_to(&mut many, What::Strip);
    let strip = heights(&many, theme.ok.gamma_multiply(0.85));
    let highest = strip.iter().copied().fold(0.0, f32::max);
    let as_high: Vec<_> = strip.iter().filter(|height| **height > highest / 2.0).collect();
    assert!((223..=445).contains(&strip.len()) && as_high.len() == 1, "{} of {}", as_high.len(), strip.len());
    turn_to(&mut many, What::Panel(Panel::Pacing));
    let plot = heights(&many, theme.ok);
    let highest = plot.iter().copied().fold(0.0, f32::max);
    let as_high: Vec<_> = plot.iter().filter(|height| **height > highest / 2.0).collect();
    assert!((400..=834).contains(&plot.len()) && as_high.len() == 1, "{} of {}", as_high.len(), plot.len());
    assert!(highest > 100.0, "from 10 ms to 300 in a plot of some 200 points: {highest}");
}

#[test]
fn plots_zoomed_to_nothing_and_to_everything_hold_and_take_no_memory() {
    for wild in [false, true] {
        let mut harness = look(20_000);
        if wild {
            for number in 20_001..20_200_u64 {
                let alpha = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1e300][number as usize % 4];
                let delta = Nanos([i64::MIN, 0, i64::MAX, 7][number as usize % 4]);
                let mut record = FrameRecord { alpha, delta, overstep: delta, ..record(number, 1) };
                record.totals.scaled_ticks = alpha;
                harness.state_mut().desk.inspector.ingest_frame(record);
            }
        }
        let held = harness.state().desk.inspector.bytes_held();
        for what in EVERYTHING {
            turn_to(&mut harness, what);
            harness.hover_at(egui::pos2(450.0, 60.0));
            for turn in [1.0, -1.0, 1.0] {
                for _ in 0..120 {
                    harness.event(egui::Event::MouseWheel {
                        unit: egui::MouseWheelUnit::Line,
                        delta: vec2(0.0, turn),
                        phase: egui::TouchPhase::Move,
                        source: egui::MouseWheelSource::Unknown,
                        modifiers: egui::Modifiers::NONE,
                    });
                    harness.step();
                }
                let (shapes, vertices) = painted(&harness);
                assert!(shapes <= 2_000 && vertices <= 40_000, "{what:?}: {shapes}, {vertices}");
            }
        }
        assert_eq!(harness.state().desk.inspector.bytes_held(), held, "looking takes nothing");
    }
}
