// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tensors.h"
#include "Eager.h"
#include "Graph.h"
#include "History.h"
#include "Lazy.h"
#include "Notes.h"

#include <ATen/EmptyTensor.h>
#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/TensorUtils.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/_local_scalar_dense.h>
#include <ATen/ops/_neg_view.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/set_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_as_complex_native.h>
#include <ATen/ops/view_as_real_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

using namespace gaudi::bridge;
using at::IntArrayRef;
using at::ScalarType;
using at::Tensor;

namespace {

constexpr c10::DispatchKeySet KEYS(c10::DispatchKey::HPU);

/// A storage has the bytes that PyTorch expects, also where less is stored.
Tensor made(at::TensorBase base) { return Tensor(std::move(base)); }

} // namespace

Tensor gaudi::bridge::emptyStrided(IntArrayRef sizes, IntArrayRef strides,
                                   ScalarType type, c10::DeviceIndex index) {
  const c10::DeviceGuard guard(
      {c10::kHPU, index < 0 ? Card::current() : index});
  const Making making("aten::empty_strided", sizes, type);
  return made(at::detail::empty_strided_generic(sizes, strides, &allocator(),
                                                KEYS, type));
}

Tensor gaudi::bridge::emptyContiguous(IntArrayRef sizes, ScalarType type,
                                      c10::DeviceIndex index) {
  const c10::DeviceGuard guard(
      {c10::kHPU, index < 0 ? Card::current() : index});
  const Making making("aten::empty", sizes, type);
  return made(
      at::detail::empty_generic(sizes, &allocator(), KEYS, type, std::nullopt));
}

int64_t gaudi::bridge::reachOf(const Tensor &tensor) {
  int64_t last = 0;
  for (int64_t dim = 0; dim < tensor.dim(); ++dim) {
    if (tensor.size(dim) == 0)
      return 0;
    last += (tensor.size(dim) - 1) * tensor.stride(dim);
  }
  return last + 1;
}

static const char *const READ =
    "a read of a tensor of the card by the host (item(), cpu(), a print)";

Tensor gaudi::bridge::download(const Tensor &tensor) {
  Tensor host = at::empty_strided(
      tensor.sizes(), tensor.strides(),
      at::TensorOptions().dtype(storedType(tensor.scalar_type())));
  const Card &card = Card::get(tensor.get_device());
  refuseCapture(card, READ);
  if (const uint64_t bytes = reachBytes(tensor))
    check(gaudiStreamCopyOut(card.stream(), host.mutable_data_ptr(),
                             addressOf(*tensor.unsafeGetTensorImpl()), bytes,
                             1));
  return host;
}

/// Tells values that are copied again from others: a report names constants.
static std::string valuesText(const void *values, uint64_t bytes) {
  constexpr uint64_t MOST_BYTES = 256;
  if (bytes > MOST_BYTES)
    return "";
  const std::string_view text(static_cast<const char *>(values), bytes);
  return "values " + std::to_string(std::hash<std::string_view>()(text));
}

void gaudi::bridge::upload(const Tensor &host, const Tensor &tensor,
                           bool nonBlocking) {
  // Pinned memory that is freed stays until its copies have run.
  const bool blocks = !nonBlocking || !isPinned(host.const_data_ptr());
  const Card &card = Card::get(tensor.get_device());
  const uint64_t bytes = reachBytes(tensor);
  if (!bytes)
    return;
  if (C10_UNLIKELY(Notes::areKept()) && blocks)
    Notes::add(
        nonBlocking ? "copy of memory that is not pinned" : "copy that waits",
        Notes::areValuesKept() ? valuesText(host.const_data_ptr(), bytes) : "",
        bytes);
  const void *from = host.const_data_ptr();
  Graph *graph = capturedBy(card);
  if (graph && blocks) // each run copies what is there now
    from = graph->keepHost(from, bytes);
  else if (graph) // what is there then
    graph->keep(host.storage());
  check(gaudiStreamCopyIn(card.stream(),
                          addressOf(*tensor.unsafeGetTensorImpl()), from, bytes,
                          blocks && !graph ? 1 : 0));
}

// --- copies ------------------------------------------------------------------

