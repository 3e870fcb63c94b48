//! The calls of one connection, in the order in which they came.
//!
//! A client may send its calls without waiting for answers. Those that touch the same terminal, the same file or the panes
//! take effect one after the other, and a list has what came before it; all others run at once. A call takes a ticket when it
//! is received, says what it touches as soon as it has been read, and waits until no earlier one that touches the same is
//! before its effect. It has taken effect when it says so (a command that was typed, a wait that has begun), and at the latest
//! when it ends.
//!
//! A command may stand in line behind one that runs for long. Looks go past it, and so does a signal. What is typed comes
//! after it, unless the program that runs asks for something: then it is the answer.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::TerminalId;
use parking_lot::Mutex;
use tokio::sync::watch;

/// How long a call waits for its turn that must not be held up, such as a signal: what is before it may be waiting for a
/// person, or for the very thing that it ends.
const URGENT: Duration = Duration::from_secs(1);

/// How often it is looked whether a program asks for what is to be typed, which nobody tells.
const LOOK: Duration = Duration::from_millis(50);

/// How a call comes to its turn.
#[derive(Clone, Copy)]
pub(crate) enum Pace<'a> {
    /// When everything before it has taken effect, or stands in line where it will stand too.
    InOrder,
    /// The same, but not for long.
    Urgent,
    /// It only looks: what stands in line is not waited for.
    Looks,
    /// It types: what stands in line comes first, unless this says that a program asks for input.
    Types(&'a (dyn Fn() -> bool + Send + Sync)),
}

/// What a call that has not taken effect waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// It is a command behind another one.
    Command,
    /// It comes after one that stands in line, and has no place there itself.
    Held,
}

/// What a call touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A terminal.
    Terminal(TerminalId),
    /// A terminal that is not known yet, and so may be any.
    AnyTerminal,
    /// A title by which a terminal is meant.
    Title(String),
    /// A title that a terminal is to have.
    Called(String),
    /// Which terminals there are.
    Terminals,
    /// A list of them.
    List,
    /// A file or a folder with what is in it, relative to the root, which is the empty path.
    Path(String),
    /// The panes: each of them takes its room from others.
    Panes,
}

impl Place {
    /// Whether what touches this place waits for an earlier call that touches the other.
    fn waits_for(&self, earlier: &Place) -> bool {
        match (self, earlier) {
            (Place::Path(a), Place::Path(b)) => is_in(a, b) || is_in(b, a),
            (Place::Title(a), Place::Called(b)) => a == b,
            (Place::AnyTerminal, Place::Terminal(_)) | (Place::Terminal(_), Place::AnyTerminal) => true,
            (Place::List, earlier) => *earlier == Place::Terminals,
            // Those that come and go do not wait for each other.
            (Place::Terminals | Place::Called(_), _) => false,
            _ => self == earlier,
        }
    }
}

/// Whether a path is this folder or in it.
fn is_in(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder);
    folder.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The calls of one connection that have not taken effect.
#[derive(Debug, Default)]
pub struct Order {
    open: Mutex<Open>,
    /// Grows when a call has been read or has taken effect.
    moved: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Open {
    last: u64,
    calls: BTreeMap<u64, Waiting>,
}

/// A call that has not taken effect.
#[derive(Debug, Default)]
struct Waiting {
    /// What it touches; `None` until that is known.
    touches: Option<Vec<Place>>,
    /// Whether a person is asked about it, who may take any time.
    asks: bool,
    /// The line that it stands in, if it does.
    line: Option<Line>,
}

impl Waiting {
    /// Whether a later call that touches these places has to wait for it. A list is not held up by a person's thinking: what
    /// they have not allowed yet is not there.
    fn holds_up(&self, places: &[Place], pace: Pace<'_>, asked: bool) -> bool {
        // What is not known yet may be anything; it will be in a moment.
        let Some(touched) = &self.touches else { return true };
        let goes_past = match (self.line, pace) {
            (Some(Line::Command), Pace::Types(_)) => asked,
            (Some(_), Pace::Looks) | (Some(Line::Command), _) => true,
            (None | Some(Line::Held), _) => false,
        };
        if goes_past {
            return false;
        }
        let passes = |own: &Place| self.asks && *own == Place::List;
        places.iter().any(|own| !passes(own) && touched.iter().any(|theirs| own.waits_for(theirs)))
    }
}

/// A place in the order, of a call that was received.
#[derive(Debug)]
pub struct Ticket {
    order: Arc<Order>,
    number: u64,
}

impl Order {
    /// A call is received. To be told of each in the order in which they came.
    pub fn ticket(self: &Arc<Self>) -> Ticket {
        let mut open = self.open.lock();
        open.last += 1;
        let number = open.last;
        open.calls.insert(number, Waiting::default());
        Ticket { order: Arc::clone(self), number }
    }

