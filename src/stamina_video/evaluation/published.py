"""The paper's reported rows, to stand beside measured ones. Published numbers; nothing is computed here."""

from dataclasses import dataclass

from stamina_video.semantics import Operator


@dataclass(frozen=True, slots=True)
class CountingRow:
    """A row of the SVCBench table in percent: GPA by operator, then GPA, MoC and UDA overall."""

    model: str
    access: str
    by_operator: tuple[float, ...]
    gpa: float
    moc: float
    uda: float


@dataclass(frozen=True, slots=True)
class TransferRow:
    """A row of the online-understanding tables in percent; None where the paper gives no figure."""

    model: str
    access: str
    ovobench: tuple[float, float, float]  # RT, BT, FA
    ovos: tuple[float, float, float, float]  # L1 to L4
    ovobench_average: float | None = None
    ovos_average: float | None = None


OPERATORS = tuple(Operator)

SVCBENCH = tuple(
    CountingRow(model, access, tuple(cells[:8]), cells[8], cells[9], cells[10])
    for model, access, *cells in (
        ("Human", "Human", 96.7, 100.0, 94.5, 100.0, 94.9, 98.3, 97.0, 93.2, 96.1, 100.0, 99.3),
        ("GPT-4-Turbo", "Text", 15.7, 19.4, 15.8, 50.0, 13.1, 23.6, 21.9, 0.0, 18.7, 95.7, 4.3),
        ("Gemini-3-Flash", "Full", 44.3, 41.0, 36.5, 55.3, 28.5, 49.8, 41.7, 3.9, 37.0, 73.7, 73.8),
        ("Doubao-Seed-1.8", "Full", 43.4, 53.3, 32.5, 69.2, 24.0, 38.2, 40.5, 0.8, 36.2, 77.2, 76.8),
        ("GPT-5.4", "Full", 26.6, 26.5, 30.9, 35.9, 24.2, 42.0, 37.5, 3.2, 29.1, 71.8, 59.3),
        ("Kimi-K2.5", "Full", 28.2, 18.4, 29.9, 24.4, 21.9, 33.5, 38.7, 0.4, 26.4, 66.8, 73.4),
        ("Qwen3-VL-8B", "Full", 21.1, 35.7, 34.2, 55.1, 22.5, 36.9, 35.6, 0.0, 31.0, 84.3, 55.1),
        ("Qwen3-VL-30B", "Full", 19.1, 23.5, 33.1, 26.9, 22.5, 33.6, 35.3, 2.5, 27.0, 84.6, 56.4),
        ("Qwen2.5-VL-7B", "Full", 29.7, 20.4, 23.8, 46.2, 9.5, 13.3, 11.0, 0.0, 19.1, 68.2, 40.8),
        ("InternVL-3.5-8B", "Full", 20.3, 6.1, 30.5, 37.2, 22.5, 20.0, 31.8, 1.0, 24.2, 81.6, 55.6),
        ("Molmo2-8B", "Full", 26.5, 1.0, 13.0, 3.8, 3.5, 2.7, 9.4, 0.4, 8.5, 66.2, 34.6),
        ("Qwen3.5-35B-A3B", "Full", 20.9, 28.8, 37.8, 53.8, 19.0, 27.7, 29.3, 0.8, 29.3, 82.4, 59.0),
        ("StaMina-4B", "Full", 45.8, 40.1, 45.4, 60.7, 36.4, 39.3, 41.2, 18.8, 41.9, 93.5, 82.9),
        ("StaMina-8B", "Full", 50.2, 40.8, 47.6, 65.9, 38.7, 40.0, 46.3, 24.2, 44.9, 93.3, 84.5),
        ("StreamingVLM", "Stream", 36.7, 6.1, 26.0, 14.1, 15.8, 13.8, 20.7, 0.4, 19.1, 68.1, 50.3),
        ("Dispider", "Stream", 11.4, 16.3, 3.3, 3.8, 11.8, 8.9, 7.6, 0.0, 7.7, 34.8, 15.5),
        ("LiveStar", "Stream", 24.1, 13.3, 20.9, 26.9, 16.1, 22.8, 23.7, 11.1, 19.9, 86.4, 36.8),
        ("Flash-VStream-7B", "Stream", 14.8, 45.9, 21.9, 56.4, 19.0, 11.9, 17.2, 0.0, 23.4, 78.5, 34.7),
        ("StaMina-4B", "Stream", 39.8, 33.6, 39.3, 56.0, 28.6, 32.6, 40.5, 15.2, 36.4, 100.0, 81.0),
        ("StaMina-8B", "Stream", 42.8, 38.1, 39.5, 57.3, 31.1, 33.8, 42.3, 17.4, 38.2, 100.0, 82.5),
    )
)

