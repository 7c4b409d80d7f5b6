// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The compiler as a library that tools load at run time (libGaudiCompiler.so).

   A plain C interface, so that a program that only runs recipes need not link
   or load MLIR. Nothing throws or exits across it. Every pointer that is
   returned belongs to the session and lives until the session is destroyed or
   the call that made it is repeated. A session is used by one thread. */
#ifndef GAUDI_COMPILER_COMPILERAPI_H
#define GAUDI_COMPILER_COMPILERAPI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GAUDI_COMPILER_API_VERSION 17u
#define GAUDI_COMPILER_API_SYMBOL "gaudiCompilerApi"

typedef struct GaudiSession GaudiSession;

/* What a pass did or did not do. The texts live during the call. */
typedef struct GaudiRemark {
  const char *pass;     /* "gaudi-fuse-tpc" */
  const char *kind;     /* "passed", "missed", "failed" or "analysis" */
  const char *location; /* "file:line:column" as in recipes, or "" */
  const char *text;
  const char *name; /* what of the pass it is about: "keep-apart" */
  /* Of missed ones, what was lost at most: picoseconds on the device and bytes
     of its memory. -1: not known; 0: nothing. */
  int64_t lostPicoseconds;
  int64_t lostBytes;
} GaudiRemark;

/* Dense row-major little-endian elements; i1 takes one byte. */
typedef struct GaudiBytes {
  const uint8_t *data;
  uint64_t size;
} GaudiBytes;

/* The values of a dense_resource<name> constant that the source leaves out. */
typedef struct GaudiResourceValue {
  const char *name;
  GaudiBytes bytes;
  const char *elementType; /* as safetensors files name it: "F32" */
  uint32_t rank;
  const int64_t *shape;
} GaudiResourceValue;

typedef struct GaudiSessionOptions {
  const char *device; /* "gaudi", "gaudi2" or "gaudi3" */
  /* Function to compile, or several separated by commas. Null: "main",
     "forward" or the only one. */
  const char *entry;
  int32_t allEntries; /* null above: every public function that none calls */
  /* Inputs that outputs replace from launch to launch, besides those that the
     model marks: "IN=OUT,...", each a name, a number from 0 or a range of
     numbers such as 1-3. May be null. */
  const char *state;
  /* Inputs and outputs that may be stored in another order than the caller's:
     "x,out0", "inputs", "outputs" or "all". Everything else here speaks of
     tensors in the caller's order. May be null. */
  const char *allowPermutation;
  /* Fusions to leave out ("sdpa,tpc"), and how many of a kind must be fused
     ("sdpa:12,adamw:1"). May be null. */
  const char *disableFusion;
  const char *requireFusion;
  /* "bf16", "f16", with files of lists "bf16:lower=FILE:fp32=FILE"
     (docs/precision.md). May be null: as the model says. */
  const char *autocast;
  /* What `import` gives is for explainPrecision; not with `autocast`. */
  int32_t marksSources;
  /* Bounds of dynamic dimensions besides those that the model gives:
     "x:batch=1..64,seq=16..4096/16;y:batch". May be null. */
  const char *shape;
  /* The buckets of dynamic sizes: "exponential:8", "optimal:11",
     "batch=linear:4,seq=explicit:128,512" (docs/buckets.md). Null: chosen. */
  const char *buckets;
  const char *bucketHistogram; /* CSV file of observed sizes; may be null */
  /* What the buckets save with a histogram: "device-time", "elements", or a
     CSV file of costs by sizes. Null: device-time. */
  const char *bucketCost;
  int32_t bucketCurve; /* compare strategies; needs the histogram */
  /* Bytes of workspace that may be alive at once; 0: no limit. */
  uint64_t memoryBudget;
  /* Most ops that unrolling and inlining may add, each; 0: 131,072 */
  uint64_t maxExpandedOps;
  int32_t verifyFusion;  /* evaluate what is fused before and after */
  int32_t checkNumerics; /* evaluate before and after each pass */
  uint32_t seed;         /* of the inputs of checkNumerics */
  int32_t liftElided;    /* constants without data become inputs */
  int32_t remarks;       /* report what passes did and did not do */
  /* Folder for the module after each pass of `compile` that changed it
     (docs/replay.md); passes then run one at a time. May be null. */
  const char *dumpGraphs;
  /* Named in the warning with which compilations go on where the folder cannot
     be written, once for a process; null: that is an error. */
  const char *dumpGraphsWish;
  int32_t keepPasses;     /* for `passes` */
  uint64_t maxIterations; /* of the loops of one evaluation */
  uint32_t threads; /* 1: compile on the calling thread; 0: as many as useful */
  /* Used in place, so they must stay until the session is destroyed. Null:
     there are none, and what reads a constant without data refuses it. Not
     null: every constant needs its data here, in the source or in the file that
     the source names. */
  const GaudiResourceValue *resources;
  uint32_t numResources;
  void *context; /* passed to the functions below */
  /* Diagnostics as text: "file:line:column: error: ...", with the source line.
     May be null. */
  void (*diagnostic)(void *context, const char *text, size_t length);
  /* Every remark of a pass, one call at a time, whether or not `remarks` is
     set. May be null. */
  void (*remark)(void *context, const GaudiRemark *remark);
  /* Called while `evaluate` runs. May be null. */
  void (*progress)(void *context, uint64_t done, uint64_t total);
} GaudiSessionOptions;

