"""Which names of colours mean nothing else: "sky blue" is one, "coffee" and "apple" may be things."""

COLOUR_WORDS = frozenset(
    [
        "aqua",
        "azure",
        "beige",
        "black",
        "blue",
        "bluish",
        "brown",
        "brownish",
        "burgundy",
        "crimson",
        "cyan",
        "gray",
        "green",
        "greenish",
        "grey",
        "greyish",
        "indigo",
        "khaki",
        "lavender",
        "lilac",
        "magenta",
        "maroon",
        "mauve",
        "navy",
        "ochre",
        "orange",
        "orangish",
        "pink",
        "pinkish",
        "purple",
        "purplish",
        "red",
        "reddish",
        "scarlet",
        "sepia",
        "tan",
        "taupe",
        "teal",
        "turquoise",
        "violet",
        "white",
        "yellow",
        "yellowish",
    ]
)


def is_colour(name: str) -> bool:
    """Whether a name that a survey of colours has is one wherever it stands."""
    return not COLOUR_WORDS.isdisjoint(name.split())
