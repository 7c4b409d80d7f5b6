// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON on standard output: what all of it has in common.
#include "JsonOutput.h"
#include "Console.h"

#include <iostream>
#include <nlohmann/json.hpp>

namespace gaudi::run {

/// Changes when a key goes or changes its meaning; new keys leave it.
constexpr int version = 1;
static bool isPrinted = false;

void printJsonObject(const char *kind, const nlohmann::ordered_json &json) {
  using Json = nlohmann::ordered_json;
  Json whole = {{"schema", std::string("gaudi-run-") + kind + "/" +
                               std::to_string(version)}};
  whole.update(json);
  std::cout << whole.dump(2, ' ', false, Json::error_handler_t::replace)
            << "\n";
  isPrinted = true;
}

static const char *stageOf(Exit code) {
  switch (code) {
  case Exit::Ok:
  case Exit::Mismatch:
    return "comparison";
  case Exit::BadInput:
    return "input";
  case Exit::CompileError:
    return "compile";
  case Exit::RunError:
    return "run";
  case Exit::Interrupted:
    return "interrupted";
  }
  return "";
}

void printJsonError(const Ending &ending) {
  if (isPrinted)
    return;
  nlohmann::ordered_json error = {{"code", int(ending.code)},
                                  {"stage", stageOf(ending.code)},
                                  {"message", ending.error}};
  error["diagnostics"] = diagnostics();
  printJsonObject("error", {{"error", std::move(error)}});
}

} // namespace gaudi::run
