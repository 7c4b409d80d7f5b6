# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks by name."""
from .attention import Attention
from .bert import Bert
from .decode import LlamaDecode
from .densenet import DenseNet
from .diffusion import DiffusionUNet
from .gpt2 import Gpt2
from .images import wrapped
from .linalg import LinalgModule
from .llama import Llama
from .mobilenet import MobileNet
from .optimizers import AdamW
from .orders import Convolutions, Heads
from .quantized import BertInt8, ResNet50Int8
from .resnet import ResNet50
from .stablehlo import StablehloModule
from .streams import Cluster, LayerNorm, Softmax
from .synthetic import Chain, Dense, Scaling
from .tosa import Module
from .unet import UNet
from .vit import ViT

NETWORKS = {
    "bert-base": Bert,
    "resnet50": ResNet50,
    "bert-base-int8": BertInt8,
    "resnet50-int8": ResNet50Int8,
    "resnet50-wrapped-nchw": wrapped(ResNet50, "nchw"),
    "resnet50-wrapped-nhwc": wrapped(ResNet50, "nhwc"),
    "sd-unet": DiffusionUNet,
    "unet": UNet,
    "unet-wrapped-nchw": wrapped(UNet, "nchw"),
    "unet-wrapped-nhwc": wrapped(UNet, "nhwc"),
    "mobilenet": MobileNet,
    "densenet": DenseNet,
    "gpt2-small": Gpt2,
    "llama-block": Llama,
    "llama-decode": LlamaDecode,
    "vit-base": ViT,
    "sdpa": Attention,
    "heads": Heads,
    "convolutions": Convolutions,
    "stream-cluster": Cluster,
    "stream-softmax": Softmax,
    "stream-layernorm": LayerNorm,
    "adamw": AdamW,
    "chain": Chain,
    "dense": Dense,
    "scaling": Scaling,
}

TYPES = ("f32", "bf16")  # of networks that do not say otherwise

DIALECTS = {"tosa": Module, "linalg": LinalgModule, "stablehlo": StablehloModule}


def network(name, dtype="f32", **sizes):
    if name not in NETWORKS:
        raise ValueError("no network '%s'; there are: %s" % (name, ", ".join(NETWORKS)))
    types = getattr(NETWORKS[name], "types", TYPES)
    if dtype not in types:
        raise ValueError("'%s' cannot be of %s; expected %s" % (name, dtype, " or ".join(types)))
    try:
        return NETWORKS[name](dtype=dtype, **sizes)
    except TypeError:
        raise ValueError("'%s' has no size called so: %s" % (name, ", ".join(sizes))) from None