namespace {

bool isDense(const Tensor &tensor) {
  return tensor.is_contiguous() || tensor.is_non_overlapping_and_dense();
}

/// Whether a copy of what both reach is a copy of the elements.
bool haveOneLayout(const Tensor &a, const Tensor &b) {
  return storedType(a.scalar_type()) == storedType(b.scalar_type()) &&
         a.sizes() == b.sizes() && isDense(a) &&
         (a.strides() == b.strides() ||
          (a.is_contiguous() && b.is_contiguous()));
}

void copyIn(const Tensor &source, const Tensor &to, bool nonBlocking) {
  const lazy::Reading reading("a copy from the host to a tensor of the graph");
  if (source.scalar_type() == to.scalar_type() && haveOneLayout(source, to) &&
      storedType(source.scalar_type()) == source.scalar_type())
    return upload(source, to, nonBlocking);
  if (!isDense(to)) {
    // Elements between those that are written must stay.
    const Tensor whole =
        emptyContiguous(to.sizes(), to.scalar_type(), to.get_device());
    copyIn(source, whole, nonBlocking);
    copyFrom(whole, to, nonBlocking);
    return;
  }
  Tensor host = at::empty_strided(
      to.sizes(), to.strides(),
      at::TensorOptions().dtype(storedType(to.scalar_type())));
  host.copy_(source);
  upload(host, to, false);
}

void copyOut(const Tensor &source, const Tensor &to, bool nonBlocking) {
  const lazy::Reading reading("a copy to the host");
  if (C10_UNLIKELY(Notes::areKept()))
    Notes::add("host read", "a copy to the host", 0);
  const Card &card = Card::get(source.get_device());
  if (source.scalar_type() == to.scalar_type() && haveOneLayout(source, to) &&
      storedType(to.scalar_type()) == to.scalar_type()) {
    const bool blocks = !nonBlocking || !isPinned(to.const_data_ptr());
    if (blocks)
      refuseCapture(card, READ);
    else if (Graph *graph = capturedBy(card))
      graph->keep(to.storage());
    if (const uint64_t bytes = reachBytes(source))
      check(gaudiStreamCopyOut(card.stream(), to.mutable_data_ptr(),
                               addressOf(*source.unsafeGetTensorImpl()), bytes,
                               blocks ? 1 : 0));
    return;
  }
  // Most of what a sparse view reaches is not wanted.
  const bool gathers = reachOf(source) > 4 * source.numel() + 1024;
  Tensor host = download(gathers ? source.contiguous() : source);
  to.copy_(host);
}

/// Elements as they are, each to its place; false if that takes a kernel: a
/// conversion, ranges that overlap, or so many elements that a kernel is worth
/// its compilation.
bool copyElements(const Tensor &source, const Tensor &to) {
  constexpr uint64_t MOST_BYTES = uint64_t(1) << 20;
  const ScalarType stored = storedType(to.scalar_type());
  const uint64_t element = c10::elementSize(stored);
  if (storedType(source.scalar_type()) != stored ||
      uint64_t(to.numel()) * element > MOST_BYTES)
    return false;
  const GaudiDeviceAddress from = addressOf(*source.unsafeGetTensorImpl());
  const GaudiDeviceAddress into = addressOf(*to.unsafeGetTensorImpl());
  if (from < into + reachBytes(to) && into < from + reachBytes(source))
    return false;
  c10::SmallVector<GaudiStridedDim, 8> dims;
  for (int64_t dim = 0; dim != to.dim(); ++dim)
    dims.push_back({uint64_t(to.size(dim)), to.stride(dim) * element,
                    source.stride(dim) * element});
  check(gaudiStreamCopyStrided(Card::get(to.get_device()).stream(), into, from,
                               dims.data(), dims.size(), uint32_t(element)));
  return true;
}

void copyOnCard(const Tensor &source, const Tensor &to) {
  if (source.is_same(to) || to.numel() == 0)
    return;
  if (lazy::isOn() && runCopy(source, to))
    return;
  const GaudiDeviceAddress from = addressOf(*source.unsafeGetTensorImpl());
  const GaudiDeviceAddress into = addressOf(*to.unsafeGetTensorImpl());
  if (haveOneLayout(source, to)) {
    const uint64_t bytes = reachBytes(source);
    if (from == into)
      return;
    if (from + bytes <= into || into + bytes <= from) {
      check(gaudiStreamCopy(Card::get(to.get_device()).stream(), into, from,
                            bytes));
      return;
    }
  }
  if (!copyElements(source, to) && !runCopy(source, to)) {
    Tensor host = download(to);
    host.copy_(source);
    upload(host, to, false);
  }
}

} // namespace

namespace {

/// Whether the elements are the conjugates, or negatives, of what is in memory.
bool isLazy(const Tensor &tensor) {
  return tensor.is_conj() || tensor.is_neg();
}

/// What is in memory.
Tensor memoryOf(const Tensor &tensor) {
  Tensor result = tensor.is_conj() ? tensor._conj() : tensor;
  return result.is_neg() ? at::_neg_view(result) : result;
}

} // namespace