typedef struct GaudiTensorType {
  const char *name;    /* as in the recipe */
  uint8_t elementType; /* gaudi::recipe::ElementType */
  uint32_t rank;
  const int64_t *shape;
} GaudiTensorType;

/* One result of the reference evaluator, in full precision. */
typedef struct GaudiValues {
  uint64_t count;
  const double *floats;    /* null for integers */
  const int64_t *integers; /* null for floats */
} GaudiValues;

/* What is expected of a device's result: the fields of gaudi::ExpectedNoise,
   with one element of each array for each of the result. */
typedef struct GaudiNoise {
  const double *noise, *allowed, *seen, *reach;
  double squares;
  uint64_t strays;
  double strayError;
} GaudiNoise;

/* An op as autocast sees it, and what of the error it causes: see
   gaudi::ErrorCause. */
typedef struct GaudiPrecisionOp {
  const char *name; /* as PyTorch's Python has it: "linear" */
  const char *location;
  const char *rule; /* list of the second setting: "lower", "fp32", "promote",
                       "none" */
  const char *before, *after; /* types of its results: "f32", "bf16" */
  const char *reason;         /* of `after` */
  double alone, back, share;
  uint32_t group; /* ops with the same number were switched together; 0: was
                     not switched */
} GaudiPrecisionOp;

/* The error of an output of the second setting against the first. */
typedef struct GaudiPrecisionOutput {
  double error;   /* norm of the difference per norm of the output, that norm
                     itself if the output is zero; infinite if elements are not
                     finite any more */
  double norm;    /* of the output in the first setting */
  double largest; /* absolute, of elements that are finite */
  uint64_t notFinite;
  uint64_t notFiniteBefore; /* elements that are left out for that */
} GaudiPrecisionOutput;

typedef struct GaudiPrecision {
  uint32_t numOps;
  const GaudiPrecisionOp *ops; /* in program order */
  uint32_t numOutputs;
  const GaudiPrecisionOutput *outputs;
  double error; /* root of the mean of the squares of `error` */
  uint64_t evaluations;
} GaudiPrecision;

/* Inputs of the imported function, in order, and the regime that they are of
   (docs/numerics.md). */
typedef struct GaudiSample {
  const char *regime;
  const GaudiBytes *inputs;
} GaudiSample;

/* What checkNumerics compared while the pipeline ran. */
typedef struct GaudiNumerics {
  uint32_t compared;  /* passes that kept the values of the entry */
  uint32_t passes;    /* passes that ran */
  const char *whyNot; /* why the last of the others was not checked, or "" */
} GaudiNumerics;

/* The inputs that grow with the leading dimension of one of them. */
typedef struct GaudiBatch {
  int64_t size; /* of that dimension */
  int64_t step; /* other sizes must be multiples of it */
  uint32_t numInputs;
  const uint32_t *inputs; /* numbers of inputs */
} GaudiBatch;

/* A size that a launch chooses, from `min` to `max`. */
typedef struct GaudiSymbol {
  const char *name;
  int64_t min, max, multiple;
} GaudiSymbol;

/* What the compilation of the entry depends on, as its source says it
   (gaudi::shapes::Signature). Sizes that are dynamic are INT64_MIN. */
