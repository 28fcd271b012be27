//! Tests of both dispatchers on made-up work.

use super::*;
use cosette::search::distributed::Part;
use std::collections::BTreeSet;

const MILLISECOND: Duration = Duration::from_millis(1);

fn tasks(numbers: impl IntoIterator<Item = u16>) -> Part {
    Part { tasks: numbers.into_iter().collect(), nodes: Vec::new() }
}

/// A dispatcher of these ranks at the beginning of an iteration of this many equal tasks.
fn dispatcher(threads: &[usize], tasks: u64, expected: Option<Duration>) -> Dispatcher<()> {
    let mut dispatcher = Dispatcher::new(threads, LeaseSizes::default());
    dispatcher.begin((0..=tasks).map(|task| 1000 * task).collect(), VecDeque::new(), expected);
    dispatcher
}

fn searched(action: &Action<()>) -> &[usize] {
    let Command::Search(places) = &action.command else { panic!("{action:?}") };
    places
}

#[test]
fn a_short_iteration_is_dealt_out_whole() {
    let mut dispatcher = dispatcher(&[1, 3], 10, Some(100 * MILLISECOND));
    let leases: Vec<_> = std::iter::from_fn(|| dispatcher.next_lease(Duration::ZERO)).collect();
    assert_eq!(leases.iter().map(|lease| lease.rank).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(searched(&leases[0]), [0, 4, 8]);
    assert_eq!(searched(&leases[1]), [1, 2, 3, 5, 6, 7, 9]);
    assert!(!dispatcher.is_over());
    for Action { lease, .. } in leases {
        dispatcher.done(MILLISECOND, lease, MILLISECOND, true);
    }
    assert!(dispatcher.is_over());
}

#[test]
fn a_very_short_iteration_is_for_the_first_ranks() {
    let mut dispatcher = dispatcher(&[2, 2, 2], 600, Some(Duration::from_micros(250)));
    let ranks: Vec<_> = std::iter::from_fn(|| dispatcher.next_lease(Duration::ZERO)).map(|lease| lease.rank).collect();
    assert_eq!(ranks, [0, 1]);
}

#[test]
fn every_task_of_a_long_iteration_is_leased_once() {
    for expected in [None, Some(60_000 * MILLISECOND)] {
        let mut dispatcher = dispatcher(&[2, 5, 1], 40_000, expected);
        let (mut seen, mut now, mut leases) = (BTreeSet::new(), Duration::ZERO, VecDeque::new());
        loop {
            while let Some(lease) = dispatcher.next_lease(now) {
                assert!(searched(&lease).iter().all(|&task| seen.insert(task)));
                leases.push_back((lease.lease, searched(&lease).len() as u32));
            }
            let Some((lease, tasks)) = leases.pop_front() else { break };
            now += MILLISECOND;
            dispatcher.done(now, lease, tasks * MILLISECOND, true);
        }
        assert!(dispatcher.is_over());
        assert!(seen.into_iter().eq(0..40_000));
    }
}

#[test]
fn what_was_never_leased_is_left() {
    let mut dispatcher = dispatcher(&[2, 2], 10, Some(100 * MILLISECOND));
    let lease = dispatcher.next_lease(Duration::ZERO).unwrap();
    dispatcher.stop();
    assert!(dispatcher.next_lease(Duration::ZERO).is_none());
    dispatcher.done(MILLISECOND, lease.lease, MILLISECOND, false);
    assert!(dispatcher.is_over());
    assert_eq!(dispatcher.take_rest().0, [2, 3, 6, 7]);
}

#[test]
fn a_rank_without_a_free_thread_gets_no_lease() {
    let mut dispatcher = dispatcher(&[1, 1], 100, Some(100 * MILLISECOND));
    let (beside, thread) = dispatcher.reserve(0).unwrap();
    assert_eq!((thread, dispatcher.reserve(0)), (0, None));
    let ranks: Vec<_> = std::iter::from_fn(|| dispatcher.next_lease(Duration::ZERO)).map(|lease| lease.rank).collect();
    assert_eq!(ranks, [1], "the second rank gets everything");
    dispatcher.done(MILLISECOND, beside, MILLISECOND, true);
    let late = 100 * MILLISECOND;
    assert!(matches!(dispatcher.requests(late)[..], [Action { rank: 1, command: Command::Share, .. }]));
}

#[test]
fn positions_are_solved_by_threads_that_are_free() {
    let mut dispatcher: Dispatcher<()> = Dispatcher::new(&[2, 1], LeaseSizes::default());
    dispatcher.add_positions(0..4);
    let leases: Vec<_> = std::iter::from_fn(|| dispatcher.next_lease(Duration::ZERO)).collect();
    let threads = leases.iter().map(|lease| match &lease.command {
        Command::Solve { thread, positions } => (lease.rank, *thread, positions.clone()),
        command => panic!("{command:?}"),
    });
    assert!(threads.eq([(0, 0, vec![0]), (1, 0, vec![1]), (0, 1, vec![2])]));
    assert_eq!(dispatcher.positions_returned(3 * MILLISECOND, leases[0].lease, Vec::new()), 3 * MILLISECOND);
    assert!(dispatcher.next_lease(Duration::ZERO).is_some());
    assert!(!dispatcher.positions_are_done());
}

#[test]
fn positions_that_are_returned_after_a_stop_are_not_leased_again() {
    let mut dispatcher: Dispatcher<()> = Dispatcher::new(&[1, 1], LeaseSizes::default());
    dispatcher.add_positions(0..64);
    let leases: Vec<_> = std::iter::from_fn(|| dispatcher.next_lease(Duration::ZERO)).collect();
    assert_eq!(dispatcher.stop_positions().len(), 2);
    for Action { lease, command, .. } in leases {
        let Command::Solve { positions, .. } = command else { panic!("{command:?}") };
        assert!(!dispatcher.positions_are_done());
        dispatcher.positions_returned(MILLISECOND, lease, positions[1..].to_vec());
    }
    assert!(dispatcher.positions_are_done());
}

#[test]
fn a_lease_is_divided_among_threads() {
    let mut threads = ThreadDispatcher::new(3);
    threads.reserve(1);
    threads.add(7, tasks(0..5));
    let (first, lease, piece) = threads.next_piece(Duration::ZERO).unwrap();
    assert_eq!((first, lease, piece), (0, 7, tasks([0, 2, 4])));
    let (second, _, piece) = threads.next_piece(Duration::ZERO).unwrap();
    assert_eq!((second, piece), (2, tasks([1, 3])));
    threads.release(1);
    assert!(threads.next_piece(Duration::ZERO).is_none());
    // The idle thread gets half of the piece that is searched longest, but not at once.
    assert!(threads.requests(MILLISECOND / 4).is_empty());
    assert_eq!(threads.requests(10 * MILLISECOND), [0]);
    assert!(threads.requests(10 * MILLISECOND).is_empty());
    assert!(threads.shared(10 * MILLISECOND, 0, Some(tasks([4]))).is_none());
    assert_eq!(threads.next_piece(10 * MILLISECOND).unwrap(), (1, 7, tasks([4])));
    for thread in [0, 2] {
        assert!(!threads.done(thread).has_ended);
    }
    assert!(threads.done(1).has_ended);
}

#[test]
fn another_rank_gets_half_of_a_lease() {
    let mut threads = ThreadDispatcher::new(4);
    threads.add(1, tasks(0..8));
    threads.add(2, tasks(8..16));
    while threads.next_piece(Duration::ZERO).is_some() {}
    let Sharing::Given(Some(given)) = threads.share(2) else { panic!() };
    assert_eq!(given, tasks([11, 15, 10, 14]));
    let Sharing::Asked(asked) = threads.share(1) else { panic!() };
    assert_eq!(asked, [0, 1, 2, 3]);
    assert!(matches!(threads.share(1), Sharing::Ended), "once at a time");
    assert!(threads.shared(MILLISECOND, 1, Some(tasks([5]))).is_none());
    assert!(threads.shared(MILLISECOND, 2, None).is_none());
    assert!(threads.shared(MILLISECOND, 3, Some(tasks([7]))).is_none());
    // A thread that ends before it has shared has nothing to share.
    let Progress { lease, given, has_ended } = threads.done(0);
    assert_eq!((lease, given, has_ended), (1, Some((1, Some(tasks([5, 7])))), false));
    assert!(matches!(threads.share(3), Sharing::Ended), "there is no such lease");
}

#[test]
fn the_only_piece_of_a_lease_is_halved() {
    let mut threads = ThreadDispatcher::new(1);
    threads.add(1, tasks(0..1));
    threads.add(2, tasks(1..5));
    assert!(threads.next_piece(Duration::ZERO).is_some());
    let Sharing::Given(given) = threads.share(2) else { panic!() };
    assert_eq!(given, Some(tasks([2, 4])));
    threads.done(0);
    assert_eq!(threads.next_piece(Duration::ZERO).unwrap(), (0, 2, tasks([1, 3])));
}

#[test]
fn what_is_dealt_to_a_rank_without_a_free_thread_goes_to_another() {
    let mut dispatcher = dispatcher(&[1, 2], 9, Some(100 * MILLISECOND));
    let (beside, _) = dispatcher.reserve(0).unwrap();
    let lease = dispatcher.next_lease(Duration::ZERO).unwrap();
    assert_eq!((lease.rank, searched(&lease).len()), (1, 9), "dealt to free threads only");
    assert!(dispatcher.next_lease(Duration::ZERO).is_none());
    assert!(!dispatcher.is_running_out());
    dispatcher.done(MILLISECOND, beside, MILLISECOND, true);
    assert!(dispatcher.is_running_out());
}

#[test]
fn what_is_not_begun_of_a_stopped_lease_is_left() {
    let mut threads = ThreadDispatcher::new(2);
    threads.add(1, tasks(0..2));
    threads.add(2, tasks(2..4));
    while threads.next_piece(Duration::ZERO).is_some() {}
    assert_eq!(threads.stop(2), (Some(tasks([3, 2])), Vec::new(), true));
    assert_eq!(threads.stop(1), (None, vec![0, 1], false));
    assert_eq!(threads.stop(3), (None, Vec::new(), false));
    assert!(!threads.done(1).has_ended);
    assert!(threads.done(0).has_ended);
}
