// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first pass, op or command whose values leave the expected noise.
#include "Gaudi/Reference/Bisect.h"
#include "Bisection.h"
#include "Gaudi/Dialect/QuietDiagnostics.h"
#include "Gaudi/Dialect/Signature.h"
#include "Gaudi/Recipe/HostTensor.h"
#include "Gaudi/Reference/Callers.h"
#include "Gaudi/Reference/Evaluator.h"
#include "Gaudi/Reference/Samples.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/SaveAndRestore.h"
#include <set>

using namespace mlir;
using namespace gaudi;

/// Ops whose results are replaced by what is expected, to see whether the
/// outputs are right then; of functions of much work the first one alone.
static constexpr unsigned mostTrials = 12;
static constexpr double muchWork = 1 << 28;
/// Differences that a report names besides the first.
static constexpr size_t mostOthers = 8;

namespace {
llvm::json::Object jsonOf(const TracedOp &op) {
  llvm::json::Object json{{"name", op.name}, {"location", op.location}};
  llvm::json::Array types;
  for (RankedTensorType type : op.results)
    types.push_back(debugString(type));
  json["types"] = std::move(types);
  return json;
}

llvm::json::Object jsonOf(const Deviation &found, RankedTensorType type) {
  llvm::json::Object json{
      {"elements", int64_t(found.count)},
      {"beyond", int64_t(found.failures)},
      {"element", recipe::positionText(type.getShape().vec(), found.worst)},
      {"got", jsonNumber(found.actual)},
      {"expected", jsonNumber(found.reference)},
      {"error", jsonNumber(found.error)},
      {"allowed", jsonNumber(found.allowed)}};
  if (found.hasNoise) {
    json["noise"] = jsonNumber(found.noise);
    if (found.spread > found.allowedSpread) {
      json["spread"] = jsonNumber(found.spread);
      json["allowed_spread"] = jsonNumber(found.allowedSpread);
    }
  }
  return json;
}
} // namespace

/// One search.
class Session::Bisector {
public:
  /// Of one launch of a program: what the function gives, all its results.
  struct Part {
    uint32_t launch;
    std::vector<ReferenceTensor> results;
    std::vector<NoiseEstimate> limits;
  };

  Bisector(Session &session, Bisection &state, const GaudiBisection &request,
           const Part *part = nullptr)
      : session(session), state(state), request(request), part(part) {}

  LogicalResult run() {
    auto function =
        session.imported->lookupSymbol<func::FuncOp>(session.evaluatedName);
    if (failed(readModel(function)))
      return failure();
    for (Form &form : state.forms)
      forms.push_back(&form);
    if (request.numGolden)
      return compareGolden(functionOf(*forms.front()));
    if (request.suspect.size) {
      std::vector<Form *> others;
      for (Form &form : state.suspectForms)
        others.push_back(&form);
      bool isWithin = false;
      if (failed(compareResults(*others.front(), isWithin)))
        return failure();
      if (!isWithin)
        return compareOps(*others.front(), nearest(*others.front()), "");
      forms = std::move(others);
    }
    bool isWithin = false;
    if (failed(compareResults(*forms.back(), isWithin)))
      return failure();
    if (!isWithin)
      return searchPasses();
    report["passes"] = int64_t(forms.size() - 1);
    report["kind"] = "none";
    // Of a program, the forms of all launches are first.
    return request.numCommands && !request.numForms && !part
               ? compareCommands(*forms.back())
               : success();
  }

  /// The commands alone, after `run` has found nothing.
  LogicalResult runCommands() {
    std::vector<Form> &all =
        request.suspect.size ? state.suspectForms : state.forms;
    report["passes"] = int64_t(all.size() - 1);
    return failed(readModel(session.functionIn(*session.imported)))
               ? failure()
               : compareCommands(all.back());
  }

  llvm::json::Object report;

private:
  func::FuncOp functionOf(Form &form) const { return functionOf(*form.module); }
  func::FuncOp functionOf(ModuleOp module) const {
    return session.functionIn(module);
  }

  /// What the last evaluation of the model tells.
  LogicalResult readModel(func::FuncOp function) {
    assert(
        (part || session.reference.results.size() == session.outputs.size()) &&
        "the model has been evaluated");
    // Forms are made of the source again: what the fusions leave out is marked
    // in the imported model.
    if (session.isRewritten.value_or(false)) {
      func::FuncOp first = functionOf(state.forms.front());
      for (auto [mine, marked] :
           llvm::zip(first.getBody().front(), function.getBody().front()))
        if (mine.getName() == marked.getName() &&
            marked.hasAttr(freeRoundingAttrName))
          mine.setAttr(freeRoundingAttrName, UnitAttr::get(&session.context));
    }
    for (const Evaluation &draw : session.draws)
      if (draw.noise && !draw.hasFailed)
        draws.push_back(*draw.noise);
    for (unsigned i = 0; i < session.outputs.size() && !part; ++i)
      limits.push_back(session.estimateNoise(i));
    return success();
  }

