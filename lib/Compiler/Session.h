// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One model on its way through the compiler.
#ifndef GAUDI_LIB_COMPILER_SESSION_H
#define GAUDI_LIB_COMPILER_SESSION_H

#include "ContextPool.h"
#include "Gaudi/Compiler/CompilerApi.h"
#include "Gaudi/Compiler/Resources.h"
#include "Gaudi/Conversion/Inlining.h"
#include "Gaudi/Reference/Noise.h"
#include "Gaudi/Reference/NumericsCheck.h"
#include "Gaudi/Reference/Tensor.h"
#include "Gaudi/Shapes/Recompile.h"
#include "Gaudi/Transforms/Shapes/ShapePasses.h"
#include "GraphDumper.h"
#include "PlanBuckets.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gaudi {

/// What a caller may ask of a compilation of variants. Times are seconds.
struct BucketReport {
  std::string costs, curve;
  std::vector<GaudiCurvePoint> points;
  double plan = 0, structure = 0, derivation = 0, emission = 0;
  std::vector<double> variants; // of the entry
  bool areDerived = false;
  unsigned threads = 1;
};

/// Everything behind a GaudiSession. Functions fail after an error has been
/// put into `error`, in the style of CompilerApi.h.
class Session {
public:
  explicit Session(const GaudiSessionOptions &options);
  ~Session();

  LogicalResult parse(StringRef name, GaudiBytes source);
  LogicalResult import();
  LogicalResult select(ArrayRef<int64_t> sizes);
  LogicalResult describe();
  LogicalResult compile(GaudiBytes &recipe);
  /// Also `drawPairs` pairs of draws of a device's errors.
  LogicalResult evaluate(ArrayRef<GaudiBytes> inputs, bool continues,
                         uint32_t drawPairs);
  /// Inputs of other regimes, where `varies` is not 0: see CompilerApi.h.
  LogicalResult drawInputs(ArrayRef<GaudiBytes> given, ArrayRef<uint8_t> varies,
                           uint32_t seed, double work);
  /// What the draws of the last evaluation tell about a result.
  const NoiseEstimate &estimateNoise(unsigned result);

  /// Compares two settings of autocast: see CompilerApi.h.
  LogicalResult explainPrecision(ArrayRef<GaudiBytes> inputs, StringRef before,
                                 StringRef after, double work,
                                 GaudiPrecision &report);

  /// See CompilerApi.h.
  LogicalResult bisect(const GaudiBisection &request, const char *&report);
  LogicalResult slice(uint32_t depth, bool ofImport, const uint8_t *removed,
                      GaudiSlice &slice);
  LogicalResult findNonFinite(ArrayRef<GaudiBytes> inputs, const char *&report);

  /// Of a static entry, or of one with symbols: then the batch is the symbol
  /// that is a leading dimension, and the others have the sizes that `select`
  /// has chosen, else their largest.
  LogicalResult findBatch(StringRef input, GaudiBatch &batch);
  LogicalResult compileBatch(int64_t size, GaudiBytes &recipe);

  void releaseRecipe() { recipe = {}; }

  /// The name and type of an input or output of the imported function.
  struct Parameter {
    std::string name;
    RankedTensorType type;
    GaudiTensorType abi;
  };
  const std::vector<Parameter> &getInputs() const { return inputs; }
  const std::vector<Parameter> &getOutputs() const { return outputs; }
  /// Of the entry's dynamic dimensions; none: it is static.
  const SmallVector<Symbol> &getSymbols() const { return symbols; }
  /// What drawInputs found.
  struct DrawnInputs {
    std::string regime;
    std::vector<std::vector<char>> bytes;
    std::vector<GaudiBytes> inputs; ///< the same
  };
  const std::vector<DrawnInputs> &getDrawnInputs() const { return drawnInputs; }
  const std::vector<ReferenceTensor> &getResults() const {
    return reference.results;
  }
  const std::string &getEntryName() const { return entryName; }
  /// After describe.
  const shapes::Signature &getSignature() const { return signature; }
  const NumericsSummary &getNumerics() const { return numerics; }
  /// After compile with keepPasses.
  const std::string &getPasses() const { return passes; }
  const BucketReport &getBucketReport() const { return bucketReport; }

