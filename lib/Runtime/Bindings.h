// Inputs that are where the caller has them.
#ifndef GAUDI_LIB_RUNTIME_BINDINGS_H
#define GAUDI_LIB_RUNTIME_BINDINGS_H

#include "Gaudi/Recipe/Recipe_generated.h"
#include "Gaudi/Runtime/LoadOptions.h"
#include "Gaudi/Support/Error.h"

#include <cstdint>
#include <vector>

namespace gaudi::runtime {

/// Which tensors bindings move, and how many bytes of device memory are the
/// caller's.
struct MovedTensors {
  std::vector<uint8_t *> addresses; ///< by tensor; null: it stays. Or empty
  uint64_t bytes = 0;

  uint8_t *of(uint32_t tensor) const {
    return addresses.empty() ? nullptr : addresses[tensor];
  }
};

/// Views of bound inputs move with them. Errors name the binding, and why its
/// input cannot be used where it is.
Result<MovedTensors> moveTensors(const recipe::Recipe &recipe,
                                 const std::vector<InputBinding> &bindings);

} // namespace gaudi::runtime

#endif // GAUDI_LIB_RUNTIME_BINDINGS_H