  /// Whether the results of a form are within the noise of the model's.
  LogicalResult compareResults(Form &form, bool &isWithin) {
    func::FuncOp function = functionOf(form);
    auto arguments = function ? session.withExtents(function, state.arguments)
                              : FailureOr<SmallVector<ReferenceTensor>>();
    if (failed(arguments))
      return session.fail(
          "the suspect has other inputs than the model; expected a form of "
          "the same function");
    std::string why;
    auto results = evaluateQuietly(function, *arguments, why);
    ++evaluations;
    if (failed(results))
      return failEvaluation(form, why);
    return compareResults(function, *results, isWithin);
  }

  /// What results of a form are compared with, by number; none: they are not.
  SmallVector<std::optional<unsigned>> comparedResults(func::FuncOp function) {
    if (!part)
      return outputNumbers(function);
    SmallVector<std::optional<unsigned>> all;
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      all.push_back(i);
    return all;
  }
  const ReferenceTensor &expected(unsigned number) const {
    return part ? part->results[number] : session.reference.results[number];
  }
  const NoiseEstimate &limit(unsigned number) const {
    return part ? part->limits[number] : limits[number];
  }

  LogicalResult failEvaluation(const Form &form, const Twine &why) {
    return session.fail(
        "cannot evaluate '" +
        (form.pass.empty() ? Twine(session.entryName) : Twine(form.pass)) +
        "': " + why);
  }

  LogicalResult compareResults(func::FuncOp function,
                               ArrayRef<ReferenceTensor> results,
                               bool &isWithin) {
    isWithin = true;
    for (auto [output, value] :
         llvm::zip_equal(comparedResults(function), results)) {
      if (!output)
        continue;
      const ReferenceTensor &right = expected(*output);
      if (value.getType() != right.getType())
        return session.fail("the suspect has other outputs than the model; "
                            "expected a form of the same function");
      isWithin &= deviationOf(value, right, limit(*output)).passed();
    }
    return success();
  }

  static Deviation deviationOf(const ReferenceTensor &actual,
                               const ReferenceTensor &expected,
                               const NoiseEstimate &noise) {
    const ExpectedNoise limit = {noise.noise.data(), noise.allowed.data(),
                                 noise.seen.data(),  noise.reach.data(),
                                 noise.squares,      noise.strays,
                                 noise.strayError};
    const auto count = uint64_t(expected.getCount());
    return expected.isFloat()
               ? compareElements(
                     count, [&](uint64_t i) { return actual.floats()[i]; },
                     [&](uint64_t i) { return expected.floats()[i]; }, limit)
               : compareElements(
                     count, [&](uint64_t i) { return actual.ints()[i]; },
                     [&](uint64_t i) { return expected.ints()[i]; }, limit);
  }

  /// How many ops of each name with the same types a function has.
  static DenseMap<llvm::hash_code, size_t> kindsOf(func::FuncOp function) {
    DenseMap<llvm::hash_code, size_t> kinds;
    for (const TracedOp &op : opsOf(function))
      ++kinds[llvm::hash_combine(op.name,
                                 llvm::hash_combine_range(op.results))];
    return kinds;
  }

  /// The form of the model that has most in common with a suspect.
  Form &nearest(Form &suspect) {
    const auto kinds = kindsOf(functionOf(suspect));
    Form *best = &state.forms.front();
    double bestShare = -1;
    for (Form &form : state.forms) {
      size_t common = 0, all = 1;
      for (auto [kind, count] : kindsOf(functionOf(form))) {
        common += std::min(count, kinds.lookup(kind));
        all += count;
      }
      for (auto [kind, count] : kinds)
        all += count;
      // What one has and the other has not counts against both.
      const double share = double(common) / double(all);
      if (share > bestShare) {
        best = &form;
        bestShare = share;
      }
    }
    return *best;
  }

  /// The first form whose results are beyond the noise; the last one's are.
  LogicalResult searchPasses() {
    size_t within = 0, beyond = forms.size() - 1;
    bool isWithin = true;
    if (failed(compareResults(*forms.front(), isWithin)))
      return failure();
    if (!isWithin)
      return compareOps(*forms.front(), nearest(*forms.front()), "");
    while (beyond - within > 1) {
      const size_t middle = within + (beyond - within) / 2;
      if (failed(compareResults(*forms[middle], isWithin)))
        return failure();
      (isWithin ? within : beyond) = middle;
    }
    if (!request.suspect.size && !request.numForms)
      state.form = int(within);
    return compareOps(*forms[beyond], *forms[within], forms[beyond]->pass);
  }

