//! Sorting by several threads.

use cosette::Control;

/// Sorts with the threads of this pool. On cancellation the order is left as it happens to be.
pub(crate) fn sort<T: Ord + Send>(items: &mut [T], control: &Control<'_>) {
    if items.len() < 1 << 16 {
        items.sort_unstable();
    } else if !control.is_cancelled() {
        let middle = items.len() / 2;
        let (below, _, above) = items.select_nth_unstable(middle);
        rayon::join(|| sort(below, control), || sort(above, control));
    }
}