Tensor gaudi::bridge::copyFrom(const Tensor &source, const Tensor &to,
                               bool nonBlocking) {
  if (to.numel() == 0)
    return to;
  if (isLazy(source) || isLazy(to)) {
    Tensor memory = memoryOf(to);
    copyFrom(memoryOf(source), memory, nonBlocking);
    if (source.is_conj() != to.is_conj())
      memory.conj_physical_();
    if (source.is_neg() != to.is_neg())
      memory.neg_();
    return to;
  }
  at::assert_no_internal_overlap(to);
  const Tensor wide =
      source.sizes() == to.sizes() ? source : source.expand(to.sizes());
  if (wide.device() == to.device())
    at::assert_no_partial_overlap(to, wide);
  if (!wide.is_hpu()) {
    TORCH_CHECK(wide.is_cpu(), "cannot copy from ", wide.device(), " to ",
                to.device());
    copyIn(wide, to, nonBlocking);
  } else if (!to.is_hpu()) {
    TORCH_CHECK(to.is_cpu(), "cannot copy from ", wide.device(), " to ",
                to.device());
    copyOut(wide, to, nonBlocking);
  } else if (wide.device() == to.device()) {
    copyOnCard(wide, to);
  } else {
    copyIn(wide.cpu(), to, false); // cards have no link but the host's yet
  }
  return to;
}

// --- kernels -----------------------------------------------------------------

