from stamina_video.evaluation.running.counter import Read
from stamina_video.evaluation.running.ledgered import LedgerCounting
from stamina_video.ledger import Commit, Ledger
from stamina_video.semantics import Target


def counting() -> LedgerCounting:
    """Two mugs stand there from the first frame on, a third comes at five seconds and one leaves at six."""
    ledger = Ledger.open(":memory:")
    for number, (observation, time, kind, delta) in enumerate(
        [
            (0, 0.0, "entry", 1), (0, 0.0, "entry", 1), (0, 0.0, "identity", 1), (0, 0.0, "identity", 1),
            (5, 5.0, "entry", 1), (5, 5.0, "identity", 1), (6, 6.0, "exit", -1),
        ]
    ):  # fmt: skip
        ledger.append(Commit("table", "mugs", kind, delta, observation, time, f"e{number}"))
    return LedgerCounting("table", ledger)


def test_what_a_video_opens_with_enters_a_window_that_began_before_it() -> None:
    mugs = counting()
    assert mugs.read(Target("mugs", "O1-Delta"), 3.0, since=-1.0) == Read(2, 0, 2)
    assert mugs.read(Target("mugs", "O2-Gain"), 3.0, since=-1.0) == Read(2, 0)
    assert mugs.read(Target("mugs", "O1-Delta"), 7.0, since=-0.5) == Read(2, 0, 3)


def test_what_stood_there_when_a_window_began_did_not_enter_it() -> None:
    mugs = counting()
    assert mugs.read(Target("mugs", "O1-Delta"), 7.0, since=0.0) == Read(2, 2, 1)
    assert mugs.read(Target("mugs", "O2-Gain"), 7.0, since=0.0) == Read(3, 2)
    assert mugs.read(Target("mugs", "O1-Snap"), 7.0, since=None) == Read(2)
