// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares predicted times of matrix products with measured ones.
//
// With --vary it takes sets of constants from standard input instead, one per
// line as NAME=VALUE ..., and answers each with the predicted microseconds of
// all rows: the fit varies constants of this one model.
#include "Gaudi/Support/Quote.h"
#include "Predict.h"
#include "Report.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <sstream>

namespace gaudi::benchmark {
namespace {

Result<std::vector<Override>> parseConstants(const std::string &line) {
  std::vector<Override> overrides;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    char *end = nullptr;
    const double value = equals == std::string::npos
                             ? 0
                             : std::strtod(word.c_str() + equals + 1, &end);
    if (end == nullptr || *end != '\0' || end == word.c_str() + equals + 1)
      return fail("constant {} is not NAME=NUMBER", inQuotes(word));
    overrides.push_back({word.substr(0, equals), value});
  }
  return overrides;
}

Status answer(const std::vector<Row> &rows) {
  for (std::string line; std::getline(std::cin, line);) {
    const std::vector<Override> overrides = GAUDI_TRY(parseConstants(line));
    std::string text;
    for (const Row &row : rows) {
      device::DeviceSpec spec = *row.spec;
      GAUDI_TRY(apply(overrides, spec));
      text += fmt::format("{:.17g} ", ours(row, spec));
    }
    fmt::print("{}\n", text);
    std::fflush(stdout);
  }
  return {};
}

Status run(const std::string &path, const std::string &json, bool vary) {
  std::error_code error; // one that does not exist is no other file
  if (std::filesystem::is_regular_file(json, error) &&
      std::filesystem::equivalent(path, json, error))
    return fail("--json: {} would replace the file that is read",
                inQuotes(json));
  const std::vector<Row> rows = GAUDI_TRY(readRows(path));
  if (vary)
    return answer(rows);
  std::vector<Compared> compared;
  for (const Row &row : rows)
    compared.push_back({row, ours(row, *row.spec), roofline(row), brain(row)});
  printTable(compared);
  return json.empty() ? Status() : writeJson(compared, json);
}

int runWith(int argc, char **argv) {
  CLI::App app("Compares predicted times of matrix products with measured "
               "ones, and with a roofline and the compiler's own formula.");
  app.name("device-time.sh");
  std::string path, json;
  bool vary = false;
  app.add_option("FILE", path,
                 "CSV with the columns id, chip, M, K, N, dtype, trans_a, "
                 "trans_b, nodes_in_graph, and tops_measured or us_per_gemm")
      ->required();
  app.add_option("--json", json, "Also write the comparison as JSON");
  app.add_flag("--vary", vary,
               "Predict with sets of constants from standard input");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &help) {
    return app.exit(help);
  } catch (const CLI::ParseError &error) {
    fmt::print(stderr, "error: {} (--help lists the options)\n",
               printable(error.what()));
    return 2;
  }
  const Status status = run(path, json, vary);
  if (status)
    return 0;
  fmt::print(stderr, "error: {}\n", status.error().message);
  return 1;
}

} // namespace
} // namespace gaudi::benchmark

int main(int argc, char **argv) {
  try {
    return gaudi::benchmark::runWith(argc, argv);
  } catch (const std::exception &error) {
    std::fputs("error: ", stderr);
    std::fputs(error.what(), stderr);
    std::fputs("\n", stderr);
    return 1;
  }
}