  /// The first op of `suspect` that is beyond the noise of `trusted`.
  LogicalResult compareOps(Form &suspect, Form &trusted, StringRef pass) {
    func::FuncOp function = functionOf(suspect), model = functionOf(trusted);
    report["kind"] = "op";
    if (!pass.empty())
      report["pass"] = pass;
    SmallVector<ReferenceTensor> results;
    // Its results have been compared, so that the inputs fit.
    auto trace = traceFunction(
        function, *session.withExtents(function, state.arguments), results);
    ++evaluations;
    if (failed(trace))
      return failEvaluation(suspect, "the values of its ops cannot be kept");
    const std::vector<TracedOp> ops = opsOf(model);
    auto compared =
        compare(*trace, model, align(trace->ops, ops, /*isStrict=*/false));
    if (failed(compared))
      return failure();
    state.function = model;
    state.suspectFunction = function;
    // The first that makes the outputs right where it is right.
    std::optional<size_t> chosen;
    std::optional<bool> isRepaired;
    const double work = workOf(model);
    const unsigned trials = work > muchWork ? 1 : mostTrials;
    for (size_t k = 0; k < std::min<size_t>(compared->first.size(), trials);
         ++k) {
      const TraceDifference &difference =
          compared->differences[compared->first[k].first];
      if (!difference.expected)
        break;
      const bool repairs =
          isRepairedBy(function, *trace, *compared, difference.op);
      if (!chosen || repairs) {
        chosen = k;
        isRepaired = repairs;
      }
      if (repairs)
        break;
    }
    if (!chosen && !compared->first.empty())
      chosen = 0;
    finish(*trace, *compared, ops, chosen, isRepaired);
    if (!chosen)
      searchReturned(function, *trace, *compared, results);
    return success();
  }

  /// Outputs that are beyond the noise although nothing with a counterpart is:
  /// the first op without one that they depend on.
  void searchReturned(func::FuncOp function, const Trace &trace,
                      const TraceComparison &compared,
                      ArrayRef<ReferenceTensor> results) {
    Operation *end = function.getBody().front().getTerminator();
    for (auto [i, output] : llvm::enumerate(comparedResults(function))) {
      if (!output)
        continue;
      const Deviation found =
          deviationOf(results[i], expected(*output), limit(*output));
      Operation *maker = end->getOperand(unsigned(i)).getDefiningOp();
      const auto last = llvm::find_if(trace.ops, [&](const TracedOp &traced) {
        return traced.op == maker;
      });
      if (found.passed() || last == trace.ops.end())
        continue;
      const auto number = size_t(last - trace.ops.begin());
      size_t first = number;
      SmallVector<size_t> left;
      if (compared.states[number] == TraceState::Within)
        report["difference"] = "another value is returned than in the model";
      else
        left.push_back(number);
      llvm::SmallDenseSet<size_t> seen;
      while (!left.empty())
        for (unsigned producer : trace.ops[left.pop_back_val()].producers)
          if (compared.states[producer] == TraceState::Unknown &&
              seen.insert(producer).second) {
            first = std::min<size_t>(first, producer);
            left.push_back(producer);
          }
      report["kind"] = "op";
      report.erase("largest");
      report.erase("share");
      report["op"] = jsonOf(trace.ops[first]);
      if (first != number)
        report["until"] = jsonOf(*last);
      report["result"] = jsonOf(found, results[i].getType());
      return;
    }
  }

  FailureOr<TraceComparison> compare(const Trace &trace, func::FuncOp model,
                                     Alignment alignment) {
    session.errorCount = 0;
    auto arguments = session.withExtents(model, state.arguments);
    if (failed(arguments))
      return session.fail("a form of the model has other inputs");
    auto compared =
        compareTrace(trace, model, *arguments, draws,
                     session.isRewritten.value_or(false), std::move(alignment));
    evaluations += 1 + draws.size();
    if (failed(compared))
      return session.fail("the reference evaluator failed" +
                          session.errorCountText());
    return compared;
  }

  /// Evaluates the function with the expected results of one op.
  bool isRepairedBy(func::FuncOp function, const Trace &trace,
                    const TraceComparison &compared, size_t op) {
    Operation *replaced = trace.ops[op].op;
    const auto repair = [&](MutableArrayRef<ReferenceTensor> results) {
      for (const TraceDifference &difference : compared.differences)
        if (difference.op == op && difference.expected)
          results[difference.result] = difference.expected;
    };
    OwningOpRef<ModuleOp> changed;
    SmallVector<ReferenceTensor> expected;
    const QuietDiagnostics silent(&session.context);
    ++evaluations;
    // Constants are read where they are used, which no observer sees.
    if (isa<ConstantOp>(replaced)) {
      changed = cast<ModuleOp>(function->getParentOp()).clone();
      return isRepairedConstant(functionOf(*changed), trace, compared, op);
    }
    auto results = evaluateForCallers(
        function, *session.withExtents(function, state.arguments),
        [&](Operation *seen, MutableArrayRef<ReferenceTensor> values) {
          if (seen == replaced)
            repair(values);
        });
    bool isWithin = false;
    return succeeded(results) &&
           succeeded(compareResults(function, *results, isWithin)) && isWithin;
  }

  /// The same for a constant of a copy: it gets the value of its counterpart.
  bool isRepairedConstant(func::FuncOp copy, const Trace &trace,
                          const TraceComparison &compared, size_t op) {
    const int partner = compared.alignment.partners[op];
    auto trusted = cast<ConstantOp>(opsOf(state.function)[partner].op);
    auto constant = cast<ConstantOp>(opsOf(copy)[op].op);
    constant->setAttrs(trusted->getAttrDictionary());
    constant.setValueAttr(trusted.getValueAttr());
    std::string why;
    auto results =
        evaluateQuietly(copy, *session.withExtents(copy, state.arguments), why);
    bool isWithin = false;
    return succeeded(results) &&
           succeeded(compareResults(copy, *results, isWithin)) && isWithin;
  }

