//! Lines and blocks: they meet without a gap, in cells of every size.

use super::{HEIGHT, WIDTH, all_metrics, image, theme};
use crate::image::mask::Mask;
use crate::image::metrics::Metrics;
use crate::image::{blocks, box_drawing};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Top,
    Right,
    Bottom,
    Left,
}

use Side::{Bottom, Left, Right, Top};

/// What of the edge of a cell is taken.
fn edge(mask: &Mask, side: Side) -> Vec<u8> {
    let at = |x: usize, y: usize| mask.coverage[y * mask.width + x];
    match side {
        Top => (0..mask.width).map(|x| at(x, 0)).collect(),
        Bottom => (0..mask.width).map(|x| at(x, mask.height - 1)).collect(),
        Left => (0..mask.height).map(|y| at(0, y)).collect(),
        Right => (0..mask.height).map(|y| at(mask.width - 1, y)).collect(),
    }
}

fn line(c: char, metrics: &Metrics) -> Mask {
    box_drawing::draw(c, metrics).expect("a box drawing character")
}

fn block(c: char, metrics: &Metrics) -> Mask {
    blocks::draw(c, metrics).expect("a block")
}

#[test]
fn neighbours_meet() {
    let pixels = image("──┼╌\r\n━━\r\n══");
    for x in 0..3 * WIDTH {
        assert_eq!(pixels.at(x, 9), theme().foreground, "thin at {x}");
    }
    for x in 0..2 * WIDTH {
        for (y, kind) in [(28, "thick"), (29, "thick"), (30, "thick"), (48, "double"), (50, "double")] {
            assert_eq!(pixels.at(x, y), theme().foreground, "{kind} at {x}");
        }
        assert_eq!(pixels.at(x, 49), theme().background, "between the lines at {x}");
    }
    let pixels = image("│\r\n│\r\n╰");
    assert!((0..2 * HEIGHT + 5).all(|y| pixels.at(4, y) == theme().foreground));
}

/// Every character of lines ends at an edge as `─━═` or `│┃║` do, or not at all.
#[test]
fn lines_end_alike() {
    for metrics in all_metrics() {
        let ends = |side: Side, patterns: &str| -> Vec<Vec<u8>> {
            patterns.chars().map(|c| edge(&line(c, &metrics), side)).collect()
        };
        let known = [Top, Right, Bottom, Left]
            .map(|side| (side, ends(side, if matches!(side, Top | Bottom) { "│┃║ " } else { "─━═ " }.trim_end())));
        let dashed = |c| matches!(c, '┄'..='┋' | '╌'..='╏' | '╱'..='╳');
        for c in ('─'..='╿').filter(|c| !dashed(*c)) {
            for (side, known) in &known {
                let end = edge(&line(c, &metrics), *side);
                let nothing = end.iter().all(|part| *part == 0);
                assert!(nothing || known.contains(&end), "{c} at {side:?} of {metrics:?}: {end:?}");
            }
        }
    }
}

#[test]
fn corners_have_two_ends() {
    for metrics in all_metrics() {
        for (corners, sides) in
            [("┌┏╔╭", [Right, Bottom]), ("┐┓╗╮", [Left, Bottom]), ("└┗╚╰", [Top, Right]), ("┘┛╝╯", [Top, Left])]
        {
            for c in corners.chars() {
                for side in [Top, Right, Bottom, Left] {
                    let ends = edge(&line(c, &metrics), side).iter().any(|part| *part > 0);
                    assert_eq!(ends, sides.contains(&side), "{c} at {side:?} of {metrics:?}");
                }
                // The outermost row and column meet in full ink, unless the corner is round.
                let mask = line(c, &metrics);
                let inked = |x: usize, y: usize| mask.coverage[y * mask.width + x] > 0;
                let mut columns = (0..mask.width).filter(|x| (0..mask.height).any(|y| inked(*x, y)));
                let mut rows = (0..mask.height).filter(|y| (0..mask.width).any(|x| inked(x, *y)));
                let x = if sides.contains(&Right) { columns.next() } else { columns.next_back() };
                let y = if sides.contains(&Bottom) { rows.next() } else { rows.next_back() };
                let outermost = mask.coverage[y.expect("a row") * mask.width + x.expect("a column")];
                assert_eq!(outermost == 255, !('╭'..='╰').contains(&c), "the corner of {c} of {metrics:?}");
            }
        }
    }
}

