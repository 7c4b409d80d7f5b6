// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that run on a trial copy of a program.
#ifndef GAUDI_LIB_TRANSFORMS_SILENTREMARKS_H
#define GAUDI_LIB_TRANSFORMS_SILENTREMARKS_H

namespace gaudi {

/// While one exists, explains() is false in its thread: no remark speaks of a
/// copy that is thrown away.
class SilentRemarks {
public:
  SilentRemarks();
  ~SilentRemarks();
  SilentRemarks(const SilentRemarks &) = delete;
  SilentRemarks &operator=(const SilentRemarks &) = delete;

private:
  bool before;
};

} // namespace gaudi

#endif // GAUDI_LIB_TRANSFORMS_SILENTREMARKS_H