  /// The first command that is beyond the noise of the last form.
  LogicalResult compareCommands(Form &last) {
    func::FuncOp function = functionOf(last);
    Trace trace;
    ArrayRef commands(request.commands, request.numCommands);
    uint32_t first = 0;
    if (part) {
      const GaudiTracedLaunch &launch = request.launches[part->launch];
      first = launch.firstCommand;
      commands = commands.slice(first, launch.numCommands);
    }
    for (const GaudiTracedCommand &command : commands) {
      TracedOp traced;
      traced.name = command.name;
      traced.location = command.location;
      // What earlier launches made is an argument.
      for (uint32_t producer :
           ArrayRef(command.producers, command.numProducers))
        if (producer >= first)
          traced.producers.push_back(producer - first);
      for (const GaudiTensorType &type :
           ArrayRef(command.results, command.numResults))
        traced.results.push_back(RankedTensorType::get(
            {type.shape, type.rank}, elementTypeOf(type.elementType)));
      trace.ops.push_back(std::move(traced));
    }
    trace.value = [&, first](size_t op,
                             size_t result) -> FailureOr<ReferenceTensor> {
      const RankedTensorType type = trace.ops[op].results[result];
      std::vector<char> bytes(size_t(
          type.getNumElements() * deviceElementBytes(type.getElementType())));
      if (request.read(request.context, first + uint32_t(op), uint32_t(result),
                       reinterpret_cast<uint8_t *>(bytes.data()), bytes.size()))
        return failure();
      return ReferenceTensor::fromBytes(type, bytes);
    };
    // A recipe has fewer integers than a form.
    std::vector<TracedOp> ops = opsOf(function);
    matchIntegers(trace, ops);
    auto compared =
        compare(trace, function, align(trace.ops, ops, /*isStrict=*/true));
    if (failed(compared))
      return failure();
    state.function = function;
    report["kind"] = "command";
    finish(trace, *compared, ops,
           compared->first.empty() ? std::nullopt : std::optional<size_t>(0),
           std::nullopt);
    if (!compared->first.empty())
      if (auto kernel = dyn_cast_or_null<KernelOp>(state.op)) {
        report["parts"] = partsOf(function, kernel);
        report["rank"] = rankOf(kernel, ops);
      }
    // Nothing that can be compared is wrong: what cannot may be.
    auto unknown = llvm::find(compared->states, TraceState::Unknown);
    if (!compared->first.empty() || unknown == compared->states.end())
      return success();
    report["kind"] = "unmatched";
    report.erase("largest");
    report.erase("share");
    report["op"] = jsonOf(trace.ops[unknown - compared->states.begin()]);
    return success();
  }

  /// Which one an op is of those with its name and location, which repeated
  /// layers share.
  static llvm::json::Object rankOf(Operation *op, ArrayRef<TracedOp> ops) {
    const TracedOp &one = *llvm::find_if(
        ops, [&](const TracedOp &traced) { return traced.op == op; });
    int64_t number = 0, count = 0;
    for (const TracedOp &other : ops) {
      if (other.name != one.name || other.location != one.location)
        continue;
      if (other.op == op)
        number = count;
      ++count;
    }
    return llvm::json::Object{{"number", number}, {"of", count}};
  }

  /// The imported ops that a kernel of the last form computes, in program
  /// order: what it depends on, up to the counterparts of other ops.
  llvm::json::Array partsOf(func::FuncOp last, Operation *kernel) const {
    func::FuncOp first = functionOf(state.forms.front());
    const std::vector<TracedOp> mine = opsOf(last), theirs = opsOf(first);
    const Alignment alignment = align(mine, theirs, /*isStrict=*/false);
    DenseSet<Operation *> others;
    llvm::SetVector<Operation *> inside;
    for (auto [traced, partner] : llvm::zip_equal(mine, alignment.partners))
      if (partner >= 0 && traced.op == kernel)
        inside.insert(theirs[partner].op);
      else if (partner >= 0)
        others.insert(theirs[partner].op);
    for (size_t i = 0; i < inside.size(); ++i)
      for (Value operand : inside[i]->getOperands())
        if (Operation *maker = operand.getDefiningOp();
            maker && !others.contains(maker) && !isa<ConstantOp>(maker))
          inside.insert(maker);
    llvm::json::Array parts;
    for (const TracedOp &traced : theirs)
      if (inside.contains(traced.op) && !isa<ViewOpInterface>(traced.op))
        parts.push_back(jsonOf(traced));
    return parts;
  }

  /// What the location of an op names: the module, or the line.
  std::string placeOf(const TracedOp &op) const {
    StringRef text = op.location;
    const auto [before, column] = text.rsplit(':');
    const auto [file, line] = before.rsplit(':');
    unsigned number = 0;
    if (!line.getAsInteger(10, number) && number &&
        number <= request.numPlaces && *request.places[number - 1])
      text = request.places[number - 1];
    return text.split(" at ").first.str();
  }

