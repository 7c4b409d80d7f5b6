# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""UNet: 19 convolutions, 4 up-convolutions, 4 concatenations."""
from .images import ImageNetwork


class UNet(ImageNetwork):
    name, width = "unet", 64

    def body(self, b, x):
        def pair(x, name, channels):
            for i in "12":
                x = b.relu(b.norm(b.conv(x, name + "." + i, channels, 3), name + "." + i))
            return x

        skips = []
        for level in range(4):
            x = pair(x, "down%d" % level, self.width << level)
            skips.append(x)
            x = b.pool("max", x, 2, 2)
        x = pair(x, "bottom", self.width << 4)
        for level in reversed(range(4)):
            x = b.up(x, "up%d" % level, self.width << level)
            x = pair(b.concat([skips.pop(), x]), "merge%d" % level, self.width << level)
        return b.conv(x, "head", 2)
