// Which freedom that callers could give would remove a transpose.
#ifndef GAUDI_LIB_TRANSFORMS_LAYOUT_REMEDIES_H
#define GAUDI_LIB_TRANSFORMS_LAYOUT_REMEDIES_H

#include "Gaudi/Dialect/Signature.h"
#include "Reasons.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::gaudi::layout {

/// Whether a freedom that callers could give removes a transpose.
class Remedies {
public:
  /// Bounds of the placements that are asked for.
  static constexpr unsigned maxAsked = 4, maxOpsToAsk = 2000;

  Remedies(PlacedFunction &placed, const DeviceTime &time)
      : placed(placed), time(time) {
    unsigned ops = 0;
    for (Operation &op : placed.function.front()) {
      (void)op;
      if (++ops > maxOpsToAsk)
        break;
    }
    left = ops > maxOpsToAsk ? 0 : maxAsked;
    transposes = countOf(placed.placement);
  }

  /// "allow-permutation on argument 'x' removes it", or that nothing does.
  std::string textOf(const Transposition &transposition,
                     ArrayRef<const Reason *> reasons) {
    std::string text;
    for (const Reason *reason : reasons) {
      if (!reason->argument && !reason->result)
        continue;
      const Verdict verdict = askOnce(*reason, transposition);
      if (verdict == Verdict::No)
        continue;
      if (!text.empty())
        text += "; ";
      text += llvm::formatv(
          "allow-permutation on {0} '{1}' {2} it",
          reason->argument ? "argument" : "result",
          reason->argument ? argumentName(placed.function, *reason->argument)
                           : resultName(placed.function, *reason->result),
          verdict == Verdict::Yes ? "removes" : "may remove");
    }
    return text.empty() ? "no option removes it" : text;
  }

private:
  enum class Verdict { No, Yes, Maybe };
  using Key = std::pair<unsigned, unsigned>; // is a result, number

  static size_t countOf(const Placement &placement) {
    size_t count = 0;
    for (const Region &region : placement.regions)
      count += llvm::count_if(region.transposes,
                              [](const auto &t) { return !t.isFree; });
    return count;
  }

  Verdict askOnce(const Reason &reason, const Transposition &transposition) {
    const Key key =
        reason.argument ? Key(0, *reason.argument) : Key(1, *reason.result);
    auto known = answers.find(key);
    if (known == answers.end()) {
      if (left == 0)
        return Verdict::Maybe;
      --left;
      known = answers.try_emplace(key, ask(reason)).first;
    }
    const std::optional<Placement> &answer = known->second;
    if (!answer || countOf(*answer) >= transposes)
      return Verdict::No;
    // It may only have moved.
    for (const Region &region : answer->regions)
      for (const Transposition &other : region.transposes)
        if (other.root == transposition.root && !other.isFree)
          return Verdict::No;
    return Verdict::Yes;
  }

  /// The placement if the argument or result may have any order.
  std::optional<Placement> ask(const Reason &reason) {
    func::FuncOp function = placed.function;
    if (reason.argument ? mayPermuteArgument(function, *reason.argument)
                        : mayPermuteResult(function, *reason.result))
      return std::nullopt; // it had this freedom
    const Attribute unit = UnitAttr::get(function.getContext());
    auto mark = [&](bool isSet) {
      if (reason.argument && isSet)
        function.setArgAttr(*reason.argument, allowPermutationAttrName, unit);
      else if (reason.argument)
        function.removeArgAttr(*reason.argument, allowPermutationAttrName);
      else if (isSet)
        function.setResultAttr(*reason.result, allowPermutationAttrName, unit);
      else
        function.removeResultAttr(
            *reason.result,
            StringAttr::get(function.getContext(), allowPermutationAttrName));
    };
    mark(true);
    std::optional<Placement> answer;
    // Arguments of parts of programs have the order of the whole all the same.
    if (reason.argument ? mayPermuteArgument(function, *reason.argument)
                        : mayPermuteResult(function, *reason.result))
      answer = choosePlacement(function, time);
    mark(false);
    return answer;
  }

  PlacedFunction &placed;
  const DeviceTime &time;
  unsigned left = 0;
  size_t transposes = 0; // that remain without more freedom
  DenseMap<Key, std::optional<Placement>> answers;
};

} // namespace mlir::gaudi::layout

#endif // GAUDI_LIB_TRANSFORMS_LAYOUT_REMEDIES_H
