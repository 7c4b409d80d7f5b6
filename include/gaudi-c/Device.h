// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A card that outlives a launch: memory, streams, events, graphs, and a clock
 * that says how long the card would take (docs/device.md). Since version 1.5.
 *
 *   gaudiDeviceOpen(NULL, &device);
 *   gaudiStreamCreate(device, NULL, 0, &stream);
 *   gaudiDeviceAllocate(device, stream, bytes, NULL, &x);
 *   gaudiStreamCopyIn(stream, x, data, bytes, 0);
 *   gaudiProgramLoad(device, recipe, NULL, &program);
 *   gaudiStreamLaunch(stream, program, 0, addresses, count);
 *   gaudiStreamCopyOut(stream, result, y, bytes, 1);
 *
 * Calls that issue work return before it has run; if it fails, the next call
 * that waits for it returns the error. Several threads may use all objects at
 * once. Times are picoseconds of prediction. An object keeps the device that it
 * belongs to open. In a process that fork() made, calls with objects of the
 * parent fail with Unavailable. */
#ifndef GAUDI_C_DEVICE_H
#define GAUDI_C_DEVICE_H

#include "gaudi-c/Recipe.h"
#include "gaudi-c/Support.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct GaudiDevice GaudiDevice;
typedef struct GaudiStream GaudiStream;
typedef struct GaudiEvent GaudiEvent;
typedef struct GaudiGraph GaudiGraph;
typedef struct GaudiProgram GaudiProgram;

/* Device memory: a number that may be added to within its block. 0: none. It is
 * no address of the host. */
typedef uint64_t GaudiDeviceAddress;

typedef struct GaudiDeviceOptions {
  size_t size;          /* of this structure, set by gaudiDeviceOptionsInit */
  const char *kind;     /* "gaudi", "gaudi2", "gaudi3"; null: "gaudi2" */
  int64_t module;       /* number of the card; -1: the first one that is free */
  uint64_t capacity;    /* bytes of device memory; 0: the card's */
  uint64_t hostMemory;  /* bytes that the emulation may touch; 0: 3/4 of what
                           the host has available */
  uint64_t threads;     /* that emulate launches; 0: the host's CPUs */
  uint64_t measureHost; /* 1: host time is the CPU time of the calling threads,
                           0: a table (docs/device.md) */
  double hostFactor;    /* of measured time; 0: 1 */
  uint64_t hostEvents;  /* 1: times of events are when this host has run the
                           work, 0: when the card would have */
} GaudiDeviceOptions;

static inline void gaudiDeviceOptionsInit(GaudiDeviceOptions *options) {
  memset(options, 0, sizeof(*options));
  options->size = sizeof(*options);
  options->module = -1;
}

/* `options`: null for the defaults. Errors: InvalidArgument, OutOfMemory,
 * Unavailable (the card belongs to another process, which the message names).
 */
GAUDI_C_EXPORTED GaudiError *gaudiDeviceOpen(const GaudiDeviceOptions *options,
                                             GaudiDevice **device);
/* Waits for all work. The card is free when the last of its objects goes. */
GAUDI_C_EXPORTED void gaudiDeviceDestroy(GaudiDevice *device);
GAUDI_C_EXPORTED GaudiStringRef gaudiDeviceKind(const GaudiDevice *device);
GAUDI_C_EXPORTED uint32_t gaudiDeviceModule(const GaudiDevice *device);
GAUDI_C_EXPORTED uint64_t gaudiDeviceCapacity(const GaudiDevice *device);
GAUDI_C_EXPORTED GaudiError *gaudiDeviceSynchronize(GaudiDevice *device);

/* --- memory ----------------------------------------------------------------
 */

/* Whose memory it is, for errors and statistics; each may be null. */
typedef struct GaudiMemoryOwner {
  const char *name;  /* "weight" */
  const char *shape; /* "64x128xbf16" */
  const char *where; /* "train.py:31" */
} GaudiMemoryOwner;

