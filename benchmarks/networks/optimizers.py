# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A step of AdamW over the parameters of GPT-2 small, as gaudi ops."""
import math


class AdamW:
    """The first step: moments are zero. `clip` is 1 with clipping by the norm of all gradients."""

    lr, betas, eps, decay, limit = 1e-3, (0.9, 0.999), 1e-8, 0.01, 1.0

    def __init__(self, dtype="f32", clip=0, layers=12, width=768, vocabulary=50257):
        self.dtype, self.clip = dtype, clip
        vector, wide = (width,), (4 * width,)
        block = [vector, vector, (width, 3 * width), (3 * width,), (width, width), vector,
                 vector, vector, (width, 4 * width), wide, (4 * width, width), vector]
        self.shapes = [(vocabulary, width), (1024, width)] + layers * block + [vector, vector]

    def elements(self):
        return sum(math.prod(shape) for shape in self.shapes)

    def bytes(self):
        """Gradients, parameters and moments read, the last three written; clipping reads gradients twice."""
        return (32 if self.clip else 28) * self.elements()

    def options(self):
        """Zero moments; seeded gradients and parameters."""
        count = len(self.shapes)
        return ["--seed-inputs=1", "--input=%d-%d=0" % (2 * count, 4 * count - 1)]

    def text(self):
        count = len(self.shapes)
        types = ["tensor<%sxf32>" % "x".join(map(str, shape)) for shape in self.shapes]
        lists = {name: ["%%%s%d" % (name, i) for i in range(count)] for name in "gwmv"}

        def commas(parts):
            return ", ".join(parts)
        arguments = ["%s: %s" % pair for pair in zip(lists["g"], types)]
        for number, (value, kind) in enumerate(zip(lists["w"] + lists["m"] + lists["v"], 3 * types)):
            arguments.append("%s: %s {gaudi.state = %d : i64}" % (value, kind, number))
        scalars = {"step": self.lr * math.sqrt(1 - self.betas[1]) / (1 - self.betas[0]),
                   "eps": self.eps * math.sqrt(1 - self.betas[1]), "decay": 1 - self.lr * self.decay,
                   "limit": self.limit}
        lines = ["%%%s = gaudi.constant dense<%.9e> : tensor<f32>" % item for item in scalars.items()]
        scale, more = "", ""
        if self.clip:
            lines.append("%%c:%d = gaudi.fused_clip_norm gradients(%s) max_norm %%limit {eps = 1.0e-6 : f64} "
                         ": (%s, tensor<f32>) -> (%s, tensor<f32>, tensor<f32>)"
                         % (count + 2, commas(lists["g"]), commas(types), commas(types)))
            scale, more = " grad_scale %%c#%d" % (count + 1), ", tensor<f32>"
        lines.append("%%o:%d = gaudi.fused_adamw gradients(%s) parameters(%s) exp_avgs(%s) exp_avg_sqs(%s) "
                     "step_size %%step eps %%eps decay %%decay%s {beta1 = %r : f64, beta2 = %r : f64} "
                     ": (%s, tensor<f32>, tensor<f32>, tensor<f32>%s) -> (%s)"
                     % (3 * count, *(commas(lists[name]) for name in "gwmv"), scale, *self.betas, commas(4 * types),
                        more, commas(3 * types)))
        lines.append("return %s : %s" % (commas("%%o#%d" % i for i in range(3 * count)), commas(3 * types)))
        return "func.func @main(%s) -> (%s) {\n  %s\n}\n" % (commas(arguments), commas(3 * types), "\n  ".join(lines))
