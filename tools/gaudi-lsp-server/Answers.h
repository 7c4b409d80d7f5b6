// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What MLIR's language server answers, in the words of gaudi.
#ifndef GAUDI_TOOLS_LSP_ANSWERS_H
#define GAUDI_TOOLS_LSP_ANSWERS_H

#include <string>
#include <string_view>
#include <thread>

namespace gaudi {

/// A message of the server, with its name and version, and the description of
/// the op in what an editor shows where the pointer is. Others stay as they
/// are, byte by byte.
std::string completedAnswer(std::string_view message);

/// What an op of gaudi does, as docs/reference/ops.md has it; empty for others.
std::string_view describeOp(std::string_view name);

/// While it lives, standard output goes through completedAnswer().
class AnswerFilter {
public:
  AnswerFilter();
  ~AnswerFilter();
  AnswerFilter(const AnswerFilter &) = delete;
  AnswerFilter &operator=(const AnswerFilter &) = delete;
  /// False: the system gives no pipe, and answers are those of MLIR.
  bool isOn() const { return output >= 0; }

private:
  void run(int input);

  int output = -1; // standard output
  std::thread thread;
};

} // namespace gaudi

#endif // GAUDI_TOOLS_LSP_ANSWERS_H