/* For work of `stream` (null: the default stream). Errors: OutOfMemory, which
 * says who holds what and what would free it. */
GAUDI_C_EXPORTED GaudiError *
gaudiDeviceAllocate(GaudiDevice *device, GaudiStream *stream, uint64_t bytes,
                    const GaudiMemoryOwner *owner, GaudiDeviceAddress *address);
/* At once for the caller; work that was issued before still has it. */
GAUDI_C_EXPORTED GaudiError *gaudiDeviceFree(GaudiDevice *device,
                                             GaudiDeviceAddress address);
/* `stream` uses the memory in a way that the device does not see. */
GAUDI_C_EXPORTED GaudiError *gaudiDeviceRecordStream(GaudiDevice *device,
                                                     GaudiDeviceAddress address,
                                                     GaudiStream *stream);

/* Host memory that the card's copies reach without a copy of the driver; it is
 * freed when all its copies have run. */
GAUDI_C_EXPORTED GaudiError *
gaudiDeviceAllocatePinned(GaudiDevice *device, uint64_t bytes, void **memory);
GAUDI_C_EXPORTED GaudiError *gaudiDeviceFreePinned(GaudiDevice *device,
                                                   void *memory);

/* Bytes and counts (docs/device.md#statistics). */
typedef struct GaudiMemoryStats {
  size_t size; /* of this structure; set by the caller */
  uint64_t limit, inUse, maxInUse;
  int64_t numAllocs, numFrees, activeAllocs;
  uint64_t maxAllocSize;
  int64_t totalAllocs, totalFrees;
  uint64_t workspace, lastWorkspace, largestFreeRun;
  double fragmentation;  /* percent */
  uint64_t touchedBytes; /* host memory of the emulation */
} GaudiMemoryStats;

GAUDI_C_EXPORTED GaudiError *gaudiDeviceMemoryStats(GaudiDevice *device,
                                                    GaudiMemoryStats *stats);
/* The rows of memory_summary; free the text with gaudiTextDestroy. */
GAUDI_C_EXPORTED GaudiError *gaudiDeviceMemorySummary(GaudiDevice *device,
                                                      char **text);

typedef enum GaudiMemoryState {
  GaudiMemoryFree = 0,
  GaudiMemoryPending = 1, /* freed, but work that was issued before has it */
  GaudiMemoryInUse = 2
} GaudiMemoryState;

/* A range of the card's memory. */
typedef struct GaudiMemoryBlock {
  size_t size;           /* of this structure */
  uint64_t begin, bytes; /* in the card's memory, from 0, header included */
  uint64_t requested;    /* bytes, of memory in use; else 0 */
  uint64_t state;        /* a GaudiMemoryState */
  uint64_t isSmall;      /* 1: in the region of small blocks */
  GaudiStringRef name, shape, where; /* the owner's; as long as the device */
} GaudiMemoryBlock;

/* Where the block of an address is now; defragmentation may move it. The caller
 * sets block->size. */
GAUDI_C_EXPORTED GaudiError *gaudiDeviceMemoryBlock(GaudiDevice *device,
                                                    GaudiDeviceAddress address,
                                                    GaudiMemoryBlock *block);
/* Calls `visit` for all of the memory, by address. */
GAUDI_C_EXPORTED GaudiError *
gaudiDeviceMemoryBlocks(GaudiDevice *device,
                        void (*visit)(const GaudiMemoryBlock *, void *),
                        void *argument);
GAUDI_C_EXPORTED GaudiError *gaudiDeviceResetPeakMemory(GaudiDevice *device);
GAUDI_C_EXPORTED GaudiError *
gaudiDeviceResetAccumulatedMemory(GaudiDevice *device);

/* --- streams ---------------------------------------------------------------
 */

/* `name` may be null. Of two streams with work that is ready, the one of higher
 * priority runs first. */
