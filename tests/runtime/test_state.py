"""What a stream carries does not grow with it, identities aside."""

from stamina_video.runtime import StreamState, step
from tests.runtime.tiny import TARGETS, observation, tiny_model

MODEL = tiny_model()
CYCLE = 78  # observations after which the pictures repeat
CYCLES = 3


def size(state: StreamState) -> int:
    tensors = [*MODEL.backbone.pack(state.backbone).tensors.values()]
    tensors += [prototype for target in state.targets for prototype in target.slots.prototypes]
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)


def test_the_bytes_of_the_state_stay_the_same() -> None:
    state = StreamState.initial(MODEL, "table", TARGETS)
    largest = [0] * CYCLES
    for index in range(CYCLE * CYCLES):
        state, _ = step(MODEL, state, observation(index))
        largest[index // CYCLE] = max(largest[index // CYCLE], size(state))
    assert largest[-1] <= largest[1], "the first cycle fills window and slots"
    assert len(state.targets[0].visible) <= MODEL.heads.config.queries
