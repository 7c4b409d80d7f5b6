# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""HPU graphs: work of a card that is captured once, and then issued as a whole (docs/hpu.md).

A graph works on fixed memory: its inputs are tensors whose values a program changes before a
replay, its outputs tensors that each replay writes again.
"""
import copy
import functools
import gc
import hashlib
import os

import torch
from gaudi_mlir import _callers, _environment
from torch.utils import _pytree as pytree

from .. import _C, _missing
from ..core import step_closure
from . import _switches, streams


def _flag(name: str) -> bool:
    return _environment.is_on(os.environ.get(name, ""))


def stringify(*args) -> str:
    return " ".join(map(str, args))


class HPUGraph:
    """What the current stream of this thread is given between capture_begin() and capture_end().

    Work is issued when the capture ends, once, unless it is a dry run, and by each replay(). A
    graph keeps all memory that it uses."""

    def __init__(self) -> None:
        self._graph = _C.Graph()
        self._dry_run = False
        self._inputs: list[torch.Tensor] | None = None

    def __len__(self) -> int:
        """Launches and copies."""
        return len(self._graph)

    def capture_begin(self, dry_run: bool = False) -> None:
        """Ends the step. One graph of a card is captured at a time; sizes are static from here."""
        step_closure.mark_step()
        _switches.disable_dynamic_shape()
        self._graph.begin_capture()
        self._dry_run = dry_run or _flag("PT_HPUGRAPH_ENABLE_DRY_RUN")

    def capture_end(self) -> None:
        step_closure.mark_step()
        self._graph.end_capture()
        if not self._dry_run:
            self._graph.replay()

    def _abandon(self) -> None:
        """Ends a capture that has failed."""
        self._graph.abandon_capture()

    def replay(self, asynchronous: bool = False) -> None:
        """Issues the work to the current stream. The host does not wait for it, `asynchronous` or
        not."""
        step_closure.mark_step()
        self._graph.replay()

    def replayV2(self, static_tlist: list[torch.Tensor], tlist: list[torch.Tensor],
                 asynchronous: bool = False) -> None:
        """The same after copying `tlist` to the inputs `static_tlist`."""
        if len(static_tlist) != len(tlist):
            raise ValueError(f"replayV2: {len(static_tlist)} inputs for {len(tlist)} tensors; give one "
                             "tensor for each input")
        copy_to(static_tlist, tlist)
        self.replay(asynchronous)

    def replayV3(self, tlistI: list[torch.Tensor], asynchronous: bool = False) -> None:
        """The same for the inputs of mark_user_inputs(), which have these sizes."""
        if self._inputs is None:
            raise RuntimeError("replayV3: nobody has said what the inputs are; call "
                               "mark_user_inputs(tensors) first")
        given, marked = ([list(each.shape) for each in tensors]
                         for tensors in (tlistI, self._inputs))
        if given != marked:
            raise RuntimeError("replayV3: Mark User Input Sizes is not same Replay Input Sizes: "
                               f"{marked} are marked, and {given} are given; capture a graph for "
                               "these")
        self.replayV2(self._inputs, tlistI, asynchronous)

    def mark_user_inputs(self, static_tlist: list[torch.Tensor]) -> None:
        self._inputs = list(static_tlist)

    def mark_user_outputs(self, static_tlist: list[torch.Tensor]) -> None:
        """All else that the capture made and freed is the card's memory between replays."""
        self._graph.free_between_replays()

    def get_user_input_match_indices(self) -> list[int]:
        """Which inputs of mark_user_inputs() the graph uses."""
        return [place for place, each in enumerate(self._inputs or ()) if self._graph.uses(each)]

    def clear_inputs(self) -> None:
        """Forgets mark_user_inputs()."""
        self._inputs = None

    def reset(self) -> None:
        """Frees the graph and its memory; another capture may follow."""
        self._graph.reset()
        self._inputs = None

    destroy = reset


