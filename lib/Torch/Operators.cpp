// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of PyTorch's ops.
#include "Gaudi/Torch/Operators.h"
#include "Gaudi/Kernel/Limits.h"
#include "Rules.h"
#include <algorithm>
#include <cassert>
#include <unordered_map>

using namespace gaudi;
using namespace gaudi::torch;

namespace {
using Rule = Result<Results> (*)(Arguments);

struct Row {
  std::string_view schema;
  Rule rule;
  DynamicSizes sizes;
};

/// The rows, read once, and their numbers by name.
struct Table {
  Table();

  std::vector<Operator> rows;
  std::unordered_map<std::string_view, unsigned> numbers;
};
} // namespace

Table::Table() {
  static constexpr Row texts[] = {
#define GAUDI_TORCH_OP(schema, rule, lowering, sizes)                          \
  {schema, rules::rule, DynamicSizes::sizes},
#include "Gaudi/Torch/Operators.def"
  };
  for (const Row &row : texts) {
    auto schema = parseSchema(row.schema);
    assert(schema && "the rows are valid schemas");
    if (schema)
      rows.push_back(
          {std::move(*schema), row.rule, unsigned(rows.size()), row.sizes});
  }
  for (const Operator &op : rows)
    numbers.emplace(op.schema.name, op.row);
}

static const Table &table() {
  static const Table table;
  return table;
}

kernel::Span<const Operator> torch::operators() { return table().rows; }

const Operator *torch::findOperator(std::string_view name) {
  constexpr std::string_view overload = ".default";
  if (name.size() > overload.size() &&
      name.substr(name.size() - overload.size()) == overload)
    name.remove_suffix(overload.size());
  auto it = table().numbers.find(name);
  return it == table().numbers.end() ? nullptr : &table().rows[it->second];
}

uint64_t torch::tableFingerprint() {
  static constexpr std::string_view rows[] = {
#define GAUDI_TORCH_OP(schema, rule, lowering, sizes)                          \
  schema "\n" #rule "\n" #lowering "\n" #sizes "\n",
#include "Gaudi/Torch/Operators.def"
  };
  // FNV-1a
  uint64_t hash = 14695981039346656037u;
  for (std::string_view row : rows)
    for (unsigned char byte : row)
      hash = (hash ^ byte) * 1099511628211u;
  return hash;
}

Status torch::checkSize(const TensorType &type) {
  int64_t count = 1;
  for (int64_t size : type.sizes)
    if (__builtin_mul_overflow(count, std::max<int64_t>(size, 1), &count) ||
        count > kernel::maxTensorElements)
      return fail("a tensor of shape {} has more than {} elements",
                  text(type.sizes), kernel::maxTensorElements);
  return {};
}

Result<Results> torch::inferResults(const Operator &op, Arguments arguments) {
  const auto &parameters = op.schema.parameters;
  if (arguments.size() != parameters.size())
    return fail("expected {} arguments but got {}", parameters.size(),
                arguments.size());
  for (size_t i = 0; i < parameters.size(); ++i)
    GAUDI_TRY(checkArgument(parameters[i], arguments[i]));
  Results results = GAUDI_TRY(op.inferResults(arguments));
  for (const TensorType &type : results)
    GAUDI_TRY(checkSize(type));
  return results;
}
