// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What PyTorch asks of a device type: devices, streams, events, generators.
#include "Card.h"
#include "Generator.h"
#include "Graph.h"
#include "Lazy.h"

#include <ATen/core/Tensor.h>
#include <ATen/detail/HPUHooksInterface.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>

using namespace gaudi::bridge;

namespace {

class Guard final : public c10::impl::DeviceGuardImplInterface {
public:
  c10::DeviceType type() const override { return c10::kHPU; }
  c10::DeviceIndex deviceCount() const noexcept override {
    return Card::count();
  }
  c10::Device getDevice() const override {
    return {c10::kHPU, Card::current()};
  }
  c10::Device exchangeDevice(c10::Device device) const override {
    return {c10::kHPU, Card::exchange(indexOf(device))};
  }
  void setDevice(c10::Device device) const override {
    Card::exchange(indexOf(device));
  }
  void uncheckedSetDevice(c10::Device device) const noexcept override {
    if (device.has_index())
      Card::exchange(device.index());
  }

  c10::Stream getStream(c10::Device device) const override {
    const Card *card = Card::ifOpen(device.index());
    return streamOf(device, card ? card->currentStream() : 0);
  }
  c10::Stream getDefaultStream(c10::Device device) const override {
    return streamOf(device, 0);
  }
  c10::Stream getStreamFromGlobalPool(c10::Device device,
                                      bool isHighPriority) const override {
    return getNewStream(device, isHighPriority ? 1 : 0);
  }
  c10::Stream getNewStream(c10::Device device, int priority) const override {
    return streamOf(device, Card::get(device.index()).newStream(priority));
  }
  c10::Stream exchangeStream(c10::Stream stream) const override {
    const Card &card = Card::get(stream.device_index());
    if (stream.id() != card.currentStream())
      lazy::cut("another stream", card.index());
    return streamOf(stream.device(), card.exchangeStream(stream.id()));
  }
  void *getStreamNativeHandle(const c10::Stream stream) const override {
    return handleOf(stream);
  }
  c10::DeviceCapability getDeviceCapability(c10::Device) const override {
    c10::DeviceCapability capability;
    // Doubles are stored as floats, which is no support of them.
    capability.capability_data.capability_bits =
        1ULL << at::kIndex_Byte | 1ULL << at::kIndex_Char |
        1ULL << at::kIndex_Short | 1ULL << at::kIndex_Int |
        1ULL << at::kIndex_Long | 1ULL << at::kIndex_Half |
        1ULL << at::kIndex_Float | 1ULL << at::kIndex_ComplexFloat |
        1ULL << at::kIndex_Bool | 1ULL << at::kIndex_BFloat16 |
        1ULL << at::kIndex_Float8_e5m2 | 1ULL << at::kIndex_Float8_e4m3fn;
    return capability;
  }
  bool queryStream(const c10::Stream &stream) const override {
    lazy::cut("a stream is asked", stream.device_index(), stream.id());
    int32_t isDone = 0;
    check(gaudiStreamQuery(handleOf(stream), &isDone));
    return isDone != 0;
  }
  void synchronizeStream(const c10::Stream &stream) const override {
    lazy::cut("a stream is waited for", stream.device_index(), stream.id());
    check(gaudiStreamSynchronize(handleOf(stream)));
  }
  void synchronizeDevice(const c10::DeviceIndex index) const override {
    lazy::cutAll("the card is waited for", index);
    if (const Card *card = Card::ifOpen(index))
      card->synchronize();
  }

