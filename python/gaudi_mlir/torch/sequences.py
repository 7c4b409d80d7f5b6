# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses and reductions over sequences whose lengths are operands, in ops that the device has."""
import torch

from . import checks

aten = torch.ops.aten
Tensor = torch.Tensor
inf = float("inf")

# --- connectionist temporal classification -------------------------------------------------------

_MOST_STEPS = 512  # each is ops of its own


class _Alignment:
    """The states of an alignment: the labels of a target, with a blank before, between and behind
    them. Names as in A. Graves et al., "Connectionist temporal classification", ICML 2006."""

    def __init__(self, log_probs: Tensor, targets: Tensor, input_lengths, target_lengths,
                 blank: int) -> None:
        def lengths(given) -> Tensor:
            if not isinstance(given, Tensor):
                return torch.tensor(list(given), dtype=torch.int64, device=log_probs.device)
            return given.to(torch.int64).reshape(-1)  # of one sequence: a scalar

        self.steps, self.batch, self.classes = log_probs.shape
        self.inputs, self.targets = lengths(input_lengths), lengths(target_lengths)
        labels = self._padded(targets.to(torch.int64), target_lengths)
        blanks = torch.full_like(labels, blank)
        self.labels = torch.stack([blanks, labels], -1).reshape(self.batch, -1)
        self.labels = aten.constant_pad_nd(self.labels, [0, 1], blank)
        self.states = self.labels.shape[1]
        # Whether a path may come from two states before: not over a label that stands twice.
        other = self.labels != aten.constant_pad_nd(self.labels, [2, -2], blank)
        number = torch.arange(self.states, device=log_probs.device)
        self.skips = other & (number >= 2)
        end = 2 * self.targets[:, None]
        self.is_final = (number == end) | (number == end - 1)
        self.emitted = aten.gather(log_probs, 2, self.labels.expand(self.steps, -1, -1))

    def _padded(self, targets: Tensor, lengths) -> Tensor:
        """[batch, labels] of targets that may stand behind each other."""
        if targets.dim() == 2:
            return targets.clamp(0, self.classes - 1)
        most = targets.shape[0] if isinstance(lengths, Tensor) else max(lengths, default=0)
        if most == 0:
            return targets.new_zeros([self.batch, 0])
        begins = self.targets.cumsum(0) - self.targets
        place = begins[:, None] + torch.arange(most, device=targets.device)
        return targets[place.clamp(max=targets.shape[0] - 1)].clamp(0, self.classes - 1)

    def forward(self) -> Tensor:
        """[steps, batch, states]: the logarithm of the probability of all beginnings of paths."""
        number = torch.arange(self.states, device=self.emitted.device)
        may_begin = (number == 0) | ((number == 1) & (self.targets[:, None] > 0))
        states = torch.where(may_begin, self.emitted[0], -inf)
        result = [states]
        for step in range(1, self.steps):
            before = aten.constant_pad_nd(states, [1, -1], -inf)
            skipped = torch.where(self.skips, aten.constant_pad_nd(states, [2, -2], -inf), -inf)
            states = torch.stack([states, before, skipped]).logsumexp(0) + self.emitted[step]
            result.append(states)
        return torch.stack(result)

    def backward(self) -> Tensor:
        """The same of ends of paths."""
        skips = aten.constant_pad_nd(self.skips, [-2, 2], False)
        states = torch.full_like(self.emitted[0], -inf)
        begin = torch.where(self.is_final, 0.0, states)
        result = []
        for step in reversed(range(self.steps)):
            after = aten.constant_pad_nd(states, [-1, 1], -inf)
            skipped = torch.where(skips, aten.constant_pad_nd(states, [-2, 2], -inf), -inf)
            states = torch.stack([states, after, skipped]).logsumexp(0)
            states = torch.where((self.inputs == step + 1)[:, None], begin, states)
            states = states + self.emitted[step]
            result.append(states)
        return torch.stack(result[::-1])


