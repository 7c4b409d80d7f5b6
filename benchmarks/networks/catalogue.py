"""Networks by name."""
from .bert import Bert
from .resnet import ResNet50

NETWORKS = {
    "bert-base": Bert,
    "resnet50": ResNet50,
}


def network(name, dtype="f32", **sizes):
    if name not in NETWORKS:
        raise ValueError("no network '%s'; there are: %s" % (name, ", ".join(NETWORKS)))
    try:
        return NETWORKS[name](dtype=dtype, **sizes)
    except TypeError:
        raise ValueError("'%s' has no size called so: %s" % (name, ", ".join(sizes))) from None