  /// The first golden value that is beyond the noise of the model's.
  LogicalResult compareGolden(func::FuncOp function) {
    const std::vector<TracedOp> ops = opsOf(function);
    std::vector<std::string> places;
    for (const TracedOp &op : ops)
      places.push_back(placeOf(op));
    Trace trace;
    Alignment alignment;
    std::vector<std::pair<int, const GaudiGolden *>> matched;
    llvm::json::Array unmatched, incomparable;
    std::string reasons;
    for (const GaudiGolden &golden :
         ArrayRef(request.golden, request.numGolden)) {
      std::string why;
      const int partner = partnerOf(golden, ops, places, why);
      if (partner >= 0) {
        matched.push_back({partner, &golden});
        continue;
      }
      (why.empty() ? unmatched : incomparable)
          .push_back(golden.name + (why.empty() ? "" : " " + why));
      reasons += (reasons.empty() ? "'" : "; '") + std::string(golden.name) +
                 "' " + (why.empty() ? "is of no op or module" : why);
    }
    if (matched.empty())
      return session.fail(
          "no golden value can be compared with the model: " + Twine(reasons) +
          "; name values after its modules, as "
          "gaudi_mlir.torch.dump_values does" +
          namesAmong(ops, places));
    // In the order of the model, with what they are computed from.
    llvm::sort(matched);
    for (auto [i, match] : llvm::enumerate(matched)) {
      const TracedOp &op = ops[match.first];
      TracedOp traced{match.second->name, op.location, {}, op.results, nullptr};
      traced.producers = goldenBefore(match.first, ops, matched, i);
      trace.ops.push_back(std::move(traced));
      alignment.partners.push_back(match.first);
    }
    trace.value = [&](size_t op, size_t) {
      return readGolden(*matched[op].second, trace.ops[op].results[0]);
    };
    report["unmatched"] = std::move(unmatched);
    if (!incomparable.empty())
      report["incomparable"] = std::move(incomparable);
    auto compared = compare(trace, function, std::move(alignment));
    if (failed(compared))
      return failure();
    state.function = function;
    const bool isFound = !compared->first.empty();
    finish(trace, *compared, ops,
           isFound ? std::optional<size_t>(0) : std::nullopt, std::nullopt);
    report["kind"] = isFound ? "golden" : "none";
    return success();
  }

  /// Names of values that partnerOf() would find: "0, 1, 2, ...".
  static std::string namesAmong(ArrayRef<TracedOp> ops,
                                ArrayRef<std::string> places) {
    constexpr size_t most = 6;
    llvm::SetVector<StringRef> names;
    for (auto [op, text] : llvm::zip_equal(ops, places)) {
      const StringRef place = text, inside = place.split('.').second;
      // Lines are names, too, but of no module.
      if (!isa<ConstantOp>(op.op) && !op.results.empty() &&
          place.count(':') < 2)
        names.insert(inside.empty() ? place : inside);
    }
    const ArrayRef<StringRef> all = names.getArrayRef();
    return (all.empty() ? "" : ": ") + llvm::join(all.take_front(most), ", ") +
           (all.size() > most ? ", ..." : "");
  }

  /// Whether the elements of both are in the same order: dimensions of one are
  /// products of neighbors of the other.
  static bool haveOneOrder(ArrayRef<int64_t> one, ArrayRef<int64_t> other) {
    const auto strides = [](ArrayRef<int64_t> shape) {
      std::set<int64_t> found;
      int64_t stride = 1;
      for (int64_t size : llvm::reverse(shape))
        found.insert(stride *= size);
      found.insert(1);
      return found;
    };
    const std::set<int64_t> mine = strides(one), theirs = strides(other);
    return llvm::includes(mine, theirs) || llvm::includes(theirs, mine);
  }

  /// The last op of this name that a value can be compared with, or -1; `why`
  /// not, if there is an op of this name.
  int partnerOf(const GaudiGolden &golden, ArrayRef<TracedOp> ops,
                ArrayRef<std::string> places, std::string &why) const {
    const StringRef name = golden.name;
    const auto given =
        RankedTensorType::get({golden.type.shape, golden.type.rank},
                              elementTypeOf(golden.type.elementType));
    int found = -1;
    for (size_t i = 0; i < ops.size(); ++i) {
      // PyTorch's locations begin with the class of the model.
      const auto isNamed = [&](StringRef place) {
        return place == name ||
               (place.consume_front(name) && place.starts_with("."));
      };
      const StringRef place = places[i];
      if ((!isNamed(place) && !isNamed(place.split('.').second)) ||
          ops[i].results.empty() || isa<ConstantOp>(ops[i].op))
        continue;
      const RankedTensorType type = ops[i].results[0];
      if (isa<FloatType>(type.getElementType()) ==
              isa<FloatType>(given.getElementType()) &&
          type.getNumElements() == given.getNumElements() &&
          haveOneOrder(type.getShape(), given.getShape()))
        found = int(i);
      else
        why = "is " + debugString(given) + ", '" + ops[i].name + "' gives " +
              debugString(type);
    }
    return found;
  }