GAUDI_C_EXPORTED GaudiError *gaudiStreamCreate(GaudiDevice *device,
                                               const char *name,
                                               int32_t priority,
                                               GaudiStream **stream);
/* Destroying it does not end the stream, which is the device's. */
GAUDI_C_EXPORTED GaudiError *gaudiDeviceDefaultStream(GaudiDevice *device,
                                                      GaudiStream **stream);
/* Waits for its work. */
GAUDI_C_EXPORTED void gaudiStreamDestroy(GaudiStream *stream);

/* Host memory stays as it is until the copy has run: until the stream has been
 * waited for, or, if `blocking` is not 0, until the call returns. */
GAUDI_C_EXPORTED GaudiError *gaudiStreamCopyIn(GaudiStream *stream,
                                               GaudiDeviceAddress to,
                                               const void *from, uint64_t bytes,
                                               int32_t blocking);
GAUDI_C_EXPORTED GaudiError *gaudiStreamCopyOut(GaudiStream *stream, void *to,
                                                GaudiDeviceAddress from,
                                                uint64_t bytes,
                                                int32_t blocking);
/* Ranges that do not overlap. */
GAUDI_C_EXPORTED GaudiError *gaudiStreamCopy(GaudiStream *stream,
                                             GaudiDeviceAddress to,
                                             GaudiDeviceAddress from,
                                             uint64_t bytes);
/* A dimension of a copy: elements, and bytes from one to the next. */
typedef struct GaudiStridedDim {
  uint64_t size, toStride, fromStride;
} GaudiStridedDim;
/* Elements of 1, 2, 4, 8 or 16 bytes that lie apart, in `rank` dimensions, the
 * outermost first. The ranges from the first to the last element do not
 * overlap. */
GAUDI_C_EXPORTED GaudiError *
gaudiStreamCopyStrided(GaudiStream *stream, GaudiDeviceAddress to,
                       GaudiDeviceAddress from, const GaudiStridedDim *dims,
                       size_t rank, uint32_t elementBytes);
/* `pattern` of 1, 2, 4 or 8 bytes, again and again. */
GAUDI_C_EXPORTED GaudiError *gaudiStreamFill(GaudiStream *stream,
                                             GaudiDeviceAddress to,
                                             uint64_t bytes, uint64_t pattern,
                                             uint32_t patternBytes);
/* Writes the state of the device's generator of random numbers, two int64, for
 * work that draws `blocks` blocks of Philox; the offset counts them. A replay
 * of captured work draws others. gaudiDeviceSetSeed sets the offset to 0. */
GAUDI_C_EXPORTED GaudiError *gaudiStreamDrawSeed(GaudiStream *stream,
                                                 GaudiDeviceAddress seed,
                                                 GaudiDeviceAddress offset,
                                                 uint64_t blocks);
GAUDI_C_EXPORTED GaudiError *gaudiDeviceSetSeed(GaudiDevice *device,
                                                int64_t seed);
/* Calls `function`, on any thread, once the work before it has run.
 * It must not wait for the device. */
GAUDI_C_EXPORTED GaudiError *
gaudiStreamCall(GaudiStream *stream, void (*function)(void *), void *argument);
GAUDI_C_EXPORTED GaudiError *gaudiStreamSynchronize(GaudiStream *stream);
/* Whether all work has ended at the time of the calling thread. */
GAUDI_C_EXPORTED GaudiError *gaudiStreamQuery(GaudiStream *stream,
                                              int32_t *isDone);

/* --- events ----------------------------------------------------------------
 */

GAUDI_C_EXPORTED GaudiError *gaudiEventCreate(GaudiDevice *device,
                                              GaudiEvent **event);
GAUDI_C_EXPORTED void gaudiEventDestroy(GaudiEvent *event);
GAUDI_C_EXPORTED GaudiError *gaudiStreamRecord(GaudiStream *stream,
                                               GaudiEvent *event);
GAUDI_C_EXPORTED GaudiError *gaudiStreamWait(GaudiStream *stream,
                                             GaudiEvent *event);
