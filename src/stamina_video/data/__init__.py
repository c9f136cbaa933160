"""Count trajectories and where they come from; `world` is the simulated source."""

__all__: list[str] = []