class graph:
    """Captures the `with` block. A block that raises leaves no graph."""

    _streams: dict[int, streams.Stream] = {}  # of each card, where none is given

    def __init__(self, hpu_graph: HPUGraph, stream=None, dry_run: bool = False) -> None:
        if stream is None:
            card = _C.current_device()
            stream = graph._streams.get(card) or graph._streams.setdefault(card, streams.Stream())
        self.hpu_graph, self.dry_run = hpu_graph, dry_run
        self.capture_stream = stream
        self.stream_ctx = streams.stream(stream)

    def __enter__(self) -> HPUGraph:
        gc.collect()  # what goes later would be freed in the capture
        torch.hpu.synchronize()
        self.stream_ctx.__enter__()
        try:
            self.hpu_graph.capture_begin(dry_run=self.dry_run)
        except BaseException:
            self.stream_ctx.__exit__(None, None, None)
            raise
        return self.hpu_graph

    def __exit__(self, kind, error, trace) -> None:
        try:
            if kind is None:
                self.hpu_graph.capture_end()
            else:
                self.hpu_graph._abandon()
        finally:
            self.stream_ctx.__exit__(kind, error, trace)
        streams.current_stream().wait_stream(self.capture_stream)


# --- tensors in structures -----------------------------------------------------------------------

def extract_tensors(data) -> list[torch.Tensor]:
    """All tensors in tuples, lists and dictionaries."""
    return [each for each in pytree.tree_leaves(data) if isinstance(each, torch.Tensor)]


def get_user_input_tensor_list(inputs, tlist: list[torch.Tensor]) -> None:
    """Appends the tensors of `inputs`."""
    tlist.extend(extract_tensors(inputs))


def get_tensor_info(tensor: torch.Tensor) -> tuple:
    return tensor.shape, tensor.dtype, tensor.device


@torch.no_grad()
def copy_to(dst, src) -> None:
    """Copies the tensors in `src` to those at the same places of `dst`."""
    for to, given in zip(extract_tensors(dst), extract_tensors(src)):
        if to is not given and (to.data_ptr() != given.data_ptr() or to.stride() != given.stride()):
            to.copy_(given)


class _Slot:
    """The place of a tensor in a structure."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __repr__(self) -> str:
        return f"#{self.number}"


class TensorPacker:
    """Takes a structure apart into its tensors and the rest."""

    def __init__(self, is_out_pack: bool = False, verbose: bool = False) -> None:
        self.is_out_pack, self.verbose = is_out_pack, verbose

    def pack(self, outs) -> tuple[tuple[torch.Tensor, ...], object]:
        """The tensors, and the structure with "#0", "#1", ... in their places."""
        tensors: list[torch.Tensor] = []

        def slot(value):
            if not isinstance(value, torch.Tensor):
                return value
            tensors.append(value)
            return _Slot(len(tensors) - 1)
        metadata = pytree.tree_map(slot, outs)
        if self.verbose:
            print(f"packed {len(tensors)} tensors: {metadata}")
        return tuple(tensors), metadata

    def unpack(self, tensors, metadata):
        return pytree.tree_map(
            lambda each: tensors[each.number] if isinstance(each, _Slot) else each, metadata)


def _mode() -> tuple:
    return torch.is_autocast_enabled("hpu"), torch.get_autocast_dtype("hpu")


def _key(data, fixed=(), training: bool = False) -> tuple:
    """What calls have in common that one graph can serve. `fixed`: tensors which are not copied."""
    leaves, structure = pytree.tree_flatten(data)
    seen: dict[int, int] = {}
    parts: list = []
    for each in leaves:
        if not isinstance(each, torch.Tensor):
            try:
                hash(each)
            except TypeError:
                parts.append(("object", id(each)))
            else:
                parts.append((type(each), each))
            continue
        part = [each.shape, each.dtype, each.device, each._is_view(),
                seen.setdefault(id(each), len(seen))]
        if training:
            part.append(each.requires_grad)
        if each.device.type == "cpu":  # a graph has its value
            part.append(hashlib.sha256(each.detach().contiguous().view(-1).view(torch.uint8).numpy()
                                       .tobytes()).digest() if each.numel() else b"")
        elif any(each is one for one in fixed):
            part += [each.data_ptr(), each.stride()]
        parts.append(tuple(part))
    return str(structure), tuple(parts), _mode()


def input_hash(obj) -> int:
    """One number for what one graph can serve: tensors by their sizes, types and whether they are
    views, all else by its value; and the states of autocast."""
    return hash(_key(obj))


def _static(data, fixed=()):
    """Copies of the card's tensors in a structure."""
    made: dict[int, torch.Tensor] = {}

    def static(value):
        if not isinstance(value, torch.Tensor) or value.device.type != "hpu" or \
                any(value is one for one in fixed):
            return value
        if id(value) not in made:
            made[id(value)] = value.detach().clone().requires_grad_(
                value.requires_grad and torch.is_grad_enabled())
        return made[id(value)]
    return pytree.tree_map(static, data)


