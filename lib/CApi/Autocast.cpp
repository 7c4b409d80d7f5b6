// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lists of autocast for C.
#include "gaudi-c/Autocast.h"

#include "Error.h"
#include "Gaudi/Support/Autocast.h"

using namespace gaudi;
using namespace gaudi::capi;

static_assert(GaudiAutocastLower == int(AutocastRule::Lower) &&
                  GaudiAutocastFloat == int(AutocastRule::Float) &&
                  GaudiAutocastWidest == int(AutocastRule::Widest),
              "the numbers of the rules");

GaudiError *gaudiAutocastNames(GaudiAutocastRule rule, const char *file,
                               void (*add)(void *context, GaudiStringRef name),
                               void *context) {
  return guarded([&]() -> GaudiError * {
    if (unsigned(rule) > GaudiAutocastWidest)
      return makeError(GaudiErrorInvalidArgument,
                       "expected a rule from 0 to {} but got {}",
                       int(GaudiAutocastWidest), unsigned(rule));
    if (!add)
      return makeError(GaudiErrorInvalidArgument, "'add' is null");
    AutocastLists lists;
    if (file && *file)
      GAUDI_C_TRY(GaudiErrorIo, lists.read(AutocastRule(rule), file));
    for (const std::string &name : lists.names(AutocastRule(rule)))
      add(context, refOf(name));
    return nullptr;
  });
}

int32_t gaudiAutocastsFirstOnly(const char *name) {
  return name && autocastsFirstOnly(name);
}
