// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises what Git LFS leaves in the place of a file that was not fetched.
#ifndef GAUDI_SUPPORT_GITLFS_H
#define GAUDI_SUPPORT_GITLFS_H

#include <string_view>

namespace gaudi {

/// The first bytes of a pointer file.
constexpr std::string_view lfsMagic = "version https://git-lfs";

/// What is said of such a file, after its name.
constexpr std::string_view lfsAdvice =
    "it is a pointer of Git LFS, not the file itself; fetch it: git lfs pull";

/// `head`: the file, or its first bytes.
constexpr bool isLfsPointer(std::string_view head) {
  return head.substr(0, lfsMagic.size()) == lfsMagic;
}

} // namespace gaudi

#endif // GAUDI_SUPPORT_GITLFS_H
