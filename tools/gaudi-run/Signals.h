// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends cleanly when the user or the system says stop.
#ifndef GAUDI_RUN_SIGNALS_H
#define GAUDI_RUN_SIGNALS_H

#include <string>

namespace gaudi::run {

/// On SIGINT, SIGTERM and SIGHUP: removes temporary files and exits with 128
/// plus the signal's number. A broken pipe or a file size limit becomes an
/// error of the write that met it.
void installSignalHandlers();

/// The file that a crash says the launch is in, from now on; empty: none. The
/// first call has crashes handled.
void nameReplayOfCrashes(const std::string &path);

} // namespace gaudi::run

#endif // GAUDI_RUN_SIGNALS_H