typedef struct GaudiSourceInput {
  const char *name, *elementType, *attributes;
  uint32_t rank;
  const int64_t *shape;
} GaudiSourceInput;

/* An aspect of an op; each byte 1 of `text` stands for one of `sizes`. */
typedef struct GaudiSourceField {
  const char *label, *text;
  uint32_t numSizes;
  const int64_t *sizes;
} GaudiSourceField;

typedef struct GaudiSourceOp {
  const char *name, *location;
  uint32_t numFields;
} GaudiSourceOp;

/* `values`: a few, one if all are equal, none if there are more. */
typedef struct GaudiSourceConstant {
  const char *name, *location, *elementType;
  uint32_t rank;
  const int64_t *shape;
  uint64_t hash;
  uint32_t numValues;
  const double *values;
} GaudiSourceConstant;

typedef struct GaudiSourceSummary {
  const char *compiler; /* "gaudi-mlir 0.1.0" */
  uint32_t numInputs, numOutputs, numOps, numConstants;
} GaudiSourceSummary;

/* The best buckets of a strategy for a budget, for the histogram. */
typedef struct GaudiCurvePoint {
  const char *strategy; /* "optimal", "exponential", ... */
  uint32_t maxBuckets, buckets;
  double waste;      /* what padding takes per what the real sizes take */
  double leastWaste; /* below which no choice of that many buckets gets */
} GaudiCurvePoint;

/* How the buckets of the entry were chosen. */
typedef struct GaudiBucketPlan {
  /* What launches take by the sizes that were predicted, in picoseconds: CSV as
     plan-buckets --cost reads it. "": by elements. */
  const char *costs;
  /* With bucketCurve: strategies one after the other, budgets ascend. */
  uint32_t numPoints;
  const GaudiCurvePoint *points;
  const char *curve; /* the same with the boundaries, as CSV; or "" */
} GaudiBucketPlan;

/* Seconds of the host that `compile` of an entry with variants took. */
typedef struct GaudiCompileTimes {
  double plan;       /* the choice of buckets, with its probes */
  double structure;  /* the phases before memory, of all that were compiled */
  double derivation; /* of variants from those that were compiled */
  double emission;   /* of the recipe, with the predicted times */
  uint32_t numVariants;
  /* Of one thread, per variant of the entry: phase memory (all phases, if each
     is compiled from the source) and the prediction of its time. */
  const double *variants;
  int32_t areDerived;
  uint32_t threads; /* that shared the variants */
} GaudiCompileTimes;

/* A command of a recipe that was launched on the inputs of a bisection. */
typedef struct GaudiTracedCommand {
  const char *name, *location;
  /* Numbers of the commands before it that wrote what it reads. */
  uint32_t numProducers;
  const uint32_t *producers;
  uint32_t numResults;
  const GaudiTensorType *results; /* as they are stored */
} GaudiTracedCommand;

/* A launch of one function of a program (loops that the host runs): its
   commands are numCommands from firstCommand on. */
typedef struct GaudiTracedLaunch {
  const char *function;
  uint32_t firstCommand, numCommands;
  /* What they have before it; bytes as they are stored. */
  uint32_t numVariables;
  const GaudiTensorType *variables;
} GaudiTracedLaunch;

/* A value of another implementation, by the name of an op or of a module of the
   model ("encoder.layer.0"): what the last op of that name gives, or of a
   module in it. Floats may have another type than that op. */
typedef struct GaudiGolden {
  const char *name;
  GaudiTensorType type;
  GaudiBytes bytes;
} GaudiGolden;

/* The module after a pass of a compilation, in gaudi ops. The text is used in
   place while the session lives. */
typedef struct GaudiForm {
  const char *name;
  GaudiBytes source;
} GaudiForm;

typedef struct GaudiBisection {
  const GaudiBytes *inputs; /* of the imported function */
  uint32_t numInputs;
  /* These alone are compared with what the imported model gives. */
  const GaudiGolden *golden;
  uint32_t numGolden;
  /* What lines of the source are called, by number from 0; else locations
     name ops. */
  const char *const *places;
  uint32_t numPlaces;
  /* Instead of what the passes of this session make. */
  const GaudiForm *forms;
  uint32_t numForms;
  /* Another form of the model, in any dialect, whose entry has the same inputs
     and outputs; its passes are searched instead of the model's. Null: none.
     Used in place while the session lives. */
  const char *suspectName;
  GaudiBytes suspect;
  /* What a device ran; none: only forms are searched. */
  const GaudiTracedCommand *commands;
  uint32_t numCommands;
  /* Fills in what a command gave; 0 for success. */
  int32_t (*read)(void *context, uint32_t command, uint32_t result,
                  uint8_t *bytes, uint64_t size);
  /* Of a program, which has no other commands than those of its launches. */
  const GaudiTracedLaunch *launches;
  uint32_t numLaunches;
  int32_t (*readVariable)(void *context, uint32_t launch, uint32_t variable,
                          uint8_t *bytes, uint64_t size);
  void *context;
} GaudiBisection;

