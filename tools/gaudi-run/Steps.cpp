// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Training steps: the state, and the loss.
#include "Steps.h"
#include "Gaudi/Support/Quote.h"
#include "Gaudi/Support/Spelling.h"
#include "Values.h"

#include <algorithm>

namespace gaudi::run {

Result<size_t> lossOutput(const Device &device, const Options &options) {
  if (!device.hasState())
    return fail("--steps={}: {} has no state, so that every step would "
                "compute the same; say which outputs replace inputs when the "
                "model is compiled: --state=IN=OUT",
                options.steps, inQuotes(options.file));
  if (options.loss.empty())
    return 0;
  const std::vector<recipe::Parameter> outputs = device.outputs();
  const auto found = std::find_if(outputs.begin(), outputs.end(),
                                  [&](const recipe::Parameter &output) {
                                    return output.name == options.loss;
                                  });
  if (found == outputs.end())
    return fail("--loss: no output is called {}; {}there are: {}",
                inQuotes(options.loss),
                meantAmong(options.loss, namesOf(outputs)), listOf(outputs));
  if (found->type.count() != 1) {
    std::vector<std::string> numbers;
    for (const recipe::Parameter &output : outputs)
      if (output.type.count() == 1)
        numbers.push_back("--loss=" + printable(output.name));
    if (numbers.empty())
      return fail("--loss: output {} is {}, and no output of the model is a "
                  "single number; return the loss, too",
                  inQuotes(options.loss), found->type.text());
    return fail("--loss: output {} is {}, no single number; write {}",
                inQuotes(options.loss), found->type.text(),
                fmt::join(numbers, " or "));
  }
  return size_t(found - outputs.begin());
}

double lossOf(const recipe::HostTensor &loss) {
  return recipe::isFloat(loss.type.element) ? loss.floatAt(0)
                                            : double(loss.intAt(0));
}

} // namespace gaudi::run
