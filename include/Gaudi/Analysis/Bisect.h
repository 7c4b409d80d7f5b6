// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a bisection found, for people.
#ifndef GAUDI_ANALYSIS_BISECT_H
#define GAUDI_ANALYSIS_BISECT_H

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gaudi::analysis {

/// `report`: as docs/schema/gaudi-run-bisect.schema.json has it. The first line
/// is that of a remark: "m.mlir:7:3: bisect: 'tpc.add' is the first ...".
std::string textOfBisection(const nlohmann::ordered_json &report);

/// The modules that the location of the op names ("Net.fc"), as "layer"; none
/// where it names a line only.
void addLayers(nlohmann::ordered_json &report);

} // namespace gaudi::analysis

#endif // GAUDI_ANALYSIS_BISECT_H