  void record(void **event, const c10::Stream &stream, const c10::DeviceIndex,
              const c10::EventFlag) const override {
    lazy::cut("an event is recorded", stream.device_index(), stream.id());
    const Card &card = Card::get(stream.device_index());
    if (!*event)
      check(gaudiEventCreate(card.device(),
                             reinterpret_cast<GaudiEvent **>(event)));
    check(gaudiStreamRecord(card.stream(stream.id()), eventOf(*event)));
    noteRecord(card, *event, stream.id());
  }
  void block(void *event, const c10::Stream &stream) const override {
    lazy::cut("a stream waits for an event", stream.device_index());
    if (!event)
      return;
    check(gaudiStreamWait(handleOf(stream), eventOf(event)));
    noteWait(Card::get(stream.device_index()), event, stream.id());
  }
  bool queryEvent(void *event) const override {
    int32_t isDone = 1;
    if (event)
      check(gaudiEventQuery(eventOf(event), &isDone));
    return isDone != 0;
  }
  void synchronizeEvent(void *event) const override {
    if (event)
      check(gaudiEventSynchronize(eventOf(event)));
  }
  void destroyEvent(void *event,
                    const c10::DeviceIndex) const noexcept override {
    gaudiEventDestroy(eventOf(event));
  }
  double elapsedTime(void *begin, void *end,
                     const c10::DeviceIndex) const override {
    TORCH_CHECK(begin && end, "both events must be recorded before "
                              "elapsed_time is asked of them: call record()");
    int64_t picoseconds = 0;
    check(gaudiEventElapsed(eventOf(begin), eventOf(end), &picoseconds));
    return double(picoseconds) / 1e9;
  }
  void recordDataPtrOnStream(const c10::DataPtr &data,
                             const c10::Stream &stream) const override {
    Card::recordStream(data, stream);
  }

private:
  static c10::DeviceIndex indexOf(c10::Device device) {
    TORCH_CHECK(device.is_hpu(),
                "expected a device hpu, such as \"hpu:0\", got ", device);
    return Card::indexOf(device.index());
  }
  static c10::Stream streamOf(c10::Device device, c10::StreamId id) {
    return c10::Stream(c10::Stream::UNSAFE, {c10::kHPU, indexOf(device)}, id);
  }
  static GaudiStream *handleOf(const c10::Stream &stream) {
    return Card::get(stream.device_index()).stream(stream.id());
  }
  static GaudiEvent *eventOf(void *event) {
    return static_cast<GaudiEvent *>(event);
  }
};

C10_REGISTER_GUARD_IMPL(HPU, Guard)

void recordStream(at::Tensor &self, c10::Stream stream) {
  if (lazy::mode() != 0 && self.storage().nbytes())
    lazy::resolve(*self.storage().unsafeGetStorageImpl());
  Guard().recordDataPtrOnStream(self.storage().data_ptr(), stream);
}

TORCH_LIBRARY_IMPL(aten, HPU, library) {
  library.impl("record_stream", &recordStream);
}

/// The dispatcher would print its list of all keys.
void refuseSparse(const c10::OperatorHandle &op, torch::jit::Stack *) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      false, op.schema().name(),
      ": hpu has no sparse tensors; keep it on the CPU, make it dense: "
      "x.to_dense(), or ask the module for dense gradients: sparse=False");
}

void refuseQuantized(const c10::OperatorHandle &op, torch::jit::Stack *) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      false, op.schema().name(),
      ": hpu has no tensors of quantized types; pass x.int_repr() with its "
      "scale, or x.dequantize()");
}

TORCH_LIBRARY_IMPL(_, SparseHPU, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&refuseSparse>());
}

/// What makes compressed tensors on the card: PyTorch has kernels of these for
/// all devices, which come before a fallback.
TORCH_LIBRARY_IMPL(aten, SparseCsrHPU, library) {
  for (const char *const name :
       {"_to_copy", "_sparse_compressed_tensor_unsafe",
        "_sparse_csr_tensor_unsafe", "_sparse_csc_tensor_unsafe",
        "_sparse_bsr_tensor_unsafe", "_sparse_bsc_tensor_unsafe"})
    library.impl(name,
                 torch::CppFunction::makeFromBoxedFunction<&refuseSparse>());
}

TORCH_LIBRARY_IMPL(_, QuantizedHPU, library) {
  library.fallback(
      torch::CppFunction::makeFromBoxedFunction<&refuseQuantized>());
}

} // namespace

// PyTorch's registry finds the hooks by this name of their class.
struct HPUHooks final : at::HPUHooksInterface {
  explicit HPUHooks(at::HPUHooksArgs) {}

  void init() const override { Card::get(-1); }
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasHPU() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex index) const override {
    return Card::ifOpen(index) != nullptr;
  }
  c10::DeviceIndex deviceCount() const override { return Card::count(); }
  c10::DeviceIndex getCurrentDevice() const override { return Card::current(); }
  void setCurrentDevice(c10::DeviceIndex index) const override {
    Card::exchange(index);
  }
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex index) const override {
    return Card::exchange(index);
  }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex index) const override {
    return index < 0 ? Card::current() : Card::exchange(index);
  }
  c10::Allocator *getPinnedMemoryAllocator() const override {
    return &pinnedAllocator();
  }
  bool isPinnedPtr(const void *memory) const override {
    return isPinned(memory);
  }
  c10::Device getDeviceFromPtr(void *) const override {
    return {c10::kHPU, Card::current()};
  }
  const at::Generator &
  getDefaultGenerator(c10::DeviceIndex index) const override {
    return defaultGenerator(index);
  }
  at::Generator getNewGenerator(c10::DeviceIndex index) const override {
    return newGenerator(index);
  }
};

namespace at {
REGISTER_HPU_HOOKS(HPUHooks)
} // namespace at
