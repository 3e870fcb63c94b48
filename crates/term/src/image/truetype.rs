//! Outlines from the bundled fonts. Only what those have is read: one character map (format 12), plain and composite
//! glyphs, no hinting. The usual crates for this are abandoned (`ttf-parser`, below `ab_glyph` and `fontdue`) or bring a
//! dozen others (`skrifa`), and the files are ours, so a page of reading is the cheaper dependency.

/// Composites of composites are rare and flat; a circle would never end.
const DEPTH: u8 = 4;

/// A font file. Places are in its units, 2048 to the em, upwards.
#[derive(Clone, Copy)]
pub(super) struct Face {
    glyf: Bytes,
    loca: Bytes,
    hmtx: Bytes,
    /// Groups of characters: first, last, first glyph.
    groups: Bytes,
    long_offsets: bool,
    advances: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Glyph(u16);

/// A corner, or a point that pulls the curve between its neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub x: f32,
    pub y: f32,
    pub corner: bool,
}

/// Closed; the last point leads to the first.
pub(super) type Contour = Vec<Point>;

impl Face {
    pub fn read(file: &'static [u8]) -> Option<Self> {
        let file = Bytes(file);
        let tables = usize::from(file.u16(4)?);
        let table = |name: &[u8; 4]| {
            let record = (0..tables).map(|table| 12 + 16 * table).find(|at| file.0.get(*at..at + 4) == Some(name))?;
            file.part(file.u32(record + 8)? as usize, file.u32(record + 12)? as usize)
        };
        let cmap = table(b"cmap")?;
        let map = cmap.from(cmap.u32(8)? as usize)?;
        (map.u16(0)? == 12).then_some(())?;
        Some(Self {
            glyf: table(b"glyf")?,
            loca: table(b"loca")?,
            hmtx: table(b"hmtx")?,
            groups: map.part(16, map.u32(12)? as usize * 12)?,
            long_offsets: table(b"head")?.u16(50)? == 1,
            advances: usize::from(table(b"hhea")?.u16(34)?),
        })
    }

    pub fn glyph(&self, c: char) -> Option<Glyph> {
        let code = u32::from(c);
        let (mut low, mut high) = (0, self.groups.0.len() / 12);
        while low < high {
            let middle = usize::midpoint(low, high);
            let (first, last) = (self.groups.u32(middle * 12)?, self.groups.u32(middle * 12 + 4)?);
            if code < first {
                high = middle;
            } else if code > last {
                low = middle + 1;
            } else {
                return Some(Glyph((self.groups.u32(middle * 12 + 8)? + (code - first)) as u16));
            }
        }
        None
    }

    pub fn advance(&self, glyph: Glyph) -> f32 {
        let entry = usize::from(glyph.0).min(self.advances.saturating_sub(1));
        self.hmtx.u16(entry * 4).map_or(0.0, f32::from)
    }

    pub fn outline(&self, glyph: Glyph) -> Vec<Contour> {
        let mut contours = Vec::new();
        // The fonts are whole (a test reads every glyph of them), so there is no half an outline to think about.
        self.add(glyph, DEPTH, &mut contours);
        contours
    }

    fn add(&self, glyph: Glyph, depth: u8, contours: &mut Vec<Contour>) -> Option<()> {
        let data = self.data(glyph)?;
        match data.i16(0) {
            Some(count @ 0..) => simple(data, count as usize, contours),
            Some(_) if depth > 0 => self.composite(data, depth, contours),
            _ => None,
        }
    }

    fn data(&self, glyph: Glyph) -> Option<Bytes> {
        let offset = |glyph: usize| {
            let offset =
                if self.long_offsets { self.loca.u32(glyph * 4)? } else { u32::from(self.loca.u16(glyph * 2)?) * 2 };
            Some(offset as usize)
        };
        let (start, end) = (offset(usize::from(glyph.0))?, offset(usize::from(glyph.0) + 1)?);
        self.glyf.part(start, end.checked_sub(start)?)
    }

