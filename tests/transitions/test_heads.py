from dataclasses import replace

from stamina_video.transitions.config import HeadsConfig
from stamina_video.transitions.heads import Heads
from stamina_video.transitions.increments import IncrementHead
from stamina_video.transitions.scorer import EdgeScorer

SMALL = HeadsConfig(width=3, target_width=2, hidden=4, attention=4, queries=2)


def test_the_no_fsm_control_has_increments_in_place_of_edges() -> None:
    assert isinstance(Heads(SMALL).events, EdgeScorer)
    assert isinstance(Heads(replace(SMALL, fsm=False)).events, IncrementHead)


def test_phase_off_has_the_parameters_of_the_complete_model() -> None:
    complete, off = Heads(SMALL), Heads(replace(SMALL, phase_input=False))
    off.load_state_dict(complete.state_dict())


def test_branches_share_no_parameters() -> None:
    heads = Heads(SMALL)
    parameters = [parameter for child in heads.children() for parameter in child.parameters()]
    assert len({id(parameter) for parameter in parameters}) == len(parameters)