  std::string error;
  bool isOptionError = false; ///< `error` is of the options, not of the model
  /// What a pass has reported of an option: no line of the model is to blame.
  std::string optionProblem;

private:
  /// Passes text on to the caller's function.
  class Stream : public llvm::raw_ostream {
  public:
    explicit Stream(const GaudiSessionOptions &options) : options(options) {
      SetUnbuffered();
    }
    ~Stream() override { flush(); }

  private:
    void write_impl(const char *text, size_t size) override {
      if (options.diagnostic)
        options.diagnostic(options.context, text, size);
      position += size;
    }
    uint64_t current_pos() const override { return position; }
    const GaudiSessionOptions &options;
    uint64_t position = 0;
  };

  /// The error, or the one of an option that a pass has reported.
  LogicalResult fail(const Twine &message);
  LogicalResult failOption(const Twine &message);
  /// ": 3 errors" or "".
  std::string errorCountText() const;
  LogicalResult readSource();
  /// Gives constants whose data is not in the text their values.
  LogicalResult attachWeights(ResourceNames &names);
  /// Gives functions of the torch dialect builtin types, and their parameters
  /// the values that the caller has.
  LogicalResult readTorch();
  LogicalResult selectEntries();
  LogicalResult selectNamed(ArrayRef<func::FuncOp> candidates);
  LogicalResult isolateEntries();
  LogicalResult markStates();
  /// "'prefill', 'decode'".
  std::string entryNames() const;
  LogicalResult inferSymbols();
  LogicalResult inferSymbols(ModuleOp module, const Twine &name);
  /// Whether a function has symbols and no variants yet.
  static bool hasSymbols(ModuleOp module);
  /// The parsed module after the phases up to `phase`. Takes the module: a
  /// second call, which is rare, parses again.
  FailureOr<OwningOpRef<ModuleOp>> runPipeline(StringRef phase,
                                               const Twine &doing);
  /// Which phases run: those after `startAfter` (empty: all) up to `stopAfter`.
  struct Phases {
    StringRef stopAfter, startAfter = "";
    bool derivesVariants = false;
    BucketPlanning *planning = nullptr; // of the buckets, in phase shapes
    /// "batch,seq=1x16,8x128": these buckets, of a copy that is thrown away.
    StringRef probes = "";
  };
  FailureOr<OwningOpRef<ModuleOp>> runPasses(OwningOpRef<ModuleOp> module,
                                             const Phases &phases,
                                             const Twine &doing);
  LogicalResult addPhases(PassManager &manager, ModuleOp module,
                          const Phases &phases, std::string &problem);
  /// The passes alone; `problem` says what is wrong with the options. Several
  /// modules may be run at a time if numerics are not checked.
  LogicalResult runPhases(ModuleOp module, const Phases &phases,
                          std::string &problem);

  // Of searches in the forms of the model (Forms.cpp, Bisect.cpp, ...).
  struct Form;
  struct Bisection;
  class Bisector;
  /// The forms of a module that the reference knows: with autocast, which
  /// rounds on purpose, from the end of the import on unless `all` are wanted.
  FailureOr<std::vector<Form>> formsOf(OwningOpRef<ModuleOp> module,
                                       const Twine &doing, bool all = false);
  /// The same of the source, at the sizes that were selected.
  FailureOr<std::vector<Form>> formsOfSource(bool all = false);
  /// What is evaluated, in a form; null: it has none.
  func::FuncOp functionIn(ModuleOp form) const;
  /// What the evaluated function reads on the first launch, but for extents,
  /// which forms differ in. `why` a function with loops that the host runs is
  /// refused.
  FailureOr<SmallVector<ReferenceTensor>>
  firstArguments(ArrayRef<GaudiBytes> inputs, StringRef why);
  /// The same with the extents that a form has; fails if it reads others.
  FailureOr<SmallVector<ReferenceTensor>>
  withExtents(func::FuncOp form, ArrayRef<ReferenceTensor> arguments) const;
  /// What a launch of a program reads, with the variables that a device had.
  FailureOr<SmallVector<ReferenceTensor>>
  argumentsOfLaunch(const GaudiBisection &request, uint32_t number);
  /// An error if another form of a program has other parts.
  LogicalResult checkParts(ModuleOp suspect);
  LogicalResult failNoPart(StringRef name);
  /// The first launch of a program that differs.
  LogicalResult
  bisectProgram(const GaudiBisection &request,
                function_ref<LogicalResult(llvm::json::Object, uint64_t)> give);
  FailureOr<OwningOpRef<ModuleOp>> parseGiven(StringRef name, GaudiBytes text);
  void recordForms(PassManager &manager);
  /// The recipe's number of an element type of the device.
  static uint8_t elementNumber(Type type);