namespace {

c10::Device deviceOf(std::optional<c10::Device> device) {
  return device && device->has_index()
             ? *device
             : c10::Device(c10::kHPU, Card::current());
}

Tensor empty(IntArrayRef sizes, std::optional<ScalarType> type,
             std::optional<at::Layout> layout,
             std::optional<c10::Device> device, std::optional<bool> pinned,
             std::optional<at::MemoryFormat> format) {
  TORCH_CHECK(layout.value_or(at::kStrided) == at::kStrided, "tensors of hpu ",
              "have the layout torch.strided, not ", *layout,
              "; leave layout= out");
  TORCH_CHECK(!pinned.value_or(false),
              "only dense CPU tensors can be pinned, not those of hpu; leave "
              "pin_memory= out");
  const c10::DeviceGuard guard(deviceOf(device));
  const ScalarType known =
      type.value_or(at::typeMetaToScalarType(at::get_default_dtype()));
  const Making making("aten::empty", sizes, known);
  return made(at::detail::empty_generic(
      sizes, lazy::isOn() ? &lazy::allocator() : &allocator(), KEYS, known,
      format));
}

Tensor emptyStridedKernel(IntArrayRef sizes, IntArrayRef strides,
                          std::optional<ScalarType> type,
                          std::optional<at::Layout> layout,
                          std::optional<c10::Device> device,
                          std::optional<bool> pinned) {
  TORCH_CHECK(layout.value_or(at::kStrided) == at::kStrided, "tensors of hpu ",
              "have the layout torch.strided, not ", *layout,
              "; leave layout= out");
  TORCH_CHECK(!pinned.value_or(false),
              "only dense CPU tensors can be pinned, not those of hpu; leave "
              "pin_memory= out");
  const ScalarType known =
      type.value_or(at::typeMetaToScalarType(at::get_default_dtype()));
  if (lazy::isOn()) {
    const c10::DeviceGuard guard(deviceOf(device));
    return lazy::makeTensor(sizes, strides, known);
  }
  return emptyStrided(sizes, strides, known, deviceOf(device).index());
}

void growStorage(c10::TensorImpl &tensor, size_t bytes) {
  const at::Storage &storage = tensor.unsafe_storage();
  if (bytes <= storage.nbytes())
    return;
  TORCH_CHECK(storage.resizable(), "this storage of hpu cannot be resized");
  if (storage.nbytes() && lazy::mode() != 0)
    lazy::resolve(*storage.unsafeGetStorageImpl());
  const c10::DeviceGuard guard(storage.device());
  const Making making("aten::resize_", tensor.sizes(),
                      c10::typeMetaToScalarType(tensor.dtype()));
  c10::DataPtr grown = allocator().allocate(bytes);
  if (storage.nbytes())
    allocator().copy_data(grown.get(), storage.data(), storage.nbytes());
  storage.set_data_ptr(std::move(grown));
  storage.set_nbytes(bytes);
}

const Tensor &resizeKernel(const Tensor &self, IntArrayRef sizes,
                           std::optional<at::MemoryFormat> format) {
  c10::TensorImpl &impl = *self.unsafeGetTensorImpl();
  if (sizes != self.sizes()) {
    impl.set_sizes_contiguous(sizes);
    growStorage(impl, at::detail::computeStorageNbytes(sizes, self.strides(),
                                                       self.dtype().itemsize(),
                                                       self.storage_offset()));
  }
  if (format)
    impl.empty_tensor_restride(*format);
  return self;
}

Tensor &setStorage(Tensor &self, at::Storage source, int64_t offset,
                   IntArrayRef sizes, IntArrayRef strides) {
  at::native::checkSetStorage(self, source, offset, sizes, strides);
  c10::TensorImpl &impl = *self.unsafeGetTensorImpl();
  if (strides.data() == nullptr) {
    impl.set_storage_offset(offset);
    impl.set_sizes_contiguous(sizes);
  } else {
    impl.set_sizes_and_strides(sizes, strides, offset);
  }
  growStorage(impl, at::detail::computeStorageNbytes(sizes, self.strides(),
                                                     self.dtype().itemsize(),
                                                     offset));
  return self;
}

Tensor &setWholeStorage(Tensor &self, at::Storage source) {
  const auto count = int64_t(source.nbytes() / self.dtype().itemsize());
  return setStorage(self, std::move(source), 0, {count}, {});
}

Tensor &setTensor(Tensor &self, const Tensor &source) {
  if (self.is_same(source))
    return self;
  return setStorage(self, source.storage(), source.storage_offset(),
                    source.sizes(), source.strides());
}

Tensor &setEmpty(Tensor &self) {
  return setStorage(
      self, at::Storage(c10::Storage::use_byte_size_t(), 0, &allocator(), true),
      0, {0}, {});
}

/// Elements that are stored in half their size cannot be seen as those of other
/// types: their bytes are not what they are on the host.
Tensor viewType(const Tensor &self, ScalarType type) {
  const auto isHalved = [](ScalarType each) {
    return storedType(each) != each;
  };
  TORCH_CHECK(isHalved(self.scalar_type()) == isHalved(type),
              "view: hpu stores ", self.scalar_type(), " as ",
              storedType(self.scalar_type()), " and ", type, " as ",
              storedType(type),
              ", so that the bytes of one are not those of the other; make "
              "the view of a copy on the host: tensor.cpu()");
  return at::native::view_dtype(self, type);
}

Tensor copyFromAndResize(const Tensor &source, const Tensor &to) {
  resizeKernel(to, source.sizes(), std::nullopt);
  return copyFrom(source, to, false);
}

at::Scalar localScalarDense(const Tensor &self) {
  const lazy::Reading reading("the host reads a number");
  if (C10_UNLIKELY(Notes::areKept()))
    Notes::add("host read", "the host reads a number", 0);
  Tensor host = download(self);
  if (self.is_conj())
    host._set_conj(true);
  if (self.is_neg())
    host._set_neg(true);
  return at::_local_scalar_dense(
      host.to(self.scalar_type()).resolve_conj().resolve_neg());
}

// The copy itself materializes what is lazy.
TORCH_LIBRARY_IMPL(aten, Conjugate, library) {
  library.impl("_copy_from", torch::CppFunction::makeFallthrough());
}
TORCH_LIBRARY_IMPL(aten, Negative, library) {
  library.impl("_copy_from", torch::CppFunction::makeFallthrough());
}

TORCH_LIBRARY_IMPL(aten, HPU, library) {
  library.impl("empty.memory_format", &empty);
  library.impl("empty_strided", &emptyStridedKernel);
  library.impl("resize_", &resizeKernel);
  library.impl("set_.source_Storage", &setWholeStorage);
  library.impl("set_.source_Storage_storage_offset", &setStorage);
  library.impl("set_.source_Tensor", &setTensor);
  library.impl("set_", &setEmpty);
  library.impl("_copy_from", &copyFrom);
  library.impl("_copy_from_and_resize", &copyFromAndResize);
  library.impl("_local_scalar_dense", &localScalarDense);
  library.impl("as_strided", &at::native::as_strided_tensorimpl);
  library.impl("view", &at::native::view);
  library.impl("view.dtype", &viewType);
  library.impl("_reshape_alias", &at::native::_reshape_alias);
  library.impl("unfold", &at::native::unfold);
  library.impl("view_as_real", &at::native::view_as_real);
  library.impl("view_as_complex", &at::native::view_as_complex);
}

} // namespace