class _Inputs:
    """Fixed tensors of a graph, and which of them its work writes."""

    def __init__(self, data) -> None:
        self.tensors = extract_tensors(data)
        self.versions = [each._version for each in self.tensors]
        self.written: list[int] = []

    def captured(self) -> None:
        self.written = [place for place, each in enumerate(self.tensors)
                        if each._version != self.versions[place]]

    def fill(self, given: list[torch.Tensor]) -> None:
        copy_to(self.tensors, given)

    @torch.no_grad()
    def write_back(self, given: list[torch.Tensor]) -> None:
        for place in self.written:
            if given[place] is not self.tensors[place]:
                given[place].copy_(self.tensors[place])


# --- inference -----------------------------------------------------------------------------------

# In a cache: of a call that cannot be captured.
_HOST_READS = object()
# How the error of such a read in a capture begins (bridge/src/Tensors.cpp).
_READ = "a read of a tensor of the card by the host"


class CachedParams:
    """A captured call."""

    def __init__(self, graph_inputs, graph_outputs, graph: HPUGraph, out_tinfo_list=None,
                 asynchronous: bool = False) -> None:
        self.graph_inputs, self.graph_outputs, self.graph = graph_inputs, graph_outputs, graph
        self.out_tinfo_list, self.asynchronous = out_tinfo_list, asynchronous
        self._inputs = _Inputs(graph_inputs)

    def _replay(self, given: list[torch.Tensor]):
        self._inputs.fill(given)
        self.graph.replay(self.asynchronous)
        self._inputs.write_back(given)
        return self.graph_outputs


def wrapped_hpugraph_forward(cache: dict, stream, orig_fwd, args, kwargs,
                             disable_tensor_cache: bool = False, asynchronous: bool = False,
                             dry_run: bool = False, max_graphs: int | None = None):
    """A call by its graph in `cache`, which is captured if it is not there. More than `max_graphs`
    are not captured, but called; so are calls in which the host reads the card, which a warning
    says once. Of `kwargs` not for the function: bypass_hpu_graphs, whether it is
    just called; warmup_mode, whether a graph that is there is not replayed; cache_tensors_list,
    tensors whose memory does not change, so that they are not copied."""
    kwargs = dict(kwargs)
    bypass = kwargs.pop("bypass_hpu_graphs", False)
    warmup = kwargs.pop("warmup_mode", False)
    fixed = kwargs.pop("cache_tensors_list", None) or ()
    if bypass:
        return orig_fwd(*args, **kwargs)
    module = getattr(orig_fwd, "__self__", None)
    key = (_key((args, kwargs), fixed), getattr(module, "training", None))
    cached = cache.get(key)
    if cached is _HOST_READS:
        return orig_fwd(*args, **kwargs)
    given = extract_tensors((args, kwargs))
    if cached is not None:
        return cached.graph_outputs if warmup else cached._replay(given)
    if max_graphs is not None and \
            sum(each is not _HOST_READS for each in cache.values()) >= max_graphs:
        return orig_fwd(*args, **kwargs)
    _check_call(module, given)
    # Copies that inference mode made could not be written outside of it.
    with torch.inference_mode(False), torch.no_grad():
        inputs = _static((args, kwargs), fixed)
        captured = HPUGraph()
        cached = CachedParams(inputs, None, captured, asynchronous=asynchronous)
        try:
            with graph(captured, stream=stream, dry_run=dry_run):
                cached.graph_outputs = orig_fwd(*inputs[0], **inputs[1])
        except RuntimeError as error:
            if not str(error).startswith(_READ):
                raise
            if _HOST_READS not in cache.values():
                _callers.warn(f"a call of a wrapped function is not captured, but runs op by op: "
                              f"{error}")
            cache[key] = _HOST_READS
            captured = None
    if captured is None:  # nothing of it has run
        return orig_fwd(*args, **kwargs)
    with torch.inference_mode(False), torch.no_grad():
        cached._inputs.captured()
        captured.mark_user_inputs(cached._inputs.tensors)
        if disable_tensor_cache or _flag("PT_HPUGRAPH_DISABLE_TENSOR_CACHE"):
            captured.mark_user_outputs(extract_tensors(cached.graph_outputs))
    cache[key] = cached
    if captured._dry_run and not warmup:
        captured.replay(asynchronous)
    cached._inputs.write_back(given)
    return cached.graph_outputs