  // Of functions with symbols. Variants are compiled as modules of their own,
  // here called parts (VariantModules.h), several at a time; samples are
  // variants from which others are derived (docs/buckets.md).

  /// The recipe of a module in which a function has symbols.
  LogicalResult compileVariants(OwningOpRef<ModuleOp> module,
                                GaudiBytes &bytes);
  /// A copy of the source in which the entry, which is left alone, has one
  /// bucket.
  OwningOpRef<ModuleOp> sourceAt(ArrayRef<int64_t> sizes);
  OwningOpRef<ModuleOp> withOneBucket(OwningOpRef<ModuleOp> module,
                                      ArrayRef<int64_t> sizes) const;
  /// The error that no input is called `name`, with those that there are.
  LogicalResult failNoInput(func::FuncOp function, StringRef name);
  LogicalResult findSymbolicBatch(StringRef input, GaudiBatch &batch);
  LogicalResult compileSymbolicBatch(int64_t size, GaudiBytes &recipe);
  void loadDialects(const Phases &phases);
  /// Runs the phases on each part. Diagnostics and remarks of samples are
  /// dropped.
  std::vector<char> runParts(ArrayRef<ModuleOp> parts, const Phases &phases,
                             llvm::function_ref<bool(size_t)> isSample,
                             std::string &problem,
                             std::vector<double> *times = nullptr);
  /// The module with all variants: derived, and then after phase schedule, or
  /// after phase shapes alone.
  FailureOr<OwningOpRef<ModuleOp>> variantsUpTo(OwningOpRef<ModuleOp> module,
                                                const Phases &how,
                                                StringRef &phase,
                                                const Twine &doing);
  /// Compiles the samples up to phase schedule; false if one failed.
  FailureOr<bool> compileSamples(ModuleOp module, const Phases &how,
                                 const Twine &doing);
  bool isSerial() const;
  /// Predicts launches at a grid of sizes, for the choice of buckets.
  Probes probe(func::FuncOp function,
               const std::vector<gaudi::shapes::Axis> &axes);
  /// Fills the bucket report.
  void report(const BucketPlanning &planning, ModuleOp module,
              const std::map<std::string, double> &taken);

  /// Makes the recipe of a module after all phases.
  LogicalResult emit(ModuleOp module, GaudiBytes &bytes);
  LogicalResult compileModule(GaudiBytes &bytes);
  LogicalResult describeSignature(func::FuncOp function);
  FailureOr<ReferenceTensor> readInput(GaudiBytes bytes,
                                       const Parameter &parameter);
  /// All inputs of the imported function.
  FailureOr<std::vector<ReferenceTensor>>
  readInputs(ArrayRef<GaudiBytes> given);
  /// "batch from 1 to 64, seq from 16 to 4096".
  std::string symbolNames() const;
  FailureOr<ReferenceTensor> extentValue(func::FuncOp function,
                                         unsigned argument,
                                         AffineMapAttr extent) const;
  /// One evaluation: of the reference, or of a draw of a device's errors.
  struct Evaluation {
    std::optional<Noise> noise;
    /// The inputs, and the variables by name; of states what they are now.
    std::vector<ReferenceTensor> parameters;
    DenseMap<StringAttr, ReferenceTensor> variables;
    std::vector<ReferenceTensor> results;
    bool hasFailed = false; ///< a draw, such as by an index out of bounds
  };
  LogicalResult evaluate(Evaluation &evaluation, func::FuncOp function,
                         ArrayRef<ReferenceTensor> given, bool continues);
  /// What `function` reads: parameters, variables and sizes.
  FailureOr<SmallVector<ReferenceTensor>> argumentsOf(func::FuncOp function,
                                                      Evaluation &evaluation);
  /// Keeps the module that is evaluated, for the device of the session.
  void setImported(OwningOpRef<ModuleOp> module);
  /// Fuses a copy of `imported`, marks the ops whose roundings that leaves out,
  /// and keeps the copy in `rewritten` if there are some.
  LogicalResult markFreeRoundings();
  /// Draws of the rewritten function, and what they are compared with.
  void drawRewritten(ArrayRef<ReferenceTensor> values);
  /// Evaluates a function on parameters and variables, and changes those that
  /// it replaces.
  LogicalResult launch(Evaluation &evaluation, func::FuncOp function);
  LogicalResult runSteps(Evaluation &evaluation, ArrayAttr steps,
                         uint64_t &iterations);

