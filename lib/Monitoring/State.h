// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What events and metrics share within the library.
#ifndef GAUDI_LIB_MONITORING_STATE_H
#define GAUDI_LIB_MONITORING_STATE_H

#include "Gaudi/Monitoring/Events.h"

#include <mutex>

namespace gaudi::monitoring {

/// Guards subscriptions, metrics and their file; fork() waits for it. Held for
/// moments, and never while a callback runs or a line is logged.
std::mutex &stateMutex();

/// subscribe() without a start of the metrics.
Subscription addSubscriber(EventId id,
                           std::function<void(const Event &)> callback);

/// Makes the global metrics, if they are not there.
void startMetrics();

} // namespace gaudi::monitoring

#endif // GAUDI_LIB_MONITORING_STATE_H