TRANSFER = (
    TransferRow("Qwen3-VL-4B", "Full", (57.32, 46.38, 48.75), (42.01, 49.01, 53.67, 43.05), 50.81, 46.93),
    TransferRow("Qwen3-VL-8B", "Full", (62.16, 50.56, 52.35), (42.48, 50.68, 55.20, 45.98), 55.02, 48.58),
    TransferRow("StaMina-4B", "Full", (56.11, 49.63, 49.23), (41.91, 54.67, 53.72, 43.96), 51.66, 48.57),
    TransferRow("StaMina-8B", "Full", (60.71, 52.97, 52.68), (42.68, 56.93, 54.91, 46.77), 55.46, 50.32),
    TransferRow(
        "StreamForest-7B", "Stream", (61.20, 52.02, 53.49), (46.64, 45.20, 49.75, 34.92), 55.57, 44.13
    ),
    TransferRow(
        "Flash-VStream-7B", "Stream", (29.86, 25.35, 44.23), (18.65, 29.93, 22.53, 28.67), 33.15, 24.94
    ),
    TransferRow("Qwen3-VL-4B", "Stream", (52.42, 41.66, 46.62), (37.55, 46.35, 47.87, 40.44)),
    TransferRow("Qwen3-VL-8B", "Stream", (57.76, 46.59, 49.38), (39.72, 48.29, 50.50, 42.96)),
    TransferRow("StaMina-4B", "Stream", (51.11, 45.15, 47.21), (37.59, 52.31, 48.15, 40.90), 47.82, 44.74),
    TransferRow("StaMina-8B", "Stream", (56.34, 49.92, 49.98), (39.80, 54.90, 50.53, 43.84), 52.08, 47.27),
)

READOUT = {  # GPA on SVCBench in Full and Stream access
    "complete": (44.9, 38.2),
    "no FSM": (38.2, 34.4),
    "clear": (6.1, 6.1),
    "swap": (12.7, 15.6),
    "delay": (16.1, 15.8),
}

ASSAY = (  # the fixed sensor on 25 periodic videos: exact answers in percent, and MAE where it is given
    ("direct", "80.0", "3.256"),
    ("ledger", "80.0", "3.248"),
    ("cleared", "0.0", "–"),
    ("delayed", "0.0", "–"),
    ("swapped", "31.2", "–"),
)

# Diagnostic tables, in the figures' own units: percentages, seconds, or counts.
EVENT_COLUMNS = ("gpa", "exact", "nll", "duplicates", "misses", "delay")
EVENTS = (  # phase input, endpoint objective, then the columns above
    ("Off", "Mean", 40.8, 40.1, 0.93, 2.8, 17.4, 1.11),
    ("On", "Mean", 46.3, 45.7, 0.94, 1.2, 16.6, 0.93),
    ("Off", "Path", 50.7, 49.9, 0.67, 1.8, 10.7, 1.15),
    ("On", "Path", 65.1, 64.4, 0.58, 1.1, 7.0, 0.89),
)

OBJECT_COLUMNS = ("soft_mae", "hard_mae", "soft_gain_mae", "hard_gain_mae")
OBJECTS = (  # identity loss, source stratum, then the columns above
    ("$\\lambda_i=0$", "Count only", 0.56, 0.89, 0.55, 0.68),
    ("$\\lambda_i=0$", "Identity verified", 0.56, 0.94, 0.56, 0.69),
    ("Complete", "Count only", 0.40, 0.69, 0.39, 0.50),
    ("Complete", "Identity verified", 0.23, 0.43, 0.25, 0.31),
)

IDENTITY_COLUMNS = ("new_precision", "new_recall", "reentry_double_counts", "unresolved", "acceptance_delay")
IDENTITIES = (  # identity loss, then the columns above
    ("$\\lambda_i=0$", 88.1, 87.9, 11.8, 18.3, 3.04),
    ("Complete", 96.3, 95.1, 3.7, 7.1, 1.08),
)
