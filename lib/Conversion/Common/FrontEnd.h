// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all front ends share: patterns in two steps, a table of them by op, and
// the reasons of a refusal.
//
// A pattern matches first, reading the op through a Matcher that has nothing to
// build with, and answers with a reason or with a function that builds. That
// function cannot fail. So IR of a failed attempt cannot exist, and several
// patterns may be tried on one op.
#ifndef GAUDI_LIB_CONVERSION_COMMON_FRONTEND_H
#define GAUDI_LIB_CONVERSION_COMMON_FRONTEND_H

#include "Gaudi/Conversion/ConversionReport.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace gaudi {

/// `value` (a type, an attribute) as it is printed.
template <typename T> std::string spelled(const T &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

/// What a refusal of a dynamic size or rank says after naming the type. Sizes
/// that depend on data have no static form, whatever the inputs are.
constexpr StringLiteral needsStaticShape =
    "expected a static shape; export the model with inputs of fixed sizes and "
    "without sizes that depend on data";

/// Builds the replacements of a matched op, one per result. No values means
/// that the op stays for a later one to replace.
template <typename Builder>
using BuildStep = llvm::unique_function<SmallVector<Value>(Builder &)>;

/// A pattern's answer. After a failure the Matcher has the reason.
template <typename Builder> using MatchResult = FailureOr<BuildStep<Builder>>;

/// The op that is being matched, and why it did not match.
class Matcher {
public:
  Matcher(Operation *op, const ConversionReport &report)
      : op(op), report(report) {}

  Operation *getOperation() const { return op; }
  /// True if `other` was refused before.
  bool isRefused(Operation *other) const { return report.contains(other); }

  LogicalResult refuse(const llvm::Twine &why) {
    reason = why.str();
    note.reset();
    return failure();
  }
  /// Refuses because of another op or value, at which a note points.
  LogicalResult refuse(const llvm::Twine &why, Location party,
                       const llvm::Twine &what) {
    reason = why.str();
    note = ConversionReport::Note{party, what.str()};
    return failure();
  }
  /// Empty if the op is not of the kind that the pattern is for.
  const std::string &getReason() const { return reason; }
  /// Has `report` list the op, the reason with `prefix`.
  void reportTo(ConversionReport &report, StringRef prefix = "") const {
    assert(!reason.empty() && "the last pattern for an op says why");
    (void)report.add(op, prefix + reason, note);
  }

private:
  Operation *op;
  const ConversionReport &report;
  std::string reason;
  std::optional<ConversionReport::Note> note;
};

/// Wraps `build(Builder &)`, which returns one value or a vector of them.
template <typename Builder, typename Fn>
MatchResult<Builder> matched(Fn build) {
  using Result = std::invoke_result_t<Fn &, Builder &>;
  if constexpr (std::is_same_v<Result, SmallVector<Value>>)
    return BuildStep<Builder>(std::move(build));
  else
    return BuildStep<Builder>([build = std::move(build)](Builder &b) mutable {
      return SmallVector<Value>{Value(build(b))};
    });
}

/// One pattern per kind of op, found by the op's TypeID.
template <typename MatcherType, typename Builder> class PatternTable {
public:
  using Pattern =
      std::function<MatchResult<Builder>(Operation *, MatcherType &)>;

  /// Registers `match(Op, MatcherType &)`.
  template <typename Op, typename Fn> void add(Fn match) {
    [[maybe_unused]] bool isNew =
        table
            .try_emplace(TypeID::get<Op>(),
                         [match](Operation *op, MatcherType &m) {
                           return match(cast<Op>(op), m);
                         })
            .second;
    assert(isNew && "one pattern per op");
  }

  const Pattern *lookup(Operation *op) const {
    auto it = table.find(op->getName().getTypeID());
    return it == table.end() ? nullptr : &it->second;
  }

private:
  llvm::DenseMap<TypeID, Pattern> table;
};

} // namespace gaudi

#endif // GAUDI_LIB_CONVERSION_COMMON_FRONTEND_H