    fn moved(&self) {
        self.moved.send_modify(|moved| *moved += 1);
    }
}

impl Ticket {
    /// Says what the call touches, and waits until nothing before it has yet to touch the same.
    pub(crate) async fn turn(&self, places: Vec<Place>, pace: Pace<'_>) {
        let mut moved = self.order.moved.subscribe();
        self.change(|call| call.touches = Some(places.clone()));
        if places.is_empty() {
            return;
        }
        if matches!(pace, Pace::Urgent) {
            // It goes ahead after that.
            let _ = tokio::time::timeout(URGENT, self.come(&places, pace, &mut moved)).await;
        } else {
            self.come(&places, pace, &mut moved).await;
        }
        self.change(|call| call.line = None);
    }

    async fn come(&self, places: &[Place], pace: Pace<'_>, moved: &mut watch::Receiver<u64>) {
        // First what is about to take effect, then what may take any time.
        while self.is_behind(places, Pace::Looks, false) {
            if moved.changed().await.is_err() {
                return;
            }
        }
        let asked = || matches!(pace, Pace::Types(asked) if asked() && !self.is_behind(places, pace, true));
        if self.is_behind(places, pace, false) {
            self.change(|call| call.line = Some(Line::Held));
        }
        while self.is_behind(places, pace, false) && !asked() {
            let _ = match pace {
                Pace::Types(_) => tokio::time::timeout(LOOK, moved.changed()).await,
                _ => Ok(moved.changed().await),
            };
        }
    }

    fn is_behind(&self, places: &[Place], pace: Pace<'_>, asked: bool) -> bool {
        let open = self.order.open.lock();
        open.calls.range(..self.number).any(|(_, earlier)| earlier.holds_up(places, pace, asked))
    }

    fn change(&self, change: impl FnOnce(&mut Waiting)) {
        if let Some(call) = self.order.open.lock().calls.get_mut(&self.number) {
            change(call);
        }
        self.order.moved();
    }

    /// The call is a command that stands in line behind another one.
    pub(crate) fn stands_in_line(&self) {
        self.change(|call| call.line = Some(Line::Command));
    }

    /// A person is asked about the call until this is dropped.
    pub(crate) fn asks(&self) -> Asks<'_> {
        self.set_asks(true);
        Asks(self)
    }

    fn set_asks(&self, asks: bool) {
        self.change(|call| call.asks = asks);
    }

    /// The call has taken effect: what comes after it may go on.
    pub(crate) fn took_effect(&self) {
        let removed = self.order.open.lock().calls.remove(&self.number);
        if removed.is_some() {
            self.order.moved();
        }
    }
}

/// A call that waits for a person.
#[derive(Debug)]
pub(crate) struct Asks<'a>(&'a Ticket);