/* The op that a bisection found, cut out of the model, with its operands as
   inputs: text of modules. */
typedef struct GaudiSlice {
  const char *model;
  const char *suspect; /* the same of the suspect; "": the model is suspect */
  uint32_t numInputs;
  const GaudiTensorType *types;
  const GaudiBytes *inputs;
  int32_t isWhole; /* it has all that the op depends on */
  uint32_t numOps; /* besides the one that was found, from 0 in their order */
} GaudiSlice;

/* Functions that return int32_t return 0 for success, else one of these. After
   a failure, `error` gives one sentence; details went to `diagnostic`. */
#define GAUDI_STATUS_MODEL 1  /* or anything else but an option */
#define GAUDI_STATUS_OPTION 2 /* what the options ask for cannot be */
#define GAUDI_DRAWS_BY_WORK UINT32_MAX
#define GAUDI_MORE_DRAWS_BY_WORK (UINT32_MAX - 1) /* four times as many */
typedef struct GaudiCompilerApi {
  uint32_t version;
  /* gaudi::torch::tableFingerprint: who loads the library asks its own table
     which of PyTorch's ops the front end knows. */
  uint64_t torchTable;
  GaudiSession *(*create)(const GaudiSessionOptions *options);
  void (*destroy)(GaudiSession *session);
  const char *(*error)(const GaudiSession *session);

  /* Reads a module, text or bytecode, and finds its entries. `name` is used in
     locations. `source` must stay until the session is destroyed: each further
     run of the pipeline (import, compile) reads it again. */
  int32_t (*parse)(GaudiSession *session, const char *name, GaudiBytes source);
  /* The first one named in the options, else the one that would be compiled
     alone; "" if there is none. */
  const char *(*entryName)(const GaudiSession *session);

  /* Brings that entry to the gaudi dialect. Needed before the signature is
     asked for and before `evaluate`. */
  int32_t (*import)(GaudiSession *session);
  uint32_t (*numInputs)(const GaudiSession *session);
  uint32_t (*numOutputs)(const GaudiSession *session);
  GaudiTensorType (*input)(const GaudiSession *session, uint32_t index);
  GaudiTensorType (*output)(const GaudiSession *session, uint32_t index);

  /* The symbols of the entry's dynamic dimensions; none: it is static. After
     parse. */
  uint32_t (*numSymbols)(const GaudiSession *session);
  GaudiSymbol (*symbol)(const GaudiSession *session, uint32_t index);
  /* Imports the entry with exactly these sizes, one per symbol: signature and
     `evaluate` then speak of that static model. Instead of `import`, which
     refuses an entry with symbols. May be called again. */
  int32_t (*select)(GaudiSession *session, const int64_t *sizes,
                    uint32_t count);

  /* After parse. Needed once before the functions below. */
  int32_t (*describe)(GaudiSession *session, GaudiSourceSummary *summary);
  GaudiSourceInput (*sourceInput)(const GaudiSession *session, uint32_t index);
  GaudiSourceOp (*sourceOp)(const GaudiSession *session, uint32_t index);
  GaudiSourceField (*sourceField)(const GaudiSession *session, uint32_t op,
                                  uint32_t field);
  GaudiSourceConstant (*sourceConstant)(const GaudiSession *session,
                                        uint32_t index);

  /* Runs the whole pipeline and gives the bytes of the recipe. */
  int32_t (*compile)(GaudiSession *session, GaudiBytes *recipe);
  /* Frees the bytes that `compile` gave. */
  void (*releaseRecipe)(GaudiSession *session);
  /* What each pass of the last `compile` changed, with keepPasses: JSON for
     PageInput::passes; else "". */
  const char *(*passes)(const GaudiSession *session);
  /* Of the last `compile` of an entry with symbols. */
  GaudiBucketPlan (*bucketPlan)(const GaudiSession *session);
  GaudiCompileTimes (*compileTimes)(const GaudiSession *session);
  /* Of the last `compile` or `import`. */
  GaudiNumerics (*numerics)(const GaudiSession *session);

  /* Evaluates the imported function in float64, one input per argument.
     `continues`: states have the values that the last evaluation left, not
     those of the inputs or of the model. `drawPairs`: evaluates so many pairs
     of draws of a device's rounding errors, too; equal in all evaluations that
     continue. GAUDI_DRAWS_BY_WORK: as many as the function's work allows;
     GAUDI_MORE_DRAWS_BY_WORK: more, to decide about what these refuse. */
  int32_t (*evaluate)(GaudiSession *session, const GaudiBytes *inputs,
                      uint32_t count, int32_t continues, uint32_t drawPairs);
  GaudiValues (*result)(const GaudiSession *session, uint32_t index);
  /* After import or select. Draws inputs of other regimes than `inputs`, and
     such as take branches that those do not take; where `varies` is 0, an input
     stays. The search does so much work at most (multiplications and additions
     of evaluations); functions for which that is too little have none. `count`:
     of samples, which are valid until the next call. */
  int32_t (*drawInputs)(GaudiSession *session, const GaudiBytes *inputs,
                        const uint8_t *varies, uint32_t numInputs,
                        uint32_t seed, double work, uint32_t *count);
  GaudiSample (*drawnInputs)(const GaudiSession *session, uint32_t sample);
  /* What the draws tell about a result. */
  GaudiNoise (*noise)(GaudiSession *session, uint32_t index);

  /* After import or select of a session with marksSources. Compares two
     settings of autocast ("f32": none) by the reference, and says which ops
     cause the difference of the outputs. `work`: most multiplications and
     additions of evaluations, see gaudi::findErrorCauses. What is returned is
     valid until the next call. */
  int32_t (*explainPrecision)(GaudiSession *session, const GaudiBytes *inputs,
                              uint32_t count, const char *before,
                              const char *after, double work,
                              GaudiPrecision *report);

  /* After `evaluate` of the same inputs with draws, which does not continue:
     the first pass, op or command whose values leave the noise that these let
     expect. `report`: JSON, valid until the next call
     (docs/schema/gaudi-run-bisect.schema.json, without what gaudi-run adds). */
  int32_t (*bisect)(GaudiSession *session, const GaudiBisection *request,
                    const char **report);
  /* After bisect has found an op or a command: it, and ops that it reads from
     up to so many back, without those of `removed`, an entry for each of
     numOps (null: with all). What these give are inputs. `ofImport`: of the
     imported model, whose passes make the difference, without a suspect; fails
     if there is no such op, or the passes were not those of this session. */
  int32_t (*slice)(GaudiSession *session, uint32_t depth, int32_t ofImport,
                   const uint8_t *removed, GaudiSlice *slice);

  /* Where NaN or an infinity of the imported model's outputs begins on these
     inputs: the model, the first pass after which an output has it, or neither.
     `report`: JSON, valid until the next call (`birth` of
     docs/schema/gaudi-run-report.schema.json). */
  int32_t (*findNonFinite)(GaudiSession *session, const GaudiBytes *inputs,
                           uint32_t numInputs, const char **report);

  /* Whether the model has other batch sizes: an error names the op that fixes
     it. `input`: whose leading dimension it is; null: chosen. Imports the
     model. Of an entry with symbols the batch is one of them; others have the
     sizes that `select` chose, else their largest. */
  int32_t (*findBatch)(GaudiSession *session, const char *input,
                       GaudiBatch *batch);
  /* After findBatch: `compile` with another size. The recipe shows what that
     needs; whether the numbers keep their meaning (the mean over a batch has
     its size as a constant) is not asked. */
  int32_t (*compileBatch)(GaudiSession *session, int64_t size,
                          GaudiBytes *recipe);
} GaudiCompilerApi;

/* The only exported symbol. Null if the library does not speak `version`. */
const GaudiCompilerApi *gaudiCompilerApi(uint32_t version);
typedef const GaudiCompilerApi *(*GaudiCompilerApiFunction)(uint32_t version);

#ifdef __cplusplus
}
#endif

#endif /* GAUDI_COMPILER_COMPILERAPI_H */