GAUDI_C_EXPORTED GaudiError *gaudiEventSynchronize(GaudiEvent *event);
GAUDI_C_EXPORTED GaudiError *gaudiEventQuery(GaudiEvent *event,
                                             int32_t *isDone);
/* From `begin` to `end` on the card, or on this host (hostEvents), which waits
 * for both. */
GAUDI_C_EXPORTED GaudiError *gaudiEventElapsed(const GaudiEvent *begin,
                                               const GaudiEvent *end,
                                               int64_t *picoseconds);

/* --- programs --------------------------------------------------------------
 */

typedef struct GaudiProgramOptions {
  size_t size;      /* of this structure */
  const char *name; /* for errors and traces; null: the entry's */
  const char
      *cacheDirectory;    /* for compiled kernels; null: the user's, "": none
                           */
  uint64_t maxIterations; /* of the loops of a launch; 0: 1,000,000 */
} GaudiProgramOptions;

static inline void gaudiProgramOptionsInit(GaudiProgramOptions *options) {
  memset(options, 0, sizeof(*options));
  options->size = sizeof(*options);
}

/* A recipe on the card: its constants and states are in the card's memory. */
GAUDI_C_EXPORTED GaudiError *
gaudiProgramLoad(GaudiDevice *device, const GaudiRecipe *recipe,
                 const GaudiProgramOptions *options, GaudiProgram **program);
/* Launches that were issued still run. */
GAUDI_C_EXPORTED void gaudiProgramDestroy(GaudiProgram *program);

/* Memory that a launch of an entry works on. */
typedef struct GaudiLaunchTensor {
  size_t size; /* of this structure; set by the caller */
  GaudiStringRef name;
  uint64_t bytes;
  uint64_t alignment; /* of its address */
  uint64_t isWritten;
} GaudiLaunchTensor;

GAUDI_C_EXPORTED GaudiError *gaudiProgramNumTensors(const GaudiProgram *program,
                                                    size_t entry,
                                                    size_t *count);
GAUDI_C_EXPORTED GaudiError *gaudiProgramTensor(const GaudiProgram *program,
                                                size_t entry, size_t index,
                                                GaudiLaunchTensor *tensor);
/* Where input or output `index` of the entry is: the number of a launch tensor
 * and bytes from its address; -1 where it is a state (see
 * gaudiProgramState) or constant. There it has the order of dimensions and the
 * strides that the device stores it in: dense and row-major unless the recipe
 * permutes it (gaudiProgramIsDense). */
GAUDI_C_EXPORTED GaudiError *gaudiProgramInput(const GaudiProgram *program,
                                               size_t entry, size_t index,
                                               int64_t *tensor,
                                               uint64_t *offset);
GAUDI_C_EXPORTED GaudiError *gaudiProgramOutput(const GaudiProgram *program,
                                                size_t entry, size_t index,
                                                int64_t *tensor,
                                                uint64_t *offset);
/* Whether an input (or an output, `isOutput` not 0) is stored as dense rows in
 * the caller's order. */
GAUDI_C_EXPORTED GaudiError *gaudiProgramIsDense(const GaudiProgram *program,
                                                 size_t entry, size_t index,
                                                 int32_t isOutput,
                                                 int32_t *isDense);
/* Whether `input` and `output`, numbers of launch tensors, may have one address
 * in a launch: then the output is written over the input. It may if the input
 * is read before or as the same element of the output is written, which follows
 * from the recipe alone; otherwise such a launch is refused. */
GAUDI_C_EXPORTED GaudiError *gaudiProgramMayAlias(const GaudiProgram *program,
                                                  size_t entry, size_t input,
                                                  size_t output, int32_t *may);
GAUDI_C_EXPORTED GaudiError *gaudiProgramState(const GaudiProgram *program,
                                               size_t index,
                                               GaudiDeviceAddress *address);
