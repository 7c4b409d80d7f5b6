// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The models of the kinds of work, each in a file of its own.
#ifndef GAUDI_LIB_TIMING_MODELS_H
#define GAUDI_LIB_TIMING_MODELS_H

#include "Gaudi/Timing/Cost.h"

namespace gaudi::timing {

Cost costOf(const MatrixWork &work, const device::DeviceSpec &spec);
Cost costOf(const KernelWork &work, const device::DeviceSpec &spec);
Cost costOf(const TransferWork &work, const device::DeviceSpec &spec);
Cost costOf(const FillWork &work, const device::DeviceSpec &spec);
Cost costOf(const LibraryWork &work, const device::DeviceSpec &spec);
Cost costOf(const AttentionWork &work, const device::DeviceSpec &spec);

std::string explain(const MatrixWork &work, const device::DeviceSpec &spec);
std::string explain(const KernelWork &work, const device::DeviceSpec &spec);
std::string explain(const TransferWork &work, const device::DeviceSpec &spec);
std::string explain(const FillWork &work, const device::DeviceSpec &spec);
std::string explain(const LibraryWork &work, const device::DeviceSpec &spec);
std::string explain(const AttentionWork &work, const device::DeviceSpec &spec);

/// Adds the bytes of an operand to the traffic of a command.
void addRead(Cost &cost, const Operand &operand, uint64_t bytes);
void addWrite(Cost &cost, const Operand &operand, uint64_t bytes);
/// Sets `read` and `write` from the traffic and the bound from the largest
/// part, `compute` standing for `work`. HBM is one bus for both directions: the
/// larger part holds the time of both.
void setMemoryTime(Cost &cost, Bound work, const device::DeviceSpec &spec);
/// Raises `read` and `write` to what the ports of the engines take.
void raiseMemoryTime(Cost &cost, Picoseconds read, Picoseconds write,
                     Bound work);
/// Adds what it takes longer that so many bytes of HBM, which are in the
/// traffic already, lie in lines of a random order.
void addScatteredTime(Cost &cost, double bytes, Bound work,
                      const device::DeviceSpec &spec);
/// "reads 1.50 MiB and writes 0 bytes of HBM, which takes 2.1 us"
std::string memoryText(const Cost &cost);

/// Start, first data and completion of a TPC kernel.
void setTpcLaunch(Cost &cost, const device::DeviceSpec &spec);
/// Bytes of the memory lines that a tensor occupies.
double touchedBytes(const Operand &operand, uint32_t grain);

Picoseconds secondsTime(double seconds);
/// A count that may exceed what can be counted: loops have any extents.
uint64_t counted(double value);

} // namespace gaudi::timing

#endif // GAUDI_LIB_TIMING_MODELS_H
