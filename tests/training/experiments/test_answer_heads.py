import torch

from stamina_video.semantics import Operator
from stamina_video.training.experiments.answer_heads import LARGEST, Asked, answers, questions, taught
from stamina_video.training.experiments.event_heads import Optimisation
from tests.training.experiments.making import a_track


def asked_about_size(number: int) -> Asked:
    """The answer is how bright the latest look is."""
    asked = Asked()
    for seed in range(number):
        means_TV = torch.randn(4, 6, generator=torch.Generator().manual_seed(seed))
        count = seed % 4
        means_TV[-1, 0] = float(count)
        asked.add(means_TV, torch.ones(5), Operator.O1_SNAP, 4, count)
    return asked


def test_an_answer_can_be_learned_from_the_latest_look() -> None:
    asked = asked_about_size(40)
    head = taught(asked, Optimisation(updates=150, warmup=0, rate=1e-2), seed=0)
    right = sum(map(int.__eq__, answers(head, asked), asked.counts().tolist()))
    assert right >= 36


def test_every_endpoint_is_a_question_and_nothing_later_is_seen() -> None:
    track = a_track(0)
    asked = questions([track])
    assert len(asked) == len(track.endpoints)
    looks_X2W, _, _ = asked.inputs()
    assert torch.allclose(looks_X2W[0, 6:], track.means_TV[:2].mean(0))


def test_counts_beyond_the_highest_answer_are_the_highest() -> None:
    asked = Asked()
    asked.add(torch.zeros(1, 6), torch.ones(5), Operator.O1_SNAP, 1, 999)
    assert asked.counts().tolist() == [LARGEST]