/// From one end to the other there is a way over what is drawn.
#[test]
fn lines_are_whole() {
    for metrics in all_metrics() {
        for c in "─━│┃═║┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬╭╮╯╰╒╕╘╛╞╡╪╫╟╢╱╲╳╼╽".chars()
        {
            let mask = line(c, &metrics);
            let inked = |at: &usize| mask.coverage[*at] > 60;
            let mut reached: Vec<usize> = (0..mask.coverage.len()).find(inked).into_iter().collect();
            let mut seen = vec![false; mask.coverage.len()];
            let mut parts = 0;
            while let Some(start) = reached.pop() {
                parts += 1;
                let mut front = vec![start];
                while let Some(at) = front.pop() {
                    if !std::mem::replace(&mut seen[at], true) {
                        let (x, y) = (at % mask.width, at / mask.width);
                        let near = (y.saturating_sub(1)..=(y + 1).min(mask.height - 1))
                            .flat_map(|y| (x.saturating_sub(1)..=(x + 1).min(mask.width - 1)).map(move |x| (x, y)));
                        front.extend(near.map(|(x, y)| y * mask.width + x).filter(inked));
                    }
                }
                reached.extend((0..mask.coverage.len()).find(|at| inked(at) && !seen[*at]));
            }
            let expected = match c {
                '╬' => 4,
                '╠' | '╣' | '╦' | '╩' => 3,
                '═' | '║' | '╔' | '╗' | '╚' | '╝' | '╟' | '╢' => 2,
                _ => 1,
            };
            assert_eq!(parts, expected, "{c} of {metrics:?}");
        }
    }
}

#[test]
fn a_full_block_fills_its_cell() {
    let pixels = image(" █ ");
    assert!(pixels.is_plain(0, 1, theme().foreground));
    assert!(pixels.is_plain(0, 0, theme().background) && pixels.is_plain(0, 2, theme().background));
    assert!(pixels.is_plain(1, 1, theme().background));
}

/// Two that complement each other leave nothing free and take nothing twice.
#[test]
fn parts_of_blocks_fit_together() {
    for metrics in all_metrics() {
        for (a, b) in [('▀', '▄'), ('▌', '▐'), ('▖', '▜'), ('▗', '▛'), ('▘', '▟'), ('▝', '▙'), ('▚', '▞'), ('🬎', '🬭')]
        {
            let (a_mask, b_mask) = (block(a, &metrics), block(b, &metrics));
            let fits = a_mask.coverage.iter().zip(&b_mask.coverage).all(|(a, b)| a ^ b == 255);
            assert!(fits, "{a}{b} of {metrics:?}");
        }
        let ink = |c| block(c, &metrics).coverage.iter().map(|part| u32::from(*part)).sum::<u32>();
        for row in ["▁▂▃▄▅▆▇█", "▏▎▍▌▋▊▉█", "░▒▓█", "⠀⠁⠃⠇⡇⣇⣧⣷⣿"]
        {
            let inks: Vec<u32> = row.chars().map(ink).collect();
            let small = metrics.width < 8;
            let grows = inks.windows(2).all(|pair| pair[0] < pair[1] || small && pair[0] == pair[1]);
            assert!(grows, "{row} of {metrics:?}: {inks:?}");
        }
    }
}

#[test]
fn prompt_arrows_fill_their_side() {
    for metrics in all_metrics() {
        let whole = |c, side| edge(&block(c, &metrics), side).iter().all(|part| *part > 100);
        assert!(whole('\u{e0b0}', Left) && !whole('\u{e0b0}', Right), "{metrics:?}");
        assert!(whole('\u{e0b2}', Right) && !whole('\u{e0b2}', Left), "{metrics:?}");
    }
}
