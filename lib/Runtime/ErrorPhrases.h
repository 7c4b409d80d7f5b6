// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What errors of one kind have in common.
#ifndef GAUDI_LIB_RUNTIME_ERRORPHRASES_H
#define GAUDI_LIB_RUNTIME_ERRORPHRASES_H

namespace gaudi::runtime {

/// ErrorKind::DeviceMemory begins with this.
constexpr char outOfDeviceMemory[] = "out of device memory";
/// ErrorKind::HostMemory contains one of these.
constexpr char notEnoughHostMemory[] = "not enough host memory";
constexpr char ofHostMemory[] = " of host memory for ";
constexpr char hostScratchMemory[] = " of host scratch memory (";
/// ErrorKind::MissingLibrary contains one of these.
constexpr char cannotLoad[] = "cannot load ";
constexpr char installBoth[] = "; install both from one build";
/// ErrorKind::OtherProcess contains one of these.
constexpr char cardBusy[] = " is busy: ";
constexpr char beforeFork[] = " was opened before fork() made this process";
/// ErrorKind::Work begins with this, unless it is of another kind.
constexpr char workFailed[] = "work of the device has failed: ";

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_ERRORPHRASES_H