def _check_lengths(steps: int, targets: Tensor, input_lengths, target_lengths) -> None:
    def hold(given, condition):
        return condition(given) if isinstance(given, Tensor) else all(map(condition, given))

    checks.require(hold(input_lengths, lambda each: (each >= 0) & (each <= steps)),
                   f"ctc_loss: input lengths must be between 0 and the {steps} steps")
    checks.require(hold(target_lengths, lambda each: each >= 0),
                   "ctc_loss: target lengths must not be negative")
    if targets.dim() == 2:
        most = targets.shape[1]
        checks.require(hold(target_lengths, lambda each: each <= most),
                       "ctc_loss: a target length is greater than the second dimension of targets")
    else:
        total = target_lengths.sum() if isinstance(target_lengths, Tensor) else sum(target_lengths)
        checks.require(total == targets.shape[0],
                       "ctc_loss: the sum of target lengths is not the number of targets")


def _ctc_loss(log_probs: Tensor, targets: Tensor, input_lengths, target_lengths, blank: int = 0,
              zero_infinity: bool = False):
    if not 0 < log_probs.shape[0] <= _MOST_STEPS or log_probs.shape[1] == 0:
        return NotImplemented
    _check_lengths(log_probs.shape[0], targets, input_lengths, target_lengths)
    paths = _Alignment(log_probs, targets, input_lengths, target_lengths, blank)
    alpha = paths.forward()
    last = (paths.inputs - 1).clamp(min=0)[None, :, None].expand(1, -1, paths.states)
    last = aten.gather(alpha, 0, last).squeeze(0)
    loss = -torch.where(paths.is_final, last, -inf).logsumexp(1)
    of_nothing = torch.where(paths.targets == 0, 0.0, torch.full_like(loss, inf))
    return torch.where(paths.inputs == 0, of_nothing, loss), alpha.transpose(0, 1)


def _ctc_loss_backward(grad: Tensor, log_probs: Tensor, targets: Tensor, input_lengths,
                       target_lengths, loss: Tensor, log_alpha: Tensor, blank: int,
                       zero_infinity: bool = False) -> Tensor:
    if not 0 < log_probs.shape[0] <= _MOST_STEPS or log_probs.shape[1] == 0:
        return NotImplemented
    paths = _Alignment(log_probs, targets, input_lengths, target_lengths, blank)
    both = log_alpha.transpose(0, 1) + paths.backward()
    # How probable it is that a path is in a state at a step: both parts count what it emits.
    share = (both - paths.emitted + loss[:, None]).exp()
    share = torch.where(both == -inf, 0.0, share).transpose(0, 1)
    is_label = paths.labels[:, :, None] == torch.arange(paths.classes, device=grad.device)
    of_classes = torch.bmm(share, is_label.to(share.dtype)).transpose(0, 1)
    result = log_probs.exp() - of_classes
    is_never = loss == inf
    result = torch.where((log_probs == -inf) | is_never[:, None], float("nan"), result)
    result = result * grad[:, None]
    step = torch.arange(paths.steps, device=grad.device)[:, None]
    counts = step < paths.inputs
    if zero_infinity:
        counts = counts & ~is_never
    return torch.where(counts[:, :, None], result, 0.0)


# --- segments ------------------------------------------------------------------------------------


