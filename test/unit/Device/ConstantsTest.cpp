// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// docs/device-time.md lists every constant of the time model as it is.
#include "Gaudi/Device/DeviceSpec.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>

namespace gaudi::device {
namespace {

struct Row {
  std::string_view member; // as in DeviceSpec.h
  std::string_view name;   // for a person
  std::string_view unit;
  double perUnit; // of the constant's own unit
  const Constant &(*get)(const DeviceSpec &);
};

#define ROW(member, name, unit, perUnit, path)                                 \
  Row {                                                                        \
    member, name, unit, perUnit,                                               \
        [](const DeviceSpec &spec) -> const Constant & { return spec.path; }   \
  }

const Row rows[] = {
    ROW("launchSeconds", "launch of a graph", "us", 1e-6, launchSeconds),
    ROW("slowdown", "MME: time against the cycle model", "", 1,
        mme.silicon.slowdown),
    ROW("throttle", "MME: clock of the cycle model over that under load", "", 1,
        mme.silicon.throttle),
    ROW("readBandwidth", "MME: operands from HBM", "GB/s", 1e9,
        mme.silicon.readBandwidth),
    ROW("writeBandwidth", "MME: results to HBM", "GB/s", 1e9,
        mme.silicon.writeBandwidth),
    ROW("handover", "MME: hand-over of a slice", "us", 1e-6,
        mme.silicon.handover),
    ROW("operandMemory", "MME: SRAM for operands", "MiB", 1 << 20,
        mme.silicon.operandMemory),
    ROW("dispatch", "MME: dispatch", "us", 1e-6, mme.silicon.dispatch),
    ROW("localMemory", "TPC: local memory", "KiB", 1024,
        tpc.silicon.localMemory),
    ROW("localMemoryBesideTables", "TPC: local memory beside tables", "KiB",
        1024, tpc.silicon.localMemoryBesideTables),
    ROW("portBytes", "TPC: port, each way", "bytes per cycle", 1,
        tpc.silicon.portBytes),
    ROW("latency", "TPC: latency of a result", "cycles", 1,
        tpc.silicon.latency),
    ROW("start", "TPC: start", "us", 1e-6, tpc.silicon.start),
    ROW("firstData", "TPC: first data", "us", 1e-6, tpc.silicon.firstData),
    ROW("completion", "TPC: completion message", "us", 1e-6,
        tpc.silicon.completion),
    ROW("overhead", "DMA: overhead of a command", "us", 1e-6, dma.overhead),
    ROW("descriptor", "DMA: descriptor", "KiB", 1024, dma.descriptor),
    ROW("streamBandwidth", "HBM: kernels and movements", "GB/s", 1e9,
        memory.streamBandwidth),
    ROW("gatherBandwidth", "HBM: gathered vectors", "GB/s", 1e9,
        memory.gatherBandwidth),
    ROW("up", "host link: copies up", "GB/s", 1e9, hostLink.up),
    ROW("down", "host link: copies down", "GB/s", 1e9, hostLink.down),
    ROW("copyLatency", "host link: latency of a copy", "us", 1e-6,
        hostLink.copyLatency),
};

std::string readFile(const std::string &name) {
  std::ifstream file(GAUDI_SOURCE_DIR + ("/" + name));
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// One row per constant, one column per device; then where they are from.
std::string table() {
  std::string text = "| constant | gaudi | gaudi2 | gaudi3 | from |\n"
                     "|---|---|---|---|---|\n";
  for (const Row &row : rows) {
    text += fmt::format("| {} |", row.name);
    std::vector<std::string_view> sources;
    for (const DeviceSpec &spec : DeviceSpec::all()) {
      const Constant &constant = row.get(spec);
      text += fmt::format(" {:.4g}{}{}, {} |", constant.value / row.perUnit,
                          row.unit.empty() ? "" : " ", row.unit,
                          nameOf(constant.certainty));
      if (std::find(sources.begin(), sources.end(), constant.source) ==
          sources.end())
        sources.push_back(constant.source);
    }
    text += fmt::format(" {} |\n", fmt::join(sources, "; "));
  }
  return text;
}

/// GAUDI_WRITE_DOCS=1 writes the table instead of comparing it.
TEST(Constants, TableOfTheDocumentIsThatOfTheDevices) {
  const std::string name = "docs/device-time.md";
  std::string text = readFile(name);
  const std::string head = "| constant | gaudi | gaudi2 | gaudi3 | from |\n";
  const size_t begin = text.find(head);
  ASSERT_NE(begin, std::string::npos) << name << " has no table of constants";
  const size_t end = text.find("\n\n", begin);
  ASSERT_NE(end, std::string::npos) << "text follows the table";
  if (std::getenv("GAUDI_WRITE_DOCS")) {
    std::ofstream(GAUDI_SOURCE_DIR + ("/" + name))
        << text.replace(begin, end + 1 - begin, table());
    return;
  }
  EXPECT_EQ(text.substr(begin, end + 1 - begin), table())
      << "GAUDI_WRITE_DOCS=1 DeviceTests --gtest_filter=Constants.* writes it";
}

/// A constant that is added to the header must be added to the table.
TEST(Constants, TableIsComplete) {
  const std::string header = readFile("include/Gaudi/Device/DeviceSpec.h");
  std::set<std::string> members, listed;
  const std::regex declaration(R"(\n  Constant ([^;]*);)"), name(R"(\w+)");
  for (std::sregex_iterator found(header.begin(), header.end(), declaration),
       end;
       found != end; ++found) {
    const std::string names = (*found)[1];
    for (std::sregex_iterator each(names.begin(), names.end(), name);
         each != end; ++each)
      members.insert(each->str());
  }
  for (const Row &row : rows)
    listed.insert(std::string(row.member));
  EXPECT_EQ(members, listed);
}

TEST(Constants, EachHasASource) {
  for (const DeviceSpec &spec : DeviceSpec::all())
    for (const Row &row : rows)
      EXPECT_FALSE(row.get(spec).source.empty()) << spec.name << row.name;
}

} // namespace
} // namespace gaudi::device
