# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MobileNet, version 2."""
from .images import ImageNetwork

# Expansion, channels at width 32, blocks, stride of the first one.
STAGES = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))


class MobileNet(ImageNetwork):
    name, width = "mobilenet", 32

    def body(self, b, x):
        def unit(x, name, make, scale=1.0):
            return b.norm(make(x, name), name, scale)

        def scaled(channels):
            return max(channels * self.width // 32, 1)

        inputs = self.width
        x = b.relu6(unit(x, "stem", lambda v, name: b.conv(v, name, inputs, 3, 2)))
        for stage, (expansion, channels, count, first) in enumerate(STAGES):
            for block in range(count):
                stride, name, outputs = first if block == 0 else 1, "block%d.%d" % (stage, block), scaled(channels)
                hidden, y = inputs * expansion, x
                if expansion > 1:
                    y = b.relu6(unit(y, name + ".expand", lambda v, n: b.conv(v, n, hidden)))
                y = b.relu6(unit(y, name + ".depth", lambda v, n: b.depthwise(v, n, 3, stride)))
                y = unit(y, name + ".project", lambda v, n: b.conv(v, n, outputs), 0.5)
                x = b.add(x, y) if stride == 1 and inputs == outputs else y
                inputs = outputs
        x = b.relu6(unit(x, "last", lambda v, name: b.conv(v, name, 40 * self.width)))
        return b.linear(b.features(x), "classes", 1000)
