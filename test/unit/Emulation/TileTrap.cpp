// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes and carries out the tile instructions.
#include "TileTrap.h"

#include <atomic>
#include <cpuid.h>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <xmmintrin.h>

namespace gaudi::testing {
namespace {

constexpr int tileCount = 8, mostRows = 16, rowBytes = 64;

struct Tile {
  int rows, bytes; // of a row; 0: not configured
  uint8_t data[mostRows][rowBytes];
};

/// The tiles of a thread.
struct Tiles {
  bool configured;
  Tile tile[tileCount];
};

// The first access may allocate it, which is safe in this handler: a tile
// instruction never interrupts the allocator.
thread_local Tiles *threadTiles = nullptr;

std::atomic<bool> allowed = false;
std::atomic<uint64_t> configurations, releases, loads, stores, zeros, products;

/// Only what a signal handler may call.
[[noreturn]] void refuse(const char *instruction, const char *problem) {
  for (const char *text :
       {"tile instruction ", instruction, ": ", problem, "\n"})
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0)
      break;
  std::abort();
}

Tiles &tiles() {
  if (!threadTiles) {
    void *memory = mmap(nullptr, sizeof(Tiles), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      refuse("any", "no memory for the tiles of a thread");
    threadTiles = static_cast<Tiles *>(memory);
  }
  return *threadTiles;
}

/// VEX.128.pp.0F38.W0: what tells the instructions apart.
struct Instruction {
  uint8_t prefix; // 0: none, 1: 66, 2: F3, 3: F2
  uint8_t opcode;
  bool memory;
  int reg, rm, vvvv;
  uint64_t base; // of memory operands, displacement included
  int64_t index; // times its scale
  bool hasSib;
  int length;
};

uint64_t generalRegister(const ucontext_t &context, int number) {
  constexpr int places[] = {
      REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
      REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  return uint64_t(context.uc_mcontext.gregs[places[number]]);
}

/// The memory operand, from the byte after ModRM on.
void decodeMemory(const ucontext_t &context, const uint8_t *at,
                  Instruction &result, int mod, bool extendIndex,
                  bool extendBase) {
  const uint8_t *const start = at;
  int base = result.rm & 7;
  result.hasSib = base == 4;
  bool noBase = mod == 0 && base == 5; // relative to the next instruction
  if (result.hasSib) {
    const uint8_t sib = *at++;
    const int index = (sib >> 3 & 7) + (extendIndex ? 8 : 0);
    if (index != 4)
      result.index = int64_t(generalRegister(context, index) << (sib >> 6));
    base = sib & 7;
    noBase = mod == 0 && base == 5;
  }
  int64_t displacement = 0;
  if (mod == 1) {
    displacement = int8_t(*at++);
  } else if (mod == 2 || noBase) {
    int32_t wide;
    std::memcpy(&wide, at, sizeof(wide));
    displacement = wide;
    at += sizeof(wide);
  }
  result.length += int(at - start);
  if (!noBase)
    result.base = generalRegister(context, base + (extendBase ? 8 : 0));
  else if (!result.hasSib)
    result.base =
        uint64_t(context.uc_mcontext.gregs[REG_RIP]) + uint64_t(result.length);
  result.base += uint64_t(displacement);
}

/// False if it is not of the form that all tile instructions have.
bool decode(const ucontext_t &context, Instruction &result) {
  const auto *at =
      reinterpret_cast<const uint8_t *>(context.uc_mcontext.gregs[REG_RIP]);
  // VEX with three bytes, opcode map 0F38, W0, 128 bits.
  if (at[0] != 0xc4 || (at[1] & 0x1f) != 2 || (at[2] & 0x84) != 0)
    return false;
  const bool extendReg = !(at[1] & 0x80), extendIndex = !(at[1] & 0x40),
             extendBase = !(at[1] & 0x20);
  const uint8_t modRm = at[4];
  result = {};
  result.prefix = at[2] & 3;
  result.opcode = at[3];
  result.vvvv = ~at[2] >> 3 & 15;
  result.reg = (modRm >> 3 & 7) + (extendReg ? 8 : 0);
  result.rm = modRm & 7;
  result.memory = modRm >> 6 != 3;
  result.length = 5;
  if (result.memory)
    decodeMemory(context, at + 5, result, modRm >> 6, extendIndex, extendBase);
  return true;
}

Tile &usable(int number, const char *name) {
  Tiles &all = tiles();
  if (!allowed)
    refuse(name, "the process has no permission");
  if (!all.configured)
    refuse(name, "tiles are not configured");
  if (number >= tileCount)
    refuse(name, "there are eight tiles");
  if (all.tile[number].rows == 0)
    refuse(name, "the tile is not configured");
  return all.tile[number];
}

void configure(const Instruction &instruction) {
  constexpr const char *name = "ldtilecfg";
  if (!allowed)
    refuse(name, "the process has no permission");
  const auto *from = reinterpret_cast<const uint8_t *>(
      instruction.base + uint64_t(instruction.index));
  ++configurations;
  Tiles &all = tiles();
  all = {};
  if (from[0] == 0)
    return;
  if (from[0] != 1)
    refuse(name, "the palette is neither 0 nor 1");
  if (from[1] != 0)
    refuse(name, "the first row is not 0");
  for (int i = 2; i < 16; ++i)
    if (from[i])
      refuse(name, "reserved bytes are not 0");
  for (int i = 0; i < 16; ++i) {
    uint16_t bytes;
    std::memcpy(&bytes, from + 16 + 2 * i, sizeof(bytes));
    const int rows = from[48 + i];
    if (i >= tileCount && (bytes || rows))
      refuse(name, "reserved bytes are not 0");
    if (bytes > rowBytes || rows > mostRows)
      refuse(name, "a tile has more than 16 rows or 64 bytes in a row");
    if ((bytes == 0) != (rows == 0))
      refuse(name, "a tile has rows without bytes or bytes without rows");
    if (i < tileCount) {
      all.tile[i].rows = rows;
      all.tile[i].bytes = bytes;
    }
  }
  all.configured = true;
}

void storeConfiguration(const Instruction &instruction) {
  auto *to = reinterpret_cast<uint8_t *>(instruction.base +
                                         uint64_t(instruction.index));
  std::memset(to, 0, 64);
  const Tiles &all = tiles();
  to[0] = all.configured ? 1 : 0;
  for (int i = 0; i < tileCount; ++i) {
    const uint16_t bytes = uint16_t(all.tile[i].bytes);
    std::memcpy(to + 16 + 2 * i, &bytes, sizeof(bytes));
    to[48 + i] = uint8_t(all.tile[i].rows);
  }
}

void zero(Tile &tile) {
  std::memset(tile.data, 0, sizeof(tile.data));
  ++zeros;
}

/// Rows lie `index` bytes apart. Reads and writes no byte beside them.
void load(const Instruction &instruction) {
  if (!instruction.hasSib)
    refuse("tileloadd", "the address has no index");
  Tile &tile = usable(instruction.reg, "tileloadd");
  std::memset(tile.data, 0, sizeof(tile.data));
  for (int r = 0; r < tile.rows; ++r)
    std::memcpy(tile.data[r],
                reinterpret_cast<const void *>(instruction.base +
                                               uint64_t(r * instruction.index)),
                size_t(tile.bytes));
  ++loads;
}

void store(const Instruction &instruction) {
  if (!instruction.hasSib)
    refuse("tilestored", "the address has no index");
  const Tile &tile = usable(instruction.reg, "tilestored");
  for (int r = 0; r < tile.rows; ++r)
    std::memcpy(reinterpret_cast<void *>(instruction.base +
                                         uint64_t(r * instruction.index)),
                tile.data[r], size_t(tile.bytes));
  ++stores;
}

float bfloatAt(const uint8_t *row, int number) {
  uint32_t bits = 0;
  std::memcpy(reinterpret_cast<uint8_t *>(&bits) + 2, row + 2 * number, 2);
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// For one row of the result: even and odd products in sums of their own, each
/// step rounded once, then both sums and what the row holds.
[[gnu::target("fma"), gnu::noinline]] void
multiplyBfloats(Tile &to, const Tile &a, const Tile &b, int row) {
  const int columns = to.bytes / 4;
  float sums[2][mostRows] = {};
  for (int k = 0; k < a.bytes / 4; ++k)
    for (int n = 0; n < columns; ++n)
      for (int half = 0; half < 2; ++half)
        sums[half][n] =
            __builtin_fmaf(bfloatAt(a.data[row], 2 * k + half),
                           bfloatAt(b.data[k], 2 * n + half), sums[half][n]);
  for (int n = 0; n < columns; ++n) {
    float value;
    std::memcpy(&value, to.data[row] + 4 * n, sizeof(value));
    value += sums[0][n] + sums[1][n];
    std::memcpy(to.data[row] + 4 * n, &value, sizeof(value));
  }
}

/// Sums wrap.
void multiplyBytes(Tile &to, const Tile &a, const Tile &b, int row,
                   bool signedLeft, bool signedRight) {
  auto value = [](uint8_t byte, bool isSigned) {
    return isSigned ? int32_t(int8_t(byte)) : int32_t(byte);
  };
  for (int n = 0; n < to.bytes / 4; ++n) {
    uint32_t sum;
    std::memcpy(&sum, to.data[row] + 4 * n, sizeof(sum));
    for (int k = 0; k < a.bytes; ++k)
      sum += uint32_t(value(a.data[row][k], signedLeft) *
                      value(b.data[k / 4][4 * n + k % 4], signedRight));
    std::memcpy(to.data[row] + 4 * n, &sum, sizeof(sum));
  }
}

void multiply(const Instruction &instruction, bool bfloats) {
  const char *const name = bfloats ? "tdpbf16ps" : "tdpb**d";
  if (instruction.reg == instruction.rm ||
      instruction.reg == instruction.vvvv || instruction.rm == instruction.vvvv)
    refuse(name, "two of the tiles are the same");
  Tile &to = usable(instruction.reg, name);
  const Tile &a = usable(instruction.rm, name),
             &b = usable(instruction.vvvv, name);
  if (to.rows != a.rows || to.bytes != b.bytes || a.bytes != 4 * b.rows ||
      to.bytes % 4)
    refuse(name, "the shapes of the tiles do not fit each other");
  // Denormals are zero as operands and results; the control register neither
  // matters nor changes.
  constexpr unsigned flushToZero = 0x9fc0;
  const unsigned before = _mm_getcsr();
  _mm_setcsr(flushToZero);
  for (int r = 0; r < to.rows; ++r)
    if (bfloats)
      multiplyBfloats(to, a, b, r);
    else
      multiplyBytes(to, a, b, r, instruction.prefix & 2,
                    instruction.prefix == 3 || instruction.prefix == 1);
  _mm_setcsr(before);
  std::memset(to.data[to.rows], 0, size_t((mostRows - to.rows) * rowBytes));
  ++products;
}

/// False if it is no tile instruction.
bool carryOut(const Instruction &i) {
  constexpr uint8_t none = 0, p66 = 1, pF3 = 2, pF2 = 3;
  switch (i.opcode) {
  case 0x49:
    if (i.memory && i.reg == 0 && i.prefix == none)
      configure(i);
    else if (i.memory && i.reg == 0 && i.prefix == p66)
      storeConfiguration(i);
    else if (!i.memory && i.prefix == none) {
      tiles() = {};
      ++releases;
    } else if (!i.memory && i.prefix == pF2)
      zero(usable(i.reg, "tilezero"));
    else
      return false;
    return true;
  case 0x4b:
    if (!i.memory || i.prefix == none)
      return false;
    if (i.prefix == pF3)
      store(i);
    else // with and without a hint for the caches
      load(i);
    return true;
  case 0x5c:
    if (i.memory || i.prefix != pF3)
      return false;
    multiply(i, true);
    return true;
  case 0x5e:
    if (i.memory)
      return false;
    multiply(i, false);
    return true;
  default:
    return false;
  }
}

void onUnknownInstruction(int signal, siginfo_t *, void *where) {
  auto &context = *static_cast<ucontext_t *>(where);
  // Neighbouring ones at once: a trap costs more than an instruction.
  Instruction instruction;
  bool any = false;
  while (decode(context, instruction) && carryOut(instruction)) {
    context.uc_mcontext.gregs[REG_RIP] += instruction.length;
    any = true;
  }
  if (!any) // one that really is unknown
    std::signal(signal, SIG_DFL);
}

} // namespace

void trapTiles() {
  struct sigaction action = {};
  action.sa_sigaction = onUnknownInstruction;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGILL, &action, nullptr);
}

bool hasTiles() {
  uint32_t eax, ebx, ecx, edx;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (edx & 1u << 24);
}

void permitTiles(bool permitted) {
  constexpr long requestState = 0x1023, tileData = 18;
  if (permitted && hasTiles() &&
      syscall(SYS_arch_prctl, requestState, tileData) != 0)
    refuse("any", "the system does not permit them");
  allowed = permitted;
}

TileCounts tileCounts() {
  return {configurations, releases, loads, stores, zeros, products};
}

bool tilesInUse() { return threadTiles && threadTiles->configured; }

} // namespace gaudi::testing
