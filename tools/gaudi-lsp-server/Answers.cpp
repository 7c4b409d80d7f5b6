// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Completes what the language server answers.
#include "Answers.h"
#include "OpTexts.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <unistd.h>

namespace json = llvm::json;

std::string_view gaudi::describeOp(std::string_view name) {
  const std::string_view page = opTexts;
  const std::string head = "### `" + std::string(name) + "` (";
  size_t begin = page.find(head);
  if (begin == page.npos)
    return {};
  begin = page.find('\n', begin) + 1;
  size_t end = std::min(page.find("\n### ", begin), page.size());
  // Traits and tables of operands are for those who change the op.
  if (const size_t traits = page.find("\nTraits:", begin); traits < end)
    end = traits;
  return page.substr(begin, end - begin);
}

/// The op whose generic form a text begins with: "gaudi.tpc.exp".
static std::string_view opOf(llvm::StringRef text) {
  const size_t begin = text.find("\"gaudi.");
  const size_t end = text.find('"', begin + 1);
  if (begin == text.npos || end == text.npos)
    return {};
  return std::string_view(text).substr(begin + 1, end - begin - 1);
}

std::string gaudi::completedAnswer(std::string_view message) {
  if (message.find("\"serverInfo\"") == message.npos &&
      message.find("\"contents\"") == message.npos)
    return std::string(message);
  auto parsed = json::parse(message);
  json::Object *answer = parsed ? parsed->getAsObject() : nullptr;
  if (!parsed)
    llvm::consumeError(parsed.takeError());
  json::Object *result = answer ? answer->getObject("result") : nullptr;
  if (!result)
    return std::string(message);
  if (json::Object *server = result->getObject("serverInfo")) {
    (*server)["name"] = "gaudi-lsp-server";
    (*server)["version"] = GAUDI_VERSION;
  } else if (json::Object *contents = result->getObject("contents")) {
    const std::string text = contents->getString("value").value_or("").str();
    const std::string_view description = describeOp(opOf(text));
    if (description.empty())
      return std::string(message);
    (*contents)["value"] = text + "\n\n" + std::string(description);
  }
  // As the server wrote it: in one line, or for people.
  return message.find('\n') == message.npos
             ? llvm::formatv("{0}", *parsed).str()
             : llvm::formatv("{0:2}", *parsed).str();
}

gaudi::AnswerFilter::AnswerFilter() {
  int ends[2];
  if (::pipe(ends) != 0)
    return;
  output = ::dup(STDOUT_FILENO);
  if (output < 0 || ::dup2(ends[1], STDOUT_FILENO) < 0) {
    output = -1;
    ::close(ends[0]);
    ::close(ends[1]);
    return;
  }
  ::close(ends[1]);
  thread = std::thread([this, input = ends[0]] { run(input); });
}

gaudi::AnswerFilter::~AnswerFilter() {
  if (!isOn())
    return;
  llvm::outs().flush();
  ::dup2(output, STDOUT_FILENO); // the last end of the pipe
  thread.join();
  ::close(output);
}

void gaudi::AnswerFilter::run(int input) {
  constexpr std::string_view field = "Content-Length: ", end = "\r\n\r\n";
  std::string bytes;
  const auto write = [&](std::string_view text) {
    while (!text.empty()) {
      const ssize_t wrote = ::write(output, text.data(), text.size());
      if (wrote < 0 && errno != EINTR)
        return; // the editor has gone
      text.remove_prefix(wrote < 0 ? 0 : size_t(wrote));
    }
  };
  char block[1 << 14];
  for (;;) {
    const ssize_t got = ::read(input, block, sizeof(block));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    bytes.append(block, size_t(got));
    for (;;) {
      const size_t head = bytes.find(end);
      size_t size = 0;
      if (head == bytes.npos || bytes.compare(0, field.size(), field) != 0 ||
          llvm::StringRef(bytes)
              .slice(field.size(), bytes.find('\r'))
              .getAsInteger(10, size) ||
          bytes.size() < head + end.size() + size)
        break;
      const std::string answer = completedAnswer(
          std::string_view(bytes).substr(head + end.size(), size));
      write(std::string(field) + std::to_string(answer.size()) +
            std::string(end) + answer);
      bytes.erase(0, head + end.size() + size);
    }
    // Not a message: nothing to wait for.
    if (bytes.compare(0, std::min(field.size(), bytes.size()),
                      field.substr(0, bytes.size())) != 0) {
      write(bytes);
      bytes.clear();
    }
  }
  write(bytes);
  ::close(input);
}