def _check_call(module, given: list[torch.Tensor]) -> None:
    """Warns of a call without work for a graph, and of one in training, whose results nothing can
    be trained by."""
    is_module = isinstance(module, torch.nn.Module)  # a function may use other tensors
    parameters = list(module.parameters()) if is_module else []
    buffers = list(module.buffers()) if is_module else []
    learns = parameters and module.training and any(each.requires_grad for each in parameters)
    tensors = [*given, *parameters, *buffers]
    if not any(each.device.type == "hpu" for each in tensors):
        if is_module and tensors:
            _callers.warn("what wrap_in_hpu_graph wraps runs on the CPU, without a graph, as the model and "
                          'its inputs are there: move both, .to("hpu")')
    elif torch.is_grad_enabled() and (learns or any(each.requires_grad for each in given)):
        _callers.warn("what wrap_in_hpu_graph wraps gives results without gradients, so that "
                      "backward() of them fails; to train, wrap the model by "
                      "torch.hpu.ModuleCacher()(model) instead; for inference call "
                      "model.eval(), or it under torch.no_grad()")


def wrap_in_hpu_graph_func(func, asynchronous: bool = False, disable_tensor_cache: bool = False,
                           dry_run: bool = False, max_graphs: int | None = None):
    """A function, without gradients, by graphs: one for each kind of arguments. What it returns is
    written again by the next call of this kind."""
    cache: dict = {}

    @functools.wraps(func)
    def called(*args, **kwargs):
        return wrapped_hpugraph_forward(cache, None, func, args, kwargs, disable_tensor_cache,
                                        asynchronous, dry_run, max_graphs)

    def clear_cache() -> None:
        cache.clear()
    called.clear_cache = clear_cache
    called.clear_inputs = clear_cache
    return called


def wrap_in_hpu_graph(module: torch.nn.Module, asynchronous: bool = False,
                      disable_tensor_cache: bool = False, dry_run: bool = False,
                      max_graphs: int | None = None) -> torch.nn.Module:
    """The module, whose forward() becomes wrap_in_hpu_graph_func(forward). clear_cache() frees its
    graphs, clear_inputs() the inputs that they keep: the next call captures again."""
    if not callable(getattr(module, "forward", None)):
        raise TypeError(f"wrap_in_hpu_graph takes a torch.nn.Module, got "
                        f"{type(module).__name__}; a function goes through wrap_in_hpu_graph_func")
    wrapped = wrap_in_hpu_graph_func(module.forward, asynchronous, disable_tensor_cache, dry_run,
                                     max_graphs)
    module.forward = wrapped
    module.clear_cache = wrapped.clear_cache
    module.clear_inputs = wrapped.clear_inputs
    return module


# --- training ------------------------------------------------------------------------------------

def _check_callable(function, args) -> None:
    if isinstance(function, torch.nn.Module):
        if function._backward_hooks or function._forward_hooks or function._forward_pre_hooks:
            raise RuntimeError("make_graphed_callables: a module must have no hooks when it is "
                               "captured; register them afterwards")
        if any(each.requires_grad for each in function.buffers()):
            raise RuntimeError("make_graphed_callables: buffers of a module must not require "
                               "gradients; call .requires_grad_(False) of them first")
    if any(not isinstance(each, torch.Tensor) for each in pytree.tree_leaves(args)):
        wrong = next(each for each in pytree.tree_leaves(args) if not isinstance(each, torch.Tensor))
        raise TypeError(f"make_graphed_callables: an argument is {wrong!r}; arguments must be tensors: "
                        "wrap a function that has the others fixed (functools.partial)")