    fn composite(&self, data: Bytes, depth: u8, contours: &mut Vec<Contour>) -> Option<()> {
        const WORDS: u16 = 1;
        const OFFSETS: u16 = 1 << 1;
        const SCALE: u16 = 1 << 3;
        const MORE: u16 = 1 << 5;
        const TWO_SCALES: u16 = 1 << 6;
        const MATRIX: u16 = 1 << 7;

        let mut at = 10;
        loop {
            let (flags, part) = (data.u16(at)?, Glyph(data.u16(at + 2)?));
            at += 4;
            // Points that are laid on each other, the alternative to offsets, are not in our fonts.
            (flags & OFFSETS != 0).then_some(())?;
            let (dx, dy) = if flags & WORDS != 0 {
                (data.i16(at)?, data.i16(at + 2)?)
            } else {
                (i16::from(data.u8(at)?.cast_signed()), i16::from(data.u8(at + 1)?.cast_signed()))
            };
            at += if flags & WORDS != 0 { 4 } else { 2 };
            let fraction = |at: usize| data.i16(at).map(|value| f32::from(value) / 16384.0);
            let (xx, xy, yx, yy, length) = if flags & SCALE != 0 {
                (fraction(at)?, 0.0, 0.0, fraction(at)?, 2)
            } else if flags & TWO_SCALES != 0 {
                (fraction(at)?, 0.0, 0.0, fraction(at + 2)?, 4)
            } else if flags & MATRIX != 0 {
                (fraction(at)?, fraction(at + 2)?, fraction(at + 4)?, fraction(at + 6)?, 8)
            } else {
                (1.0, 0.0, 0.0, 1.0, 0)
            };
            at += length;
            let known = contours.len();
            self.add(part, depth - 1, contours);
            for point in contours[known..].iter_mut().flatten() {
                let (x, y) = (point.x, point.y);
                point.x = x * xx + y * yx + f32::from(dx);
                point.y = x * xy + y * yy + f32::from(dy);
            }
            if flags & MORE == 0 {
                return Some(());
            }
        }
    }
}

fn simple(data: Bytes, count: usize, contours: &mut Vec<Contour>) -> Option<()> {
    const CORNER: u8 = 1;
    const SHORT_X: u8 = 1 << 1;
    const SHORT_Y: u8 = 1 << 2;
    const REPEAT: u8 = 1 << 3;
    const SAME_X: u8 = 1 << 4;
    const SAME_Y: u8 = 1 << 5;

    let ends: Vec<usize> =
        (0..count).map(|contour| Some(usize::from(data.u16(10 + contour * 2)?) + 1)).collect::<Option<_>>()?;
    let points = ends.last().copied().unwrap_or_default();
    let mut at = 10 + count * 2;
    at += 2 + usize::from(data.u16(at)?);
    let mut flags = Vec::with_capacity(points);
    while flags.len() < points {
        let flag = data.u8(at)?;
        let times = if flag & REPEAT != 0 { data.u8(at + 1)? } else { 0 };
        at += if flag & REPEAT != 0 { 2 } else { 1 };
        flags.extend((0..=times).map(|_| flag));
    }
    let mut places = |short: u8, same: u8| {
        let mut value = 0;
        flags
            .iter()
            .map(|flag| {
                if flag & short != 0 {
                    let step = i32::from(data.u8(at)?);
                    at += 1;
                    value += if flag & same != 0 { step } else { -step };
                } else if flag & same == 0 {
                    value += i32::from(data.i16(at)?);
                    at += 2;
                }
                Some(value as f32)
            })
            .collect::<Option<Vec<_>>>()
    };
    let (xs, ys) = (places(SHORT_X, SAME_X)?, places(SHORT_Y, SAME_Y)?);
    let mut start = 0;
    for end in ends {
        contours.push((start..end).map(|i| Point { x: xs[i], y: ys[i], corner: flags[i] & CORNER != 0 }).collect());
        start = end;
    }
    Some(())
}

/// Numbers are big-endian.
#[derive(Clone, Copy)]
struct Bytes(&'static [u8]);

impl Bytes {
    fn part(self, at: usize, length: usize) -> Option<Self> {
        self.0.get(at..at.checked_add(length)?).map(Self)
    }

    fn from(self, at: usize) -> Option<Self> {
        self.0.get(at..).map(Self)
    }

    fn u8(self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    fn u16(self, at: usize) -> Option<u16> {
        self.part(at, 2)?.0.try_into().ok().map(u16::from_be_bytes)
    }

    fn i16(self, at: usize) -> Option<i16> {
        self.u16(at).map(u16::cast_signed)
    }

    fn u32(self, at: usize) -> Option<u32> {
        self.part(at, 4)?.0.try_into().ok().map(u32::from_be_bytes)
    }
}
