// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Logs, events and metrics of the process (docs/monitoring.md), with the names
 * of the bridge of the real stack. Any thread may call any function. Since
 * version 1.5.
 */
#ifndef GAUDI_C_MONITORING_H
#define GAUDI_C_MONITORING_H

#include "gaudi-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- logs ----------------------------------------------------------------- */

typedef enum GaudiLogLevel {
  GaudiLogTrace = 0,
  GaudiLogDebug = 1,
  GaudiLogInfo = 2,
  GaudiLogWarning = 3,
  GaudiLogError = 4,
  GaudiLogCritical = 5,
  GaudiLogOff = 6 /* of a module, never of a line */
} GaudiLogLevel;

/* "PT_DEVICE", ...; null data beyond the last module. */
GAUDI_C_EXPORTED GaudiStringRef gaudiLogModule(size_t index);
/* The level of a module: of the environment when the library was loaded, or the
 * last that was set. Error: there is no such module or level. */
GAUDI_C_EXPORTED GaudiError *gaudiLogGetLevel(const char *module,
                                              GaudiLogLevel *level);
GAUDI_C_EXPORTED GaudiError *gaudiLogSetLevel(const char *module,
                                              GaudiLogLevel level);
/* Writes a line if the module has that level. Errors as above. */
GAUDI_C_EXPORTED GaudiError *
gaudiLogWrite(const char *module, GaudiLogLevel level, const char *text);

/* --- events --------------------------------------------------------------- */

typedef enum GaudiEventId {
  GaudiEventGraphCompile = 0,
  GaudiEventMarkStep = 1,
  GaudiEventProcessExit = 2,
  GaudiEventDeviceAcquired = 3,
  GaudiEventCustom = 4,
  GaudiEventMemoryDefragmentation = 5,
  GaudiEventCpuFallback = 6,
  GaudiEventCacheHit = 7,
  GaudiEventCacheMiss = 8,
  GaudiEventOutOfMemory = 9
} GaudiEventId;

typedef enum GaudiEventValue {
  GaudiEventInteger = 0,
  GaudiEventNumber = 1,
  GaudiEventText = 2
} GaudiEventValue;

/* The value is in the field of its kind. */
typedef struct GaudiEventParameter {
  GaudiStringRef name;
  GaudiEventValue kind;
  int64_t integer;
  double number;
  GaudiStringRef text;
} GaudiEventParameter;

/* `microseconds`: of the event, since 1970. The parameters live as long as the
 * call, which is in the thread of the event, and holds no lock: it may call any
 * function of this header. */
typedef void (*GaudiEventCallback)(void *context, GaudiEventId event,
                                   int64_t microseconds,
                                   const GaudiEventParameter *parameters,
                                   size_t count);

/* Calls back for each such event from now on. Error: there is no such event. */
GAUDI_C_EXPORTED GaudiError *gaudiEventSubscribe(GaudiEventId event,
                                                 GaudiEventCallback callback,
                                                 void *context,
                                                 uint64_t *subscription);
/* No callback of it is running when this returns, unless a callback calls it. A
 * subscription that has ended is ignored. */
GAUDI_C_EXPORTED void gaudiEventUnsubscribe(uint64_t subscription);
/* Tells an event. The first PROCESS_EXIT of a process counts, later ones are
 * ignored. Errors: there is no such event, or no such kind of a value. */
GAUDI_C_EXPORTED GaudiError *
gaudiEventEmit(GaudiEventId event, const GaudiEventParameter *parameters,
               size_t count);
/* CPU_FALLBACK with its line of the log. `op`: "aten::digamma"; `operands`:
 * "self=HPUBFloat16Type", may be null. */
GAUDI_C_EXPORTED GaudiError *gaudiEventCpuFallback(const char *op,
                                                   const char *operands);
/* Logs how often each op ran on the CPU, if any did since the last call. */
GAUDI_C_EXPORTED GaudiError *gaudiLogCpuFallbacks(void);

/* --- metrics -------------------------------------------------------------- */

typedef struct GaudiMetric GaudiMetric;

/* The global metric: "graph_compilation", "cpu_fallback",
 * "memory_defragmentation" or, with PT_HPU_ENABLE_CACHE_METRICS,
 * "recipe_cache". Error: there is no such metric. */
GAUDI_C_EXPORTED GaudiError *gaudiMetricGlobal(const char *name,
                                               GaudiMetric **metric);
/* One that counts from now on until it is stopped or destroyed. */
GAUDI_C_EXPORTED GaudiError *gaudiMetricStart(const char *name,
                                              GaudiMetric **metric);
/* Does nothing to a global one. */
GAUDI_C_EXPORTED void gaudiMetricStop(GaudiMetric *metric);
GAUDI_C_EXPORTED void gaudiMetricReset(GaudiMetric *metric);
/* An object with the fields of the metric. Free the text with
 * gaudiTextDestroy. */
GAUDI_C_EXPORTED GaudiError *gaudiMetricStats(const GaudiMetric *metric,
                                              char **json);
GAUDI_C_EXPORTED void gaudiMetricDestroy(GaudiMetric *metric);
/* Writes all global metrics to a new file (docs/monitoring.md says how it is
 * called). `format`: "json" or "text". */
GAUDI_C_EXPORTED GaudiError *gaudiMetricsDump(const char *path,
                                              const char *format);

#ifdef __cplusplus
}
#endif

#endif /* GAUDI_C_MONITORING_H */
