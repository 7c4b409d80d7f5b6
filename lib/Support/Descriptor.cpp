// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens, reads and closes files.
#include "Gaudi/Support/Descriptor.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace gaudi {

Descriptor &Descriptor::operator=(Descriptor &&other) noexcept {
  if (this != &other) {
    close();
    number = other.release();
  }
  return *this;
}

Descriptor::~Descriptor() { close(); }

Descriptor Descriptor::openToRead(const std::string &path) {
  return Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

bool Descriptor::close() {
  return number < 0 || ::close(std::exchange(number, -1)) == 0;
}

Result<size_t> Descriptor::read(void *data, size_t size) const {
  // Linux transfers at most about 2 GiB per call.
  constexpr size_t largestRead = size_t(1) << 30;
  size_t have = 0;
  while (have < size) {
    const ssize_t count = ::read(number, static_cast<char *>(data) + have,
                                 std::min(size - have, largestRead));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return fail(strerror(errno));
    if (count == 0)
      break;
    have += size_t(count);
  }
  return have;
}

} // namespace gaudi
