// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another batch size for a module of static shapes.
#include "Batch.h"
#include "Gaudi/Dialect/LocationText.h"
#include "Gaudi/Dialect/Signature.h"
#include "Growth.h"
#include <numeric>

using namespace mlir;
using namespace gaudi;

/// In a dimension of size 0 nothing does.
bool Batch::grows(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
    if (grows(value, dim) && type.getDimSize(dim) != 0)
      return true;
  return false;
}

void Batch::choose(ArrayRef<BatchTies::Node> nodes) {
  growing.assign(ties.size(), false);
  for (BatchTies::Node node : nodes)
    growing[node] = true;
}

/// What distinguishes a batch from other dimensions, such as features, that
/// grow with the leading dimension of a weight: it is the leading dimension of
/// each argument that has it, and most values have it.
std::pair<bool, size_t> Batch::weight(ArrayRef<Value> values) const {
  bool leads = true;
  size_t count = 0;
  for (Value value : values) {
    auto argument = dyn_cast<BlockArgument>(value);
    auto type = cast<RankedTensorType>(value.getType());
    for (int64_t dim = 1; argument && dim < type.getRank(); ++dim)
      leads &= !grows(value, dim);
    count += !argument && grows(value);
  }
  return {leads, count};
}

/// "the leading dimension of input 'x' (64) cannot change: ...".
static std::string refusal(func::FuncOp function, unsigned argument,
                           Operation *op) {
  const int64_t size = tensorType(function.getArgument(argument)).getDimSize(0);
  const std::string place = locationText(op->getLoc());
  return ("the leading dimension of input '" +
          Twine(argumentName(function, argument)) + "' (" + Twine(size) +
          ") cannot change: '" + op->getName().getStringRef() + "'" +
          (place.empty() ? "" : " at " + Twine(place)) +
          " fixes it; export the model with a dynamic batch "
          "(torch.export.Dim, --size=batch=1..64 of gaudi-import), which may "
          "be planned and swept as it is")
      .str();
}

FailureOr<Batch> Batch::find(func::FuncOp function,
                             std::optional<unsigned> wanted,
                             std::string &error) {
  Batch batch(function);
  const BatchTies &ties = batch.ties;
  const SmallVector<Value, 0> values = valuesOf(function);
  std::optional<unsigned> chosen;
  std::pair<bool, size_t> most;
  SmallVector<BatchTies::Node, 0> best;
  std::vector<bool> known(ties.size());
  for (BlockArgument argument : function.getArguments()) {
    // Each set of dimensions that change together is looked at once.
    const unsigned number = argument.getArgNumber();
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if ((wanted && *wanted != number) || !type || type.getRank() == 0 ||
        type.getDimSize(0) == 0 || known[ties.nodeOf(argument, 0)])
      continue;
    Operation *fixedBy = nullptr;
    auto nodes = ties.reach(ties.nodeOf(argument, 0), fixedBy);
    for (BatchTies::Node node : nodes)
      known[node] = true;
    // How much of the model changes with it: the set with the most is the
    // batch.
    batch.choose(nodes);
    std::pair<bool, size_t> found = batch.weight(values);
    // Where it is a close thing, the one that can change is meant.
    if (fixedBy)
      found.second /= 2;
    if (chosen && found <= most)
      continue;
    most = found;
    chosen = number;
    error = fixedBy ? refusal(function, number, fixedBy) : "";
    best = std::move(nodes);
  }
  if (!chosen)
    error = "'" + function.getName().str() +
            "' has no input with a dimension to change: all of them are "
            "scalars, empty or no tensors; give the model an input whose first "
            "dimension counts samples";
  if (!error.empty())
    return failure();
  // The last set that was chosen may not be the best one.
  batch.choose(best);
  batch.argument = *chosen;
  batch.size = tensorType(function.getArgument(*chosen)).getDimSize(0);
  // Other dimensions may be a fraction of the batch: the new size must keep all
  // of them whole.
  for (Value value : values)
    for (int64_t dim = 0;
         batch.grows(value) && dim < tensorType(value).getRank(); ++dim)
      if (batch.grows(value, dim))
        batch.step =
            std::lcm(batch.step,
                     batch.size / std::gcd(batch.size,
                                           tensorType(value).getDimSize(dim)));
  for (BlockArgument argument : function.getArguments())
    if (batch.grows(argument))
      batch.arguments.push_back(argument.getArgNumber());
  return batch;
}

LogicalResult Batch::resize(int64_t wanted) {
  assert(wanted > 0 && wanted % step == 0 && "a size that divides");
  return grow(function, ties, growing, size, wanted);
}