class _Captured:
    """Forward and backward passes of a function of tensors as graphs, for these sizes."""

    def __init__(self, function, args, parameters, warmups: int = 0,
                 allow_unused_input: bool = False, asynchronous: bool = False,
                 disable_tensor_cache: bool = False, dry_run: bool = False) -> None:
        self.asynchronous = asynchronous
        self.allow_unused = allow_unused_input
        self.free = disable_tensor_cache or _flag("PT_HPUGRAPH_DISABLE_TENSOR_CACHE")
        with torch.enable_grad():
            self._capture(function, tuple(args), tuple(parameters), warmups, dry_run)

    def _capture(self, function, args, parameters, warmups, dry_run) -> None:
        static = tuple(each.detach().clone().requires_grad_(each.requires_grad) for each in args)
        surface = static + parameters
        self.parameters = parameters
        for _ in range(warmups):
            outputs = extract_tensors(function(*static))
            wanted = [each for each in outputs if each.requires_grad]
            if wanted:
                torch.autograd.grad(wanted, [each for each in surface if each.requires_grad],
                                    [torch.zeros_like(each) for each in wanted],
                                    allow_unused=self.allow_unused)
            del outputs, wanted
        # What the function writes is a leaf that requires no gradient; the rest PyTorch refuses.
        self.inputs = _Inputs(static)
        self.forward = HPUGraph()
        with graph(self.forward, dry_run=dry_run):
            made = function(*static)
        self.inputs.captured()
        outputs, self.structure = TensorPacker().pack(made)
        self.differentiable = [each.requires_grad for each in outputs]
        wanted = [each for each in outputs if each.requires_grad]
        self.gradients: list = [None] * len(surface)
        self.backward = None
        if wanted and any(each.requires_grad for each in surface):
            self.given = [torch.zeros_like(each) for each in wanted]
            self.backward = HPUGraph()
            with graph(self.backward, dry_run=dry_run):
                # Leaves of graphs that are alive have their streams, which take part.
                torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch(False)
                found = iter(torch.autograd.grad(
                    wanted, [each for each in surface if each.requires_grad], self.given,
                    allow_unused=self.allow_unused))
                torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch(True)
                self.gradients = [next(found) if each.requires_grad else None for each in surface]
        self.outputs = [each.detach() for each in outputs]
        del outputs, wanted, made
        if self.free:
            for each in (self.forward, self.backward):
                if each is not None:
                    each.mark_user_outputs([])
        self.function = self._function()

    def _function(self):
        captured = self

        class Replay(torch.autograd.Function):
            @staticmethod
            def forward(ctx, *inputs):
                captured.inputs.fill(inputs[:len(captured.inputs.tensors)])
                captured.forward.replay(captured.asynchronous)
                results = tuple(each.detach() for each in captured.outputs)
                ctx.mark_non_differentiable(*(
                    each for each, is_wanted in zip(results, captured.differentiable)
                    if not is_wanted))
                return results

            @staticmethod
            @torch.autograd.function.once_differentiable
            def backward(ctx, *gradients):
                if captured.backward is None:
                    return (None,) * len(captured.gradients)
                wanted = [each for each, is_wanted in zip(gradients, captured.differentiable)
                          if is_wanted]
                copy_to(captured.given, wanted)
                captured.backward.replay(captured.asynchronous)
                # Not detached: what others keep is not taken for a .grad, but copied.
                return tuple(captured.gradients)
        return Replay

    def _check(self, args) -> None:
        if len(args) != len(self.inputs.tensors):
            raise TypeError(f"the graph takes {len(self.inputs.tensors)} tensors, as its samples "
                            f"were, and got {len(args)}")
        for place, (each, static) in enumerate(zip(args, self.inputs.tensors)):
            if not isinstance(each, torch.Tensor):
                raise TypeError(f"argument {place} is a {type(each).__name__}; the graph takes tensors, "
                                "as its samples were")
            if each.shape != static.shape:
                raise ValueError(
                    f"argument {place} has the sizes {list(each.shape)}, and its sample had "
                    f"{list(static.shape)}: a graph is captured for those; capture one for each, "
                    "as wrap_in_hpu_graph and ModuleCacher do")

    def __call__(self, args):
        self._check(args)
        if torch.is_grad_enabled():
            for place, (each, static) in enumerate(zip(args, self.inputs.tensors)):
                if each.requires_grad and not static.requires_grad:
                    raise RuntimeError(f"argument {place} requires a gradient, and its sample did "
                                       "not: the captured backward pass does not compute it; "
                                       "capture with a sample that does")
        results = self.function.apply(*args, *self.parameters)
        self.inputs.write_back(args)
        return TensorPacker().unpack(results, self.structure)


def make_graphed_callables(callables, sample_args, warmups: int = 0,
                           allow_unused_input: bool = False, asynchronous: bool = False,
                           disable_tensor_cache: bool = False, dry_run: bool = False):
    """Functions or modules of tensors whose forward and backward passes are graphs, captured with
    copies of `sample_args`, a tuple of tensors for each. A module is changed: it is replayed in the
    mode, training or not, that it has now. The outputs of a call are written again by the next."""
    is_one = not isinstance(callables, tuple)
    if is_one:
        callables, sample_args = (callables,), (sample_args,)
    made = []
    for function, args in zip(callables, sample_args):
        _check_callable(function, args)
        parameters = tuple(function.parameters()) if isinstance(function, torch.nn.Module) else ()
        called = function.forward if isinstance(function, torch.nn.Module) else function
        captured = _Captured(called, pytree.tree_leaves(args), parameters, warmups,
                             allow_unused_input, asynchronous, disable_tensor_cache, dry_run)
        made.append(_graphed(function, captured))
    return made[0] if is_one else tuple(made)


