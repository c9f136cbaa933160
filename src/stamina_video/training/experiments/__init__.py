"""The paper's experiments on the simulated world: what they are trained on and how. Scores nothing."""