  /// The golden values that an op depends on, without others between.
  static SmallVector<unsigned>
  goldenBefore(int op, ArrayRef<TracedOp> ops,
               ArrayRef<std::pair<int, const GaudiGolden *>> matched,
               size_t number) {
    SmallVector<unsigned> found;
    SmallVector<unsigned> left(ops[op].producers);
    llvm::SmallDenseSet<unsigned> seen;
    while (!left.empty()) {
      const unsigned producer = left.pop_back_val();
      if (!seen.insert(producer).second)
        continue;
      bool isGolden = false;
      for (size_t i = 0; i < number; ++i)
        if (matched[i].first == int(producer)) {
          found.push_back(unsigned(i));
          isGolden = true;
        }
      if (!isGolden)
        left.append(ops[producer].producers);
    }
    return found;
  }

  /// The value, with the type and shape of the model's.
  FailureOr<ReferenceTensor> readGolden(const GaudiGolden &golden,
                                        RankedTensorType type) const {
    const auto given =
        RankedTensorType::get({golden.type.shape, golden.type.rank},
                              elementTypeOf(golden.type.elementType));
    auto tensor = ReferenceTensor::fromBytes(
        given, {reinterpret_cast<const char *>(golden.bytes.data),
                size_t(golden.bytes.size)});
    if (failed(tensor) ||
        tensor->isFloat() != isa<FloatType>(type.getElementType()))
      return failure();
    ReferenceTensor value(type);
    const Type element = type.getElementType();
    if (value.isFloat())
      llvm::transform(tensor->floats(), value.mutableFloats().begin(),
                      [&](double x) { return roundTo(element, x); });
    else
      llvm::transform(tensor->ints(), value.mutableInts().begin(),
                      [&](int64_t x) { return wrapTo(element, x); });
    return value;
  }

  /// Types with a sign that the recipe's integers do not tell: those of an op
  /// of the form with the same name and shape.
  void matchIntegers(Trace &trace, ArrayRef<TracedOp> ops) const {
    for (TracedOp &traced : trace.ops)
      for (auto [r, type] : llvm::enumerate(traced.results)) {
        auto integer = dyn_cast<IntegerType>(type.getElementType());
        if (!integer)
          continue;
        for (const TracedOp &op : ops) {
          if (op.name != traced.name || op.results.size() <= r ||
              op.results[r].getShape() != type.getShape())
            continue;
          auto other = dyn_cast<IntegerType>(op.results[r].getElementType());
          if (other && other.getWidth() == integer.getWidth()) {
            type = op.results[r];
            break;
          }
        }
      }
  }

  Type elementTypeOf(uint8_t element) const {
    const std::string name(recipe::elementName(recipe::ElementType(element)));
    if (name[0] == 'u')
      return IntegerType::get(&session.context, unsigned(std::stoi(&name[1])),
                              IntegerType::Unsigned);
    return parseType(name, &session.context);
  }

  /// Fills in the report of what was compared.
  void finish(const Trace &trace, const TraceComparison &compared,
              ArrayRef<TracedOp> ops, std::optional<size_t> chosen,
              std::optional<bool> isRepaired) {
    int64_t within = 0, beyond = 0, skipped = 0;
    for (TraceState one : compared.states) {
      within += one == TraceState::Within;
      beyond += one == TraceState::Beyond;
      skipped += one == TraceState::Skipped;
    }
    report["ops"] = int64_t(trace.ops.size());
    report["within"] = within;
    report["beyond"] = beyond;
    report["not_compared"] = skipped;
    if (!chosen) {
      // Each is within its noise: the errors of many add up.
      report["kind"] = "sum";
      if (!trace.ops.empty())
        report["largest"] = jsonOf(trace.ops[compared.largestOp]);
      report["share"] = jsonNumber(compared.largest);
      return;
    }
    const auto [position, first] = compared.first[*chosen];
    const TraceDifference &difference = compared.differences[position];
    const TracedOp &measured = trace.ops[difference.op];
    Operation *partner = ops[difference.partner].op;
    std::string how;
    if (measured.op)
      how = howTheyDiffer(measured.op, partner, [&](unsigned k) {
        return isSame(measured.op->getOperand(k), partner->getOperand(k), trace,
                      compared, ops);
      });
    else if (request.numGolden)
      how = "";
    else if (measured.name != ops[difference.partner].name)
      how = "where the model has '" + ops[difference.partner].name + "' at " +
            ops[difference.partner].location;
    // An op that is as the model has it, and one that moves nothing, only carry
    // on what they read.
    const bool carriesOn =
        how.empty() || isa_and_nonnull<ViewOpInterface>(measured.op);
    const size_t blamed = carriesOn ? first : difference.op;
    report["op"] = jsonOf(trace.ops[blamed]);
    if (!measured.op && !request.numGolden)
      report["command"] = int64_t(blamed);
    if (blamed != difference.op)
      report["until"] = jsonOf(measured);
    llvm::json::Object result =
        jsonOf(difference.found, measured.results[difference.result]);
    result["number"] = difference.result;
    report["result"] = std::move(result);
    report["counterpart"] = jsonOf(ops[difference.partner]);
    if (!how.empty() && blamed == difference.op)
      report["difference"] = how;
    if (isRepaired)
      report["repaired"] = *isRepaired;
    llvm::json::Array others;
    for (auto [k, other] : llvm::enumerate(compared.first))
      if (k != *chosen && others.size() < mostOthers)
        others.push_back(
            jsonOf(trace.ops[compared.differences[other.first].op]));
    if (!others.empty())
      report["others"] = std::move(others);
    state.op = partner;
    state.suspectOp = measured.op;
    // A constant alone shows nothing: what reads it does.
    if (isa_and_nonnull<ConstantOp>(measured.op))
      for (auto [i, traced] : llvm::enumerate(trace.ops))
        if (const int other = compared.alignment.partners[i];
            other >= 0 && llvm::is_contained(traced.producers, difference.op)) {
          state.op = ops[other].op;
          state.suspectOp = traced.op;
          break;
        }
  }

