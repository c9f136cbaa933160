from stamina_video.evaluation.pages.album import Album
from stamina_video.evaluation.pages.questions import shown_videos
from stamina_video.evaluation.pages.stories import stories
from tests.evaluation.pages.made_up import questions, run


def test_what_went_worst_comes_first() -> None:
    told = stories([run(questions(24, videos=4), "mine", 0.5)])
    videos = shown_videos(told, Album(None))
    means = [float(video.score) for video in videos]
    assert means == sorted(means)
    assert sum(len(video.questions) for video in videos) == 24
    for video in videos:
        scores = [question.story.tellings[0].scores["gpa"] for question in video.questions]
        assert scores == sorted(scores)
        assert video.wrong == sum(score < 1 for score in scores)
        assert {question.story.video for question in video.questions} == {video.name}


def test_every_seed_is_drawn() -> None:
    told = stories([run(questions(1), "mine", 0.0, seeds=3)])
    ((video,),) = [shown_videos(told, Album(None))]
    assert video.questions[0].drawing.count('class="a"') == 3
