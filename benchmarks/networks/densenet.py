# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DenseNet-121: every layer reads all layers of its block before it."""
from .images import ImageNetwork

BLOCKS = (6, 12, 24, 16)


class DenseNet(ImageNetwork):
    """`width` is the growth: the channels that one layer adds."""

    name, width = "densenet", 32

    def __init__(self, batch=1, size=224, width=None, layers_per_block=None, dtype="f32"):
        super().__init__(batch, size, width, dtype)
        self.blocks = (layers_per_block,) * 4 if layers_per_block else BLOCKS

    def body(self, b, x):
        def unit(x, name, outputs, kernel=1):
            return b.conv(b.relu(b.norm(x, name)), name, outputs, kernel)

        channels = 2 * self.width
        x = b.relu(b.norm(b.conv(x, "stem", channels, 7, 2), "stem"))
        x = b.pool("max", x, 3, 2)
        for block, count in enumerate(self.blocks):
            known = [x]
            for layer in range(count):
                name = "block%d.%d" % (block, layer)
                x = b.concat(known) if layer else known[0]
                known.append(unit(unit(x, name + ".1", 4 * self.width), name + ".2", self.width, 3))
            x, channels = b.concat(known), channels + count * self.width
            if block + 1 < len(self.blocks):
                channels //= 2
                x = b.pool("avg", unit(x, "transition%d" % block, channels), 2, 2)
        x = b.features(b.relu(b.norm(x, "last")))
        return b.linear(x, "classes", 1000)
