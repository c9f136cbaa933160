import json
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from stamina_video.backbone.qwen.backbone import QwenBackbone
from stamina_video.backbone.qwen.questions import TURN
from stamina_video.evaluation.ovobench import read_decisions
from stamina_video.evaluation.prompts import Prompts
from stamina_video.runtime import Session
from stamina_video.semantics import InvalidInput
from tests.backbone.qwen.tiny import observation
from tests.evaluation import test_ovobench as ovo
from tests.evaluation import test_ovos as spatial
from tests.runtime.speaking import speaking_model
from tests.runtime.tiny import TARGETS


def test_every_task_has_its_prompt(tmp_path: Path) -> None:
    path = ovo.written(tmp_path, ovo.CHOICE, ovo.STEPS, ovo.REPEATS, ovo.CLUES)
    choice, step, _, repeats, clue = (Prompts().for_decision(one) for one in read_decisions(path))
    assert choice.startswith("What did I drop?\nA. a cup\nB. a spoon\n")
    assert "One of them is: cut" in step
    assert "jumping" in repeats
    assert "Where did she go?" in clue


def test_no_prompt_tells_the_truth(tmp_path: Path) -> None:
    decisions = read_decisions(ovo.written(tmp_path, ovo.REPEATS | {"activity": "hopping"}))
    assert "2" not in Prompts().for_decision(decisions[0])


def test_pictures_are_announced(tmp_path: Path) -> None:
    pictures = [
        ["A", f"data:image/png;base64,{spatial.PIXEL}"],
        ["B", f"data:image/png;base64,{spatial.PIXEL}"],
    ]
    (query,) = spatial.queries(tmp_path, spatial.item(options=pictures))
    prompt = Prompts().for_query(query)
    assert "A. (picture A)\nB. (picture B)" in prompt
    assert prompt.endswith("the options A, B, in this order.")
    assert spatial.PIXEL not in prompt


def test_the_benchmarks_own_words_can_be_given(tmp_path: Path) -> None:
    path = tmp_path / "words.json"
    path.write_text(json.dumps({"choice": "Q: {question} of {options}!"}))
    (decision,) = read_decisions(ovo.written(tmp_path, ovo.CHOICE))
    assert Prompts.read(path).for_decision(decision) == "Q: What did I drop? of A. a cup\nB. a spoon!"


def test_a_session_is_asked_in_the_prompts_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What reaches the language decoder is the benchmark's prompt as one turn, and nothing else."""
    decisions = read_decisions(ovo.written(tmp_path, ovo.CHOICE, ovo.STEPS, ovo.REPEATS, ovo.CLUES))
    prompts = [Prompts().for_decision(one) for one in decisions]
    prompts += [Prompts().for_query(one) for one in spatial.queries(tmp_path, spatial.item())]
    model, heard = speaking_model(), list[str]()
    backbone = model.backbone
    assert isinstance(backbone, QwenBackbone)
    tokenizer = backbone.tokenizer

    def listening(text: str, **options: Any) -> Any:
        heard.append(text)
        return tokenizer(text, **options)

    with Session(model, TARGETS) as session:
        session.observe(observation(0))
        monkeypatch.setattr(backbone, "tokenizer", Mock(tokenizer, side_effect=listening))
        for prompt in prompts:
            session.ask(prompt, at=9.0)
    assert heard == [TURN.format(prompt) for prompt in prompts]
    assert len(set(heard)) == len(prompts)


@pytest.mark.parametrize(
    ("document", "complaint"),
    [
        ([], "expected an object of templates, got list"),
        ({"chioce": "{question} {options}"}, "expected a template name .* got 'chioce'"),
        ({"choice": "{question}"}, "expected a template 'choice' with {options}, {question}"),
        ({"choice": "{question} {options} {"}, "expected a template 'choice'"),
        ({"choice": 3}, "expected a template 'choice'"),
    ],
)
def test_templates_that_do_not_fit_are_refused(tmp_path: Path, document: object, complaint: str) -> None:
    path = tmp_path / "words.json"
    path.write_text(json.dumps(document))
    with pytest.raises(InvalidInput, match=complaint):
        Prompts.read(path)