  /// Whether `compile` follows the passes, which then run one at a time.
  bool dumpsGraphs() const {
    return !dumpFolder.empty() || options.keepPasses != 0;
  }

  /// Lets other sessions have the context after this one.
  void shareContext();

  /// Most ops that unrolling and inlining may add.
  uint64_t expandedOps() const {
    return options.maxExpandedOps ? options.maxExpandedOps : defaultExpandedOps;
  }

  GaudiSessionOptions options;
  std::string device, wantedEntries, states, permutable, disabledFusions,
      requiredFusions, autocast, shape, buckets, bucketHistogram, bucketCost;
  std::string sourceName;
  std::unique_ptr<GraphDumper> dumper; // of a compilation that dumps
  std::string dumpFolder, passes;
  std::vector<std::string> entries; // that are compiled
  std::string entryName;            // the one that is described and evaluated
  bool isSilent = false;            // remarks are of copies
  LeasedContext lease;
  MLIRContext &context;
  std::shared_ptr<llvm::SourceMgr> sources;
  StringRef sourceText; // the caller's, valid while the session lives
  std::optional<std::string> packedText; // what is parsed instead
  bool parsed = false;         // `sources` hold a module that can be read again
  ResourceNames resourceNames; // of the source; renamed when it is read again
  ResourceNames parameterNames; // those, and the torch dialect's parameters
  Stream stream;
  std::unique_ptr<SourceMgrDiagnosticHandler> printer;
  std::unique_ptr<ScopedDiagnosticHandler> filter;
  unsigned errorCount = 0;

  OwningOpRef<ModuleOp> source, imported;
  SmallVector<Symbol> symbols;   // of the entry; then `source` is kept
  SmallVector<int64_t> selected; // sizes of them in `imported`
  std::string evaluatedName;     // of the function in `imported`
  std::vector<Parameter> inputs, outputs;
  Evaluation reference;
  std::vector<Evaluation> draws;
  /// The model with what its fusions compute, and of the last evaluation its
  /// results and draws; empty where only the draws of the model were asked for.
  OwningOpRef<ModuleOp> rewritten;
  Evaluation rewrittenResults;
  std::vector<Evaluation> rewrittenDraws;
  /// Whether fusions leave out ops of `imported`, once markFreeRoundings has
  /// looked.
  std::optional<bool> isRewritten;
  std::vector<DrawnInputs> drawnInputs;
  /// What explainPrecision found, with the texts that it refers to.
  struct Precision {
    struct Texts {
      std::string name, location, before, after, reason;
    };
    std::vector<Texts> texts;
    std::vector<GaudiPrecisionOp> ops;
    std::vector<GaudiPrecisionOutput> outputs;
  } precision;
  std::shared_ptr<Bisection> bisection;
  std::string birth; // of findNonFinite
  /// Receives the module after each pass that changed it, if not null.
  std::vector<Form> *recordedForms = nullptr;
  bool recordsAllForms = false;
  NoiseEstimate noise; // of the result that was asked for last
  std::vector<uint8_t> recipe;
  std::optional<unsigned> batchArgument; // of findBatch
  std::optional<unsigned> batchSymbol;   // the same of an entry with symbols
  std::vector<uint32_t> batchInputs;
  NumericsSummary numerics;
  shapes::Signature signature;
  BucketReport bucketReport;
  /// Variants after phase schedule, by entry and sizes, that probes have
  /// compiled and the compilation of the buckets may need again.
  std::map<std::pair<std::string, std::vector<int64_t>>, OwningOpRef<ModuleOp>>
      scheduled;
  std::map<std::string, double> predictionSeconds; // by variant
};

} // namespace gaudi

#endif // GAUDI_LIB_COMPILER_SESSION_H
