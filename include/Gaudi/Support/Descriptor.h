// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An open file of the operating system that closes itself.
#ifndef GAUDI_SUPPORT_DESCRIPTOR_H
#define GAUDI_SUPPORT_DESCRIPTOR_H

#include "Gaudi/Support/Error.h"

#include <cstddef>
#include <string>
#include <utility>

namespace gaudi {

class Descriptor {
public:
  /// Takes over an open descriptor; -1 is none.
  explicit Descriptor(int number = -1) : number(number) {}
  Descriptor(Descriptor &&other) noexcept : number(other.release()) {}
  Descriptor &operator=(Descriptor &&other) noexcept;
  ~Descriptor();

  /// Opens for reading. Never waits: a pipe without a writer opens too. Check
  /// isOpen(); errno tells why not.
  static Descriptor openToRead(const std::string &path);

  bool isOpen() const { return number >= 0; }
  int get() const { return number; }
  /// Gives the descriptor away; the caller closes it.
  int release() { return std::exchange(number, -1); }
  /// Closes now. False and errno if the system reports a late write error.
  bool close();

  /// Reads until `size` bytes are there or the file ends; gives how many. The
  /// error is the system's reason without the file's name.
  Result<size_t> read(void *data, size_t size) const;

private:
  int number;
};

} // namespace gaudi

#endif // GAUDI_SUPPORT_DESCRIPTOR_H
