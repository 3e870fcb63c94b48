//! Dividing a whole number into parts, exactly.

/// Divides `total` in proportion to the weights, so that each part has at least its minimum and the sum is exact. The
/// minima must fit into the total.
pub(super) fn distribute(total: u32, weights: &[u32], least: &[u32]) -> Vec<u32> {
    let mut parts = least.to_vec();
    let mut open: Vec<usize> = (0..weights.len()).collect();
    // Whoever would get less than its minimum gets that; the others share what is left, until nobody is below.
    loop {
        let fixed: u32 = (0..weights.len()).filter(|i| !open.contains(i)).map(|i| parts[i]).sum();
        let room = u64::from(total.saturating_sub(fixed));
        let sum: u64 = open.iter().map(|i| u64::from(weights[*i].max(1))).sum();
        let part = |i: usize| room * u64::from(weights[i].max(1)) / sum.max(1);
        let (below, fine): (Vec<usize>, Vec<usize>) = open.iter().partition(|i| part(**i) < u64::from(least[**i]));
        if below.is_empty() || fine.is_empty() {
            for i in &open {
                parts[*i] = (part(*i) as u32).max(least[*i]);
            }
            break;
        }
        open = fine;
    }
    settle(total, &mut parts, least);
    parts
}

/// Gives what rounding left to the first parts, or takes what is too much from the largest.
fn settle(total: u32, parts: &mut [u32], least: &[u32]) {
    let mut sum: u32 = parts.iter().sum();
    let count = parts.len();
    for i in (0..count).cycle().take(if count == 0 { 0 } else { total.saturating_sub(sum) as usize }) {
        parts[i] += 1;
    }
    sum = sum.max(parts.iter().sum());
    while sum > total {
        let Some(i) = (0..count).filter(|i| parts[*i] > least[*i]).max_by_key(|i| parts[*i]) else { break };
        parts[i] -= 1;
        sum -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::distribute;

    #[test]
    fn parts_are_exact_and_none_is_below_its_minimum() {
        type Case<'a> = (u32, &'a [u32], &'a [u32], &'a [u32]);
        let cases: [Case; 5] = [
            (10_000, &[1, 1, 1], &[1, 1, 1], &[3334, 3333, 3333]),
            (10_000, &[9999, 1], &[200, 200], &[9800, 200]),
            (100, &[50, 50], &[1, 80], &[20, 80]),
            (3, &[0, 0, 0], &[1, 1, 1], &[1, 1, 1]),
            (7, &[5], &[1], &[7]),
        ];
        for (total, weights, least, expected) in cases {
            assert_eq!(distribute(total, weights, least), expected, "{total} {weights:?} {least:?}");
        }
    }
}