  /// Whether operands are the same value of both forms.
  static bool isSame(Value mine, Value theirs, const Trace &trace,
                     const TraceComparison &compared, ArrayRef<TracedOp> ops) {
    auto argument = dyn_cast<BlockArgument>(mine);
    if (auto other = dyn_cast<BlockArgument>(theirs))
      return argument && argument.getArgNumber() == other.getArgNumber();
    if (argument)
      return false;
    for (auto [i, traced] : llvm::enumerate(trace.ops)) {
      if (traced.op != mine.getDefiningOp())
        continue;
      const int partner = compared.alignment.partners[i];
      return partner >= 0 ? ops[partner].op == theirs.getDefiningOp()
                          // What has no counterpart may be equal.
                          : compared.states[i] == TraceState::Within ||
                                compared.states[i] == TraceState::Unknown;
    }
    return true;
  }

public:
  uint64_t evaluations = 0;

private:
  Session &session;
  Bisection &state;
  const GaudiBisection &request;
  const Part *part;
  std::vector<Form *> forms; ///< that are searched
  std::vector<Noise> draws;
  std::vector<NoiseEstimate> limits; ///< of each output
};

LogicalResult Session::bisect(const GaudiBisection &request,
                              const char *&report) {
  if (!imported)
    return fail("no model has been imported");
  // Before passes run.
  const ArrayRef<GaudiBytes> given(request.inputs, request.numInputs);
  bisection = std::make_shared<Bisection>();
  if (!request.numLaunches) {
    auto arguments = firstArguments(
        given, request.numForms || request.numGolden
                   ? "values and forms that are given are compared in one graph"
                   : "the suspect has none; expected a form of the same "
                     "function");
    if (failed(arguments))
      return failure();
    bisection->arguments = std::move(*arguments);
  }
  auto forms = formsOfSource();
  if (failed(forms))
    return failure();
  bisection->forms = std::move(*forms);
  if (request.numForms)
    bisection->forms.resize(1); // as imported
  for (const GaudiForm &form : ArrayRef(request.forms, request.numForms)) {
    auto module = parseGiven(form.name, form.source);
    if (failed(module))
      return failure();
    for (auto function : (*module)->getOps<func::FuncOp>())
      if (Operation *culprit = findNotEvaluable(function))
        return fail("'" + Twine(form.name) + "' has '" +
                    culprit->getName().getStringRef() +
                    "', which the reference evaluator does not know; expected "
                    "forms of gaudi ops, from the end of the import on");
    bisection->forms.push_back({form.name, std::move(*module)});
  }
  if (request.suspect.size) {
    auto module = parseGiven(request.suspectName, request.suspect);
    if (failed(module))
      return failure();
    if (!selected.empty()) {
      const std::string name = ("'" + Twine(request.suspectName) + "'").str();
      if (!(*module)->lookupSymbol<func::FuncOp>(entryName))
        return fail(Twine(name) + " has no function '" + entryName + "'");
      if (failed(inferSymbols(**module, name)))
        return failure();
      module = withOneBucket(std::move(*module), selected);
    }
    forms = formsOf(std::move(*module),
                    "cannot compile '" + Twine(request.suspectName) + "'");
    if (failed(forms))
      return failure();
    bisection->suspectForms = std::move(*forms);
  }
  const auto give = [&](llvm::json::Object json, uint64_t evaluations) {
    json["evaluations"] = int64_t(evaluations);
    llvm::raw_string_ostream(bisection->report)
        << llvm::json::Value(std::move(json));
    report = bisection->report.c_str();
    return success();
  };
  if (request.numLaunches)
    return bisectProgram(request, give);
  Bisector bisector(*this, *bisection, request);
  if (failed(bisector.run()))
    return failure();
  return give(std::move(bisector.report), bisector.evaluations);
}

