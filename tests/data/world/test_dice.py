from stamina_video.data.world.dice import Dice


def test_a_seed_means_the_same_everywhere() -> None:
    dice = Dice(7, 1)
    drawn = [dice.between(0, 1), dice.whole(0, 1000), dice.chance(0.5), dice.pick("abcdef")]
    assert drawn == [0.3037109375, 687, True, "c"]


def test_other_seeds_draw_differently() -> None:
    streams = [Dice(7), Dice(8), Dice(7, 0), Dice(7, 3)]
    assert len({tuple(dice.whole(0, 10**6) for _ in range(4)) for dice in streams}) == len(streams)


def test_draws_keep_their_bounds() -> None:
    dice = Dice(1)
    assert {dice.whole(2, 4) for _ in range(200)} == {2, 3, 4}
    assert all(-1 <= dice.between(-1, 2) <= 2 for _ in range(200))
    assert sorted(dice.shuffled(range(10))) == list(range(10))
