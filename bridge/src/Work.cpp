// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Work.h"

#include <torch/csrc/distributed/c10d/Work.hpp>
#include <torch/csrc/jit/python/pybind_utils.h>

namespace {

class Finished final : public c10d::Work {
public:
  explicit Finished(std::vector<at::Tensor> given)
      : results(std::move(given)),
        future(c10::make_intrusive<c10::ivalue::Future>(
            c10::ListType::create(c10::TensorType::get()))) {
    future->markCompleted(c10::IValue(results));
  }
  bool isCompleted() override { return true; }
  bool isSuccess() const override { return true; }
  bool wait(std::chrono::milliseconds) override { return true; }
  void synchronize() override {}
  std::vector<at::Tensor> result() override { return results; }
  c10::intrusive_ptr<c10::ivalue::Future> getFuture() override {
    return future;
  }

private:
  std::vector<at::Tensor> results;
  c10::intrusive_ptr<c10::ivalue::Future> future;
};

} // namespace

pybind11::object gaudi::bridge::finishedWork(std::vector<at::Tensor> results) {
  const c10::intrusive_ptr<c10d::Work> work =
      c10::make_intrusive<Finished>(std::move(results));
  return torch::jit::toPyObject(c10::IValue(work));
}