FailureOr<SmallVector<ReferenceTensor>>
Session::argumentsOfLaunch(const GaudiBisection &request, uint32_t number) {
  auto values = readInputs({request.inputs, request.numInputs});
  if (failed(values))
    return failure();
  const GaudiTracedLaunch &launch = request.launches[number];
  auto function = imported->lookupSymbol<func::FuncOp>(launch.function);
  if (!function)
    return failNoPart(launch.function);
  Evaluation before;
  before.parameters = std::move(*values);
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    const StringAttr name = variableOf(function, i);
    const ArrayRef variables(launch.variables, launch.numVariables);
    const auto *found = llvm::find_if(variables, [&](const auto &variable) {
      return name && name.getValue() == variable.name;
    });
    if (found == variables.end())
      continue;
    auto type = cast<RankedTensorType>(callersArgumentType(function, i));
    std::vector<char> bytes(size_t(type.getNumElements() *
                                   deviceElementBytes(type.getElementType())));
    if (request.readVariable(
            request.context, number, uint32_t(found - variables.begin()),
            reinterpret_cast<uint8_t *>(bytes.data()), bytes.size()))
      return fail("variable '" + name.getValue() + "' cannot be read");
    auto value = ReferenceTensor::fromBytes(type, bytes);
    if (failed(value))
      return failure();
    before.variables[name] = std::move(*value);
  }
  return argumentsOf(function, before);
}

/// Names of the functions that a program runs.
static void addParts(ArrayAttr program, llvm::SetVector<StringRef> &names) {
  for (Attribute step : program)
    if (auto part = dyn_cast<FlatSymbolRefAttr>(step))
      names.insert(part.getValue());
    else
      addParts(cast<ArrayAttr>(cast<ArrayAttr>(step)[1]), names);
}

LogicalResult Session::checkParts(ModuleOp suspect) {
  llvm::SetVector<StringRef> mine, theirs;
  for (auto [module, names] :
       {std::pair(imported.get(), &mine), std::pair(suspect, &theirs)})
    if (func::FuncOp function = functionIn(module))
      if (ArrayAttr program = programOf(function))
        addParts(program, *names);
  for (StringRef name : theirs)
    if (!mine.contains(name))
      return failNoPart(name);
  // Empty: its entry has another name, as its parts do.
  for (StringRef name : mine)
    if (!theirs.empty() && !theirs.contains(name))
      return fail("the suspect has no part '" + name +
                  "' that the model runs; expected a form of the same "
                  "function");
  return success();
}

LogicalResult Session::failNoPart(StringRef name) {
  return fail("the model has no part '" + name + "' that the suspect runs");
}

LogicalResult Session::bisectProgram(
    const GaudiBisection &request,
    function_ref<LogicalResult(llvm::json::Object, uint64_t)> give) {
  if (request.suspect.size &&
      failed(checkParts(*bisection->suspectForms.front().module)))
    return failure();
  std::vector<Noise> noises;
  for (const Evaluation &draw : draws)
    if (draw.noise)
      noises.push_back(*draw.noise);
  uint64_t evaluations = 0;
  // One launch, from the variables that the device had, so that errors of
  // earlier ones are theirs.
  const auto search =
      [&](uint32_t number,
          bool ofCommands) -> FailureOr<std::optional<llvm::json::Object>> {
    const StringRef name = request.launches[number].function;
    const llvm::SaveAndRestore evaluated(evaluatedName, name.str());
    auto arguments = argumentsOfLaunch(request, number);
    if (failed(arguments))
      return failure();
    bisection->arguments = std::move(*arguments);
    auto function = imported->lookupSymbol<func::FuncOp>(name);
    errorCount = 0;
    auto results = evaluateForCallers(function, bisection->arguments);
    if (failed(results))
      return fail("the reference evaluator failed" + errorCountText());
    std::vector<std::vector<ReferenceTensor>> drawn(results->size());
    for (const Noise &noise : noises) {
      const QuietDiagnostics silent(&context);
      if (auto values = evaluateForCallers(function, bisection->arguments,
                                           nullptr, &noise);
          succeeded(values))
        for (auto [list, value] : llvm::zip_equal(drawn, *values))
          list.push_back(std::move(value));
    }
    evaluations += 1 + noises.size();
    Bisector::Part part{number, {results->begin(), results->end()}, {}};
    for (auto [result, list] : llvm::zip_equal(part.results, drawn))
      part.limits.push_back(
          NoiseEstimate::of(result, list, isRewritten.value_or(false)));
    Bisector bisector(*this, *bisection, request, &part);
    const LogicalResult ran =
        ofCommands ? bisector.runCommands() : bisector.run();
    evaluations += bisector.evaluations;
    if (failed(ran))
      return failure();
    const auto kind = bisector.report.getString("kind");
    if (kind == "none" ||
        (ofCommands && (kind == "sum" || kind == "unmatched")))
      return std::optional<llvm::json::Object>();
    bisector.report["part"] = name;
    bisector.report["launch"] = int64_t(llvm::count_if(
        ArrayRef(request.launches, number + 1),
        [&](const auto &launch) { return name == launch.function; }));
    return std::optional(std::move(bisector.report));
  };
  for (const bool ofCommands : {false, true})
    for (uint32_t number = 0; number < request.numLaunches; ++number) {
      if (options.progress)
        options.progress(options.context, number, request.numLaunches);
      auto found = search(number, ofCommands);
      if (failed(found))
        return failure();
      if (*found)
        return give(std::move(**found), evaluations);
    }
  return give(llvm::json::Object{{"kind", "sum"},
                                 {"launches", int64_t(request.numLaunches)}},
              evaluations);
}