impl Drop for Asks<'_> {
    fn drop(&mut self) {
        self.0.set_asks(false);
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.took_effect();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn path(path: &str) -> Vec<Place> {
        vec![Place::Path(path.to_owned())]
    }

    #[tokio::test]
    async fn what_touches_the_same_waits_for_what_came_before() {
        let order = Arc::new(Order::default());
        let [first, second, third, other] = [(); 4].map(|()| order.ticket());
        // Read in another order than that in which they came.
        let terminal = || vec![Place::Terminal(TerminalId::new(1))];
        let mut turn = Box::pin(second.turn(terminal(), Pace::InOrder));
        assert!((&mut turn).now_or_never().is_none(), "it is not known what the first one touches");
        first.turn(terminal(), Pace::InOrder).now_or_never().expect("nothing is before it");
        assert!((&mut turn).now_or_never().is_none(), "the first one has not taken effect");
        let mut last = Box::pin(third.turn(terminal(), Pace::InOrder));
        assert!((&mut last).now_or_never().is_none());
        other.turn(path("a"), Pace::InOrder).now_or_never().expect("it touches something else");
        first.took_effect();
        turn.now_or_never().expect("its turn");
        assert!((&mut last).now_or_never().is_none(), "one after the other");
        drop(second);
        last.now_or_never().expect("its turn");
    }

    #[tokio::test]
    async fn a_folder_meets_what_is_in_it_and_nothing_beside_it() {
        for (a, b, meets) in
            [("a", "a", true), ("a/b", "a", true), ("", "a/b", true), ("ab", "a", false), ("a/b", "a/c", false)]
        {
            for (a, b) in [(a, b), (b, a)] {
                let order = Arc::new(Order::default());
                let [first, second] = [(); 2].map(|()| order.ticket());
                first.turn(path(a), Pace::InOrder).await;
                assert_eq!(second.turn(path(b), Pace::InOrder).now_or_never().is_none(), meets, "{a:?} and {b:?}");
            }
        }
    }

    #[tokio::test]
    async fn terminals_that_come_are_listed_and_named_by_what_follows() {
        let terminal = Place::Terminal(TerminalId::new(1));
        let (called, title) = (|name: &str| Place::Called(name.to_owned()), |name: &str| Place::Title(name.to_owned()));
        for (earlier, later, waits) in [
            (Place::Terminals, Place::List, true),
            (Place::Terminals, Place::Terminals, false),
            (Place::List, Place::List, false),
            (Place::List, Place::Terminals, false),
            (called("dev"), title("dev"), true),
            (called("dev"), title("web"), false),
            (called("dev"), called("dev"), false),
            (called("dev"), terminal.clone(), false),
            (title("dev"), title("dev"), true),
            (title("dev"), title("web"), false),
            (title("dev"), terminal.clone(), false),
            (Place::AnyTerminal, terminal.clone(), true),
            (terminal, Place::AnyTerminal, true),
        ] {
            let order = Arc::new(Order::default());
            let [first, second] = [(); 2].map(|()| order.ticket());
            first.turn(vec![earlier.clone()], Pace::InOrder).await;
            let held_up = second.turn(vec![later.clone()], Pace::InOrder).now_or_never().is_none();
            assert_eq!(held_up, waits, "{later:?} after {earlier:?}");
        }
    }

    #[tokio::test]
    async fn a_list_waits_for_what_ends_but_not_for_a_person() {
        let order = Arc::new(Order::default());
        let [coming, list] = [(); 2].map(|()| order.ticket());
        coming.turn(vec![Place::Terminals], Pace::InOrder).await;
        let mut turn = Box::pin(list.turn(vec![Place::List], Pace::InOrder));
        assert!((&mut turn).now_or_never().is_none());
        let asks = coming.asks();
        (&mut turn).now_or_never().expect("a person thinks");
        drop(asks);
        let mut again = Box::pin(order.ticket());
        assert!(
            again.as_mut().turn(vec![Place::List], Pace::InOrder).now_or_never().is_none(),
            "the person has answered"
        );
    }

    #[tokio::test]
    async fn what_is_typed_comes_after_commands_that_stand_in_line() {
        let order = Arc::new(Order::default());
        let [command, typed, after, look, urgent] = [(); 5].map(|()| order.ticket());
        let terminal = || vec![Place::Terminal(TerminalId::new(1))];
        command.turn(terminal(), Pace::InOrder).await;
        command.stands_in_line();
        let asks = std::sync::atomic::AtomicBool::new(false);
        let asked = || asks.load(std::sync::atomic::Ordering::Relaxed);
        let mut typing = Box::pin(typed.turn(terminal(), Pace::Types(&asked)));
        assert!((&mut typing).now_or_never().is_none(), "the command comes first");
        let mut next = Box::pin(after.turn(terminal(), Pace::InOrder));
        assert!((&mut next).now_or_never().is_none(), "what is typed comes before the next one");
        look.turn(terminal(), Pace::Looks).now_or_never().expect("a look waits for nothing that stands in line");
        urgent.turn(terminal(), Pace::Urgent).await;
        // The program that runs asks for something: what is typed is its answer.
        asks.store(true, std::sync::atomic::Ordering::Relaxed);
        (&mut typing).await;
        assert!((&mut next).now_or_never().is_none(), "it has its turn, and has not taken effect");
        drop(typing);
        drop(typed);
        next.now_or_never().expect("it stands in line behind the command, as it will in the shell");
    }

    #[tokio::test]
    async fn what_is_urgent_is_not_held_up_for_long() {
        let order = Arc::new(Order::default());
        let [first, second] = [(); 2].map(|()| order.ticket());
        first.turn(path("a"), Pace::InOrder).await;
        second.turn(path("a"), Pace::Urgent).await;
        assert!(order.open.lock().calls.contains_key(&first.number), "the first is still before its effect");
    }
}