def _graphed(function, captured: _Captured):
    if not isinstance(function, torch.nn.Module):
        return functools.wraps(function)(lambda *args: captured(pytree.tree_leaves(args)))
    plain, training = function.forward, function.training

    def forward(*args):
        if function.training == training:
            return captured(pytree.tree_leaves(args))
        return plain(*args)
    function.forward = forward
    return function


class GraphModel(torch.nn.Module):
    """A model whose calls, of any arguments, are graphs: one, or one for each direction when it is
    trained."""

    def __init__(self, model: torch.nn.Module, allow_unused_input: bool = False,
                 asynchronous: bool = False, disable_tensor_cache: bool = False,
                 dry_run: bool = False, forward=None) -> None:
        super().__init__()
        # Not registered: its parameters would be there twice.
        self.__dict__["model"] = model
        self.__dict__["plain"] = forward or model.forward
        self.options = {"allow_unused_input": allow_unused_input, "asynchronous": asynchronous,
                        "disable_tensor_cache": disable_tensor_cache, "dry_run": dry_run}
        self.captured: _Captured | None = None

    def forward(self, *args):
        return self.graph_forward(*args)

    def graph_forward(self, *args, **kwargs):
        tensors, metadata = TensorPacker().pack((args, kwargs))
        if self.captured is None:
            def function(*given):
                positional, named = TensorPacker().unpack(given, metadata)
                return self.plain(*positional, **named)
            self.captured = _Captured(function, tensors, self.model.parameters(), **self.options)
        return self.captured(tensors)


class ModuleCacher:
    """Trains a model by graphs, one pair for each kind of arguments, `max_graphs` at most."""

    def __init__(self, max_graphs: int = 10) -> None:
        if not isinstance(max_graphs, int):
            raise TypeError(f"ModuleCacher: max_graphs is a {type(max_graphs).__name__}; expected a "
                            "number: ModuleCacher(max_graphs=10)(model)")
        self.max_graphs = max_graphs

    def __call__(self, model: torch.nn.Module, use_lfu: bool = False, inplace: bool = True,
                 allow_unused_input: bool = False, asynchronous: bool = False,
                 have_grad_accumulation: bool = False, log_frequency: int = 100,
                 verbose: bool = False, disable_tensor_cache: bool = False,
                 dry_run: bool = False) -> torch.nn.Module:
        """The model, or with `inplace=False` another one with its parameters. Where it is not
        trained, or gradients are off, it is called as before. Beyond `max_graphs` kinds others are
        called as before, or with `use_lfu` take the place of the graph that was used least. With
        `have_grad_accumulation` the first of the small steps, set_iteration_count(0), has graphs of
        its own. With `verbose` every `log_frequency` calls print how many were replays."""
        if not inplace:
            model = copy.copy(model)
        plain = model.forward
        cache: dict[tuple, GraphModel] = {}
        uses: dict[tuple, int] = {}
        counts = {"calls": 0, "replays": 0, "captures": 0, "plain": 0}
        state = {"iteration": 0}

        def forward(*args, **kwargs):
            if not (model.training and torch.is_grad_enabled()):
                return plain(*args, **kwargs)
            counts["calls"] += 1
            key = (_key((args, kwargs), training=True),
                   have_grad_accumulation and state["iteration"] == 0)
            found = cache.get(key)
            if found is None and len(cache) >= self.max_graphs:
                if not use_lfu:
                    counts["plain"] += 1
                    return plain(*args, **kwargs)
                least = min(cache, key=lambda each: uses[each])
                del cache[least], uses[least]
            if found is None:
                found = GraphModel(model, allow_unused_input, asynchronous, disable_tensor_cache,
                                   dry_run, forward=plain)
                counts["captures"] += 1
            else:
                counts["replays"] += 1
            result = found.graph_forward(*args, **kwargs)
            cache[key] = found
            uses[key] = uses.get(key, 0) + 1
            if verbose and counts["calls"] % log_frequency == 0:
                print(f"ModuleCacher: {counts}, {len(cache)} graphs")
            return result

        def set_iteration_count(count: int) -> None:
            state["iteration"] = count

        def clear_cache() -> None:
            cache.clear()
            uses.clear()

        model.forward = forward
        model.set_iteration_count = set_iteration_count
        model.clear_cache = clear_cache
        model.cache_counts = counts
        return model


__getattr__ = _missing.of(__name__)