class _Segments:
    """Which elements of a dimension belong to which segment; those of none to one behind the
    last."""

    def __init__(self, data: Tensor, lengths: Tensor | None, offsets: Tensor | None,
                 axis: int) -> None:
        self.axis, self.data = axis, data
        if lengths is not None:
            offsets = aten.constant_pad_nd(lengths.cumsum(-1), [1, 0])
        offsets = offsets.to(torch.int64)
        self.count = offsets.shape[-1] - 1
        self.lengths = self._inner(offsets[..., 1:] - offsets[..., :-1])
        place = torch.arange(data.shape[axis], device=data.device).expand(*data.shape[:axis], -1)
        number = aten.searchsorted.Tensor(offsets, place.contiguous(), right=True) - 1
        number = torch.where(number < 0, self.count, number)
        self.index = self._inner(number).expand(data.shape)

    def _inner(self, x: Tensor) -> Tensor:
        return x.reshape(*x.shape, *[1] * (self.data.dim() - x.dim()))

    def reduced(self, values: Tensor, kind: str, start: float) -> Tensor:
        shape = list(self.data.shape)
        shape[self.axis] = self.count + 1
        starts = self.data.new_full(shape, start)
        result = aten.scatter_reduce.two(starts, self.axis, self.index, values, kind)
        return aten.slice(result, self.axis, 0, self.count)

    def spread(self, values: Tensor) -> Tensor:
        """What is of a segment, to its elements; 0 to those of none."""
        pad = [0, 0] * (values.dim() - self.axis - 1) + [0, 1]
        return aten.gather(aten.constant_pad_nd(values, pad), self.axis, self.index)


_REDUCTIONS = {"sum": ("sum", 0), "mean": ("sum", 0), "max": ("amax", -inf), "min": ("amin", inf),
               "prod": ("prod", 1)}


def _segment_reduce(data: Tensor, reduce: str, *, lengths=None, indices=None, offsets=None, axis=0,
                    unsafe=False, initial=None) -> Tensor:
    if indices is not None:
        return NotImplemented
    if lengths is not None and not unsafe:
        checks.require(lengths >= 0, "segment_reduce: lengths must not be negative")
        checks.require(lengths.sum(-1) == data.shape[axis], "segment_reduce: the sum of lengths is "
                       "not the number of elements along the axis")
    segments = _Segments(data, lengths, offsets, axis)
    kind, start = _REDUCTIONS[reduce]
    result = segments.reduced(data, kind, start if initial is None else initial)
    if reduce != "mean":
        return result
    empty = float("nan") if initial is None else initial
    return torch.where(segments.lengths == 0, empty, result / segments.lengths)


def _segment_reduce_backward(grad: Tensor, output: Tensor, data: Tensor, reduce: str, *,
                             lengths=None, offsets=None, axis=0, initial=None) -> Tensor:
    segments = _Segments(data, lengths, offsets, axis)
    if reduce == "mean":
        return segments.spread(grad / segments.lengths.clamp(min=1))
    grads = segments.spread(grad)
    if reduce == "sum":
        return grads
    if reduce in ("max", "min"):  # of several that are it, PyTorch divides what is positive
        is_it = (data == segments.spread(output)) | (data != data)
        shares = segments.reduced(is_it.to(data.dtype), "sum", 0).clamp(min=1)
        grads = segments.spread(torch.where(grad > 0, grad / shares, grad))
        return torch.where(is_it, grads, 0)
    # The product of the others, by division unless the element is zero or no number.
    is_zero, is_nan = data == 0, data != data
    usual = segments.reduced(torch.where(is_zero | is_nan, 1, data), "prod",
                             1 if initial is None else initial)
    zeros, nans = (segments.spread(segments.reduced(each.to(data.dtype), "sum", 0))
                   for each in (is_zero, is_nan))
    others = segments.spread(usual)
    others = torch.where(zeros > is_zero.to(data.dtype), others * 0, others)
    others = torch.where(nans > is_nan.to(data.dtype), float("nan"), others)
    divided = grads * segments.spread(output) / data
    return torch.where(is_zero | is_nan, grads * others, divided)


TABLE = {
    aten._ctc_loss.default: _ctc_loss,
    aten._ctc_loss.Tensor: _ctc_loss,
    aten._ctc_loss_backward.default: _ctc_loss_backward,
    aten._ctc_loss_backward.Tensor: _ctc_loss_backward,
    aten.segment_reduce.default: _segment_reduce,
    aten._segment_reduce_backward.default: _segment_reduce_backward,
}
