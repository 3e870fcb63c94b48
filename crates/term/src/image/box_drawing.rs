//! Box drawing (U+2500 to U+257F). Lines end exactly at the edge of the cell, at the same place for all characters, so
//! they meet their neighbours without a gap.

use std::ops::Range;

use zeno::{Cap, Command, Stroke, Vector};

use super::mask::Mask;
use super::metrics::Metrics;

/// What leads from the middle up, right, down and left, one digit each: 1 is thin, 2 thick, 3 double.
#[rustfmt::skip]
const ARMS: [u16; 128] = [
    0x0101, 0x0202, 0x1010, 0x2020, 0x0000, 0x0000, 0x0000, 0x0000, // ─━│┃┄┅┆┇
    0x0000, 0x0000, 0x0000, 0x0000, 0x0110, 0x0210, 0x0120, 0x0220, // ┈┉┊┋┌┍┎┏
    0x0011, 0x0012, 0x0021, 0x0022, 0x1100, 0x1200, 0x2100, 0x2200, // ┐┑┒┓└┕┖┗
    0x1001, 0x1002, 0x2001, 0x2002, 0x1110, 0x1210, 0x2110, 0x1120, // ┘┙┚┛├┝┞┟
    0x2120, 0x2210, 0x1220, 0x2220, 0x1011, 0x1012, 0x2011, 0x1021, // ┠┡┢┣┤┥┦┧
    0x2021, 0x2012, 0x1022, 0x2022, 0x0111, 0x0112, 0x0211, 0x0212, // ┨┩┪┫┬┭┮┯
    0x0121, 0x0122, 0x0221, 0x0222, 0x1101, 0x1102, 0x1201, 0x1202, // ┰┱┲┳┴┵┶┷
    0x2101, 0x2102, 0x2201, 0x2202, 0x1111, 0x1112, 0x1211, 0x1212, // ┸┹┺┻┼┽┾┿
    0x2111, 0x1121, 0x2121, 0x2112, 0x2211, 0x1122, 0x1221, 0x2212, // ╀╁╂╃╄╅╆╇
    0x1222, 0x2122, 0x2221, 0x2222, 0x0000, 0x0000, 0x0000, 0x0000, // ╈╉╊╋╌╍╎╏
    0x0303, 0x3030, 0x0310, 0x0130, 0x0330, 0x0013, 0x0031, 0x0033, // ═║╒╓╔╕╖╗
    0x1300, 0x3100, 0x3300, 0x1003, 0x3001, 0x3003, 0x1310, 0x3130, // ╘╙╚╛╜╝╞╟
    0x3330, 0x1013, 0x3031, 0x3033, 0x0313, 0x0131, 0x0333, 0x1303, // ╠╡╢╣╤╥╦╧
    0x3101, 0x3303, 0x1313, 0x3131, 0x3333, 0x0000, 0x0000, 0x0000, // ╨╩╪╫╬╭╮╯
    0x0000, 0x0000, 0x0000, 0x0000, 0x0001, 0x1000, 0x0100, 0x0010, // ╰╱╲╳╴╵╶╷
    0x0002, 0x2000, 0x0200, 0x0020, 0x0201, 0x1020, 0x0102, 0x2010, // ╸╹╺╻╼╽╾╿
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arm {
    None,
    Thin,
    Thick,
    Double,
}

use Arm::{Double, None as Nothing, Thick, Thin};

pub(super) fn draw(c: char, metrics: &Metrics) -> Option<Mask> {
    let code = u32::from(c).checked_sub(0x2500)?;
    let arms = *ARMS.get(code as usize)?;
    let mut mask = Mask::empty(metrics.width as usize, metrics.height as usize);
    match code {
        0x04..=0x0b | 0x4c..=0x4f => dashes(code, metrics, &mut mask),
        0x6d..=0x70 => arc(code, metrics, &mut mask),
        0x71..=0x73 => diagonals(code, metrics, &mut mask),
        _ => cross(arms, metrics, &mut mask),
    }
    Some(mask)
}

/// The places across one direction that lines take.
struct Track {
    thin: Range<i32>,
    thick: Range<i32>,
    /// Both lines of a double one and what is between them.
    double: Range<i32>,
    end: i32,
}

impl Track {
    fn of(length: i32, stroke: i32) -> Self {
        let thin = (length - stroke) / 2..(length - stroke) / 2 + stroke;
        let more = (stroke + 1) / 2;
        let (thick, double) = (thin.start - more..thin.end + more, thin.start - stroke..thin.end + stroke);
        Self { thin, thick, double, end: length }
    }

    fn of_arm(&self, arm: Arm) -> &Range<i32> {
        match arm {
            Nothing | Thin => &self.thin,
            Thick => &self.thick,
            Double => &self.double,
        }
    }

    /// How far over the middle an arm goes that comes from before it, given the arm that goes on, and the two across.
    fn reach(&self, coming: Arm, going: Arm, across: [Arm; 2]) -> i32 {
        if across.contains(&Thick) {
            self.thick.end
        } else if across[0] != across[1] || coming == going {
            if across.contains(&Double) { self.double.end } else { self.thin.end }
        } else if across == [Nothing; 2] {
            self.thin.end
        } else {
            self.thin.start
        }
    }

    /// The same for an arm that comes from behind the middle.
    fn reach_back(&self, coming: Arm, going: Arm, across: [Arm; 2]) -> i32 {
        self.thin.start + self.thin.end - self.reach(coming, going, across)
    }
}

fn cross(arms: u16, metrics: &Metrics, mask: &mut Mask) {
    let arm = |shift: u32| match arms >> shift & 0xf {
        0 => Nothing,
        1 => Thin,
        2 => Thick,
        _ => Double,
    };
    let (up, right, down, left) = (arm(12), arm(8), arm(4), arm(0));
    let columns = Track::of(metrics.width, metrics.stroke);
    let rows = Track::of(metrics.height, metrics.stroke);

    let mut vertical = |arm: Arm, rows_of: &dyn Fn(i32) -> Range<i32>, reach: i32, inner: i32| {
        let mut line = |place: Range<i32>, across: Arm| {
            // Beside a double line the lines of this one end at its nearer line, which makes the corner.
            let reach = if across == Double { inner } else { reach };
            mask.fill(place, rows_of(reach), 255);
        };
        match arm {
            Nothing => {}
            Thin | Thick => mask.fill(columns.of_arm(arm).clone(), rows_of(reach), 255),
            Double => {
                line(columns.double.start..columns.thin.start, left);
                line(columns.thin.end..columns.double.end, right);
            }
        }
    };
    let sides = [left, right];
    vertical(up, &|reach| 0..reach, rows.reach(up, down, sides), rows.thin.start);
    vertical(down, &|reach| reach..rows.end, rows.reach_back(down, up, sides), rows.thin.end);

    let mut horizontal = |arm: Arm, columns_of: &dyn Fn(i32) -> Range<i32>, reach: i32, inner: i32| {
        let mut line = |place: Range<i32>, across: Arm| {
            let reach = if across == Double { inner } else { reach };
            mask.fill(columns_of(reach), place, 255);
        };
        match arm {
            Nothing => {}
            Thin | Thick => mask.fill(columns_of(reach), rows.of_arm(arm).clone(), 255),
            Double => {
                line(rows.double.start..rows.thin.start, up);
                line(rows.thin.end..rows.double.end, down);
            }
        }
    };
    let ends = [up, down];
    horizontal(left, &|reach| 0..reach, columns.reach(left, right, ends), columns.thin.start);
    horizontal(right, &|reach| reach..columns.end, columns.reach_back(right, left, ends), columns.thin.end);
}

fn dashes(code: u32, metrics: &Metrics, mask: &mut Mask) {
    let count = match code {
        0x04..=0x07 => 3,
        0x08..=0x0b => 4,
        _ => 2,
    };
    let arm = if code.is_multiple_of(2) { Thin } else { Thick };
    let upright = code % 4 >= 2;
    let length = if upright { metrics.height } else { metrics.width };
    // Half a gap at either end, so that the pattern goes on in the next cell.
    let gap = (length / (count * 3)).max(1);
    for dash in 0..count {
        let along = dash * length / count + gap / 2..(dash + 1) * length / count - (gap + 1) / 2;
        if upright {
            mask.fill(Track::of(metrics.width, metrics.stroke).of_arm(arm).clone(), along, 255);
        } else {
            mask.fill(along, Track::of(metrics.height, metrics.stroke).of_arm(arm).clone(), 255);
        }
    }
}

/// A quarter of a circle in the middle, and straight lines to the edges.
fn arc(code: u32, metrics: &Metrics, mask: &mut Mask) {
    /// Where the handles of a curve are that is nearly a circle, as a part of the radius.
    const HANDLE: f32 = 0.5523;
    let (down, right) = (matches!(code, 0x6d | 0x6e), matches!(code, 0x6d | 0x70));
    let (columns, rows) = (Track::of(metrics.width, metrics.stroke), Track::of(metrics.height, metrics.stroke));
    let half = metrics.stroke as f32 / 2.0;
    let (x, y) = (columns.thin.start as f32 + half, rows.thin.start as f32 + half);
    // A pixel less than there is room for, so that it has become straight where the next cell begins.
    let radius = if right { metrics.width as f32 - x } else { x } - 1.0;
    let (dx, dy) = (if right { radius } else { -radius }, if down { radius } else { -radius });
    let path = [
        Command::MoveTo(Vector::new(x, y + dy)),
        Command::CurveTo(
            Vector::new(x, y + dy * (1.0 - HANDLE)),
            Vector::new(x + dx * (1.0 - HANDLE), y),
            Vector::new(x + dx, y),
        ),
    ];
    mask.draw(&path, Stroke::new(metrics.stroke as f32).cap(Cap::Butt).into());
    let (bend_x, bend_y) = ((x + dx) as i32, (y + dy) as i32);
    mask.fill(if right { bend_x..columns.end } else { 0..bend_x }, rows.thin, 255);
    mask.fill(columns.thin, if down { bend_y..rows.end } else { 0..bend_y }, 255);
}

fn diagonals(code: u32, metrics: &Metrics, mask: &mut Mask) {
    let (width, height) = (metrics.width as f32, metrics.height as f32);
    let mut line = |from: Vector, to: Vector| {
        // Longer than the cell, because the corner of a thick line belongs to four cells.
        let (dx, dy) = ((to.x - from.x) / 4.0, (to.y - from.y) / 4.0);
        let path = [
            Command::MoveTo(Vector::new(from.x - dx, from.y - dy)),
            Command::LineTo(Vector::new(to.x + dx, to.y + dy)),
        ];
        mask.draw(&path, (&*Stroke::new(metrics.stroke as f32 * 1.2).cap(Cap::Butt)).into());
    };
    if code != 0x72 {
        line(Vector::new(width, 0.0), Vector::new(0.0, height));
    }
    if code != 0x71 {
        line(Vector::new(0.0, 0.0), Vector::new(width, height));
    }
}
