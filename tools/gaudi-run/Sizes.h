// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes of a launch of an entry with variants, as the user gives them.
#ifndef GAUDI_RUN_SIZES_H
#define GAUDI_RUN_SIZES_H

#include "Gaudi/Recipe/HostTensor.h"
#include "Gaudi/Runtime/Dispatch.h"
#include "Options.h"

#include <functional>
#include <string>
#include <vector>

namespace gaudi::run {

/// "batch=3,seq=100".
Result<std::vector<NamedSize>> parseSizes(const std::string &text);

/// The sizes of --sizes in the order of the symbols, -1 where none is given.
Result<shapes::Sizes> givenSizes(const std::vector<std::string> &symbols,
                                 const std::vector<NamedSize> &given);

/// The next step, "; give ...", for a problem with a size that is out of its
/// bounds ("batch 600 exceeds ..."); "" of other problems. `inputs` may be
/// empty.
std::string boundsAdvice(const std::string &problem,
                         const std::vector<shapes::Symbol> &symbols,
                         const std::vector<runtime::SizedInfo> &inputs,
                         const Options &options);

/// The sizes of all symbols: those of --sizes, and those that the shapes of
/// inputs tell. Errors: a name that is no symbol, a size that nothing gives or
/// that is out of bounds, shapes that contradict each other.
Result<shapes::Sizes> sizesOfLaunch(const runtime::Dispatcher &dispatcher,
                                    const Options &options);

/// Inputs or outputs at these sizes.
std::vector<recipe::Parameter>
parametersAt(const std::vector<runtime::SizedInfo> &infos,
             const std::function<std::vector<int64_t>(size_t)> &shapeOf);

/// The entry whose commands a prediction is about: that of chooseEntry(), or
/// its variant for the sizes of --sizes, without these the one that takes
/// longest.
Result<uint32_t> predictedEntry(const recipe::Recipe &recipe,
                                const std::string &name,
                                const Options &options);

} // namespace gaudi::run

#endif // GAUDI_RUN_SIZES_H
