// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Generator.h"
#include "Card.h"

#include <ATen/EmptyTensor.h>
#include <ATen/Utils.h>
#include <ATen/core/Tensor.h>

#include <atomic>

using namespace gaudi::bridge;

namespace {

class GeneratorImpl final : public c10::GeneratorImpl {
public:
  explicit GeneratorImpl(c10::DeviceIndex index)
      : c10::GeneratorImpl({c10::kHPU, index},
                           c10::DispatchKeySet(c10::DispatchKey::HPU)) {}

  void set_current_seed(uint64_t value) override {
    key = value, launches = 0;
    ++epoch;
  }
  uint64_t current_seed() const override { return key; }
  void set_offset(uint64_t value) override {
    launches = value;
    ++epoch;
  }
  uint64_t get_offset() const override { return launches; }
  uint64_t seed() override {
    set_current_seed(c10::detail::getNonDeterministicRandom());
    return key;
  }
  /// Seed and offset, as 16 bytes of the host.
  void set_state(const c10::TensorImpl &state) override {
    TORCH_CHECK(
        state.device().is_cpu() && state.numel() == 16 &&
            state.dtype() == caffe2::TypeMeta::Make<uint8_t>(),
        "the state of a generator of hpu is a CPU tensor of 16 bytes, as "
        "torch.hpu.get_rng_state() gives it; got ",
        state.numel(), " elements of ", state.dtype(), " on ", state.device());
    const auto *words = static_cast<const uint64_t *>(state.data());
    key = words[0], launches = words[1];
    ++epoch;
  }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override {
    ++epoch;
    // Past the dispatcher, which makes fake tensors while a graph is traced.
    const at::Tensor state = at::detail::empty_cpu({16}, at::kByte);
    auto *words = reinterpret_cast<uint64_t *>(state.data_ptr<uint8_t>());
    words[0] = key, words[1] = launches;
    return state.getIntrusivePtr();
  }

  /// The finalizer of SplitMix64 (G. Steele et al., "Fast splittable
  /// pseudorandom number generators", OOPSLA 2014).
  uint64_t next() {
    uint64_t word = key + ++launches * 0x9E3779B97F4A7C15;
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
    return word ^ (word >> 31);
  }

private:
  GeneratorImpl *clone_impl() const override {
    auto *copy = new GeneratorImpl(device().index());
    copy->key = key, copy->launches = launches;
    return copy;
  }

public:
  /// Changes where the state is set or read: what is drawn then must not
  /// continue what was drawn before.
  mutable std::atomic<uint64_t> epoch{0};

private:
  uint64_t key = c10::default_rng_seed_val;
  uint64_t launches = 0;
};

} // namespace

const at::Generator &gaudi::bridge::defaultGenerator(c10::DeviceIndex index) {
  static std::vector<at::Generator> generators = [] {
    std::vector<at::Generator> made;
    for (c10::DeviceIndex each = 0; each < Card::count(); ++each)
      made.push_back(at::make_generator<GeneratorImpl>(each));
    return made;
  }();
  return generators[Card::indexOf(index)];
}

at::Generator gaudi::bridge::newGenerator(c10::DeviceIndex index) {
  return at::make_generator<GeneratorImpl>(Card::indexOf(index));
}

uint64_t gaudi::bridge::epochOf(const at::Generator &generator) {
  return static_cast<GeneratorImpl *>(generator.unsafeGetGeneratorImpl())
      ->epoch;
}

int64_t gaudi::bridge::drawKey(const at::Generator &generator) {
  TORCH_CHECK(generator.device().is_hpu(),
              "Expected a 'hpu' device type for generator but found '",
              generator.device().type(),
              "'; make it by torch.Generator(device=\"hpu\")");
  auto *impl = static_cast<GeneratorImpl *>(generator.unsafeGetGeneratorImpl());
  const std::lock_guard lock(impl->mutex_);
  return int64_t(impl->next());
}