/* What one launch takes on the card. */
GAUDI_C_EXPORTED GaudiError *gaudiProgramTime(const GaudiProgram *program,
                                              size_t entry,
                                              int64_t *picoseconds);
/* `addresses` in the order of the launch tensors. */
GAUDI_C_EXPORTED GaudiError *
gaudiStreamLaunch(GaudiStream *stream, GaudiProgram *program, size_t entry,
                  const GaudiDeviceAddress *addresses, size_t count);

/* --- graphs ----------------------------------------------------------------
 */

/* What is issued to the stream from now on, and to streams that wait for its
 * events, becomes a graph instead of being run. */
GAUDI_C_EXPORTED GaudiError *gaudiStreamBeginCapture(GaudiStream *stream);
GAUDI_C_EXPORTED GaudiError *gaudiStreamEndCapture(GaudiStream *stream,
                                                   GaudiGraph **graph);
GAUDI_C_EXPORTED void gaudiGraphDestroy(GaudiGraph *graph);
/* Memory that the capture allocated and freed is the graph's, between its
 * replays too. After this call it is the device's then: each replay allocates
 * it again, and fails if there is no room. */
GAUDI_C_EXPORTED GaudiError *gaudiGraphFreeBetweenReplays(GaudiGraph *graph);
GAUDI_C_EXPORTED size_t gaudiGraphSize(const GaudiGraph *graph);

/* Uses of the block of `from` become uses of `to` in this replay. */
typedef struct GaudiRebinding {
  GaudiDeviceAddress from, to;
} GaudiRebinding;

GAUDI_C_EXPORTED GaudiError *gaudiGraphReplay(GaudiGraph *graph,
                                              GaudiStream *stream,
                                              const GaudiRebinding *rebindings,
                                              size_t count);

/* --- clock -----------------------------------------------------------------
 */

typedef enum GaudiCardQueue {
  GaudiCardMme = 0,
  GaudiCardTpc = 1,
  GaudiCardDma = 2,
  GaudiCardNic = 3,
  GaudiCardHost = 4,
  GaudiCardCopyUp = 5,
  GaudiCardCopyDown = 6
} GaudiCardQueue;
#define GAUDI_CARD_QUEUES 7

typedef struct GaudiClockTimes {
  size_t size; /* of this structure; set by the caller */
  int64_t elapsed, host;
  int64_t busy[GAUDI_CARD_QUEUES], idle[GAUDI_CARD_QUEUES];
} GaudiClockTimes;

/* On each queue busy + idle = elapsed. */
GAUDI_C_EXPORTED GaudiError *gaudiDeviceClock(GaudiDevice *device,
                                              GaudiClockTimes *times);
/* The calling thread works for so long beside the card. */
GAUDI_C_EXPORTED GaudiError *gaudiDeviceAdvanceHost(GaudiDevice *device,
                                                    int64_t picoseconds);
/* A number of the calling thread, which no other thread ever has; not 0. */
GAUDI_C_EXPORTED uint64_t gaudiHostThread(void);
/* What the calling thread issues from now on, to whatever device, takes the
 * time of `thread`, which waits for it: as PyTorch's thread of a backward pass
 * works for the one that called backward(). 0: its own time again. */
GAUDI_C_EXPORTED void gaudiHostIssueForThread(uint64_t thread);
GAUDI_C_EXPORTED GaudiError *gaudiDeviceBeginTrace(GaudiDevice *device);
/* Of the calling thread: the argument "label" that work has in traces which the
 * thread issues from now on, to whatever device; 0: none. */
GAUDI_C_EXPORTED void gaudiDeviceSetTraceLabel(uint64_t label);
/* Chrome trace events, which Perfetto and TensorBoard open. */
GAUDI_C_EXPORTED GaudiError *gaudiDeviceWriteTrace(GaudiDevice *device,
                                                   const char *path);

#ifdef __cplusplus
}
#endif

#endif /* GAUDI_C_DEVICE_H */
