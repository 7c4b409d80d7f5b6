// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of micro kernels on matrix tiles, for a type of tiles. Included like
// MicroKernelBody.h, by the file that has the tile instructions and by the one
// that has the same tiles in plain C++.
//
// A tile has up to 16 rows of 64 bytes: 16 rows of the left side by 16 steps,
// 16 steps of a panel by 16 columns, or the sums of both. Panels have the
// tiles' own order already: 16 steps of 32 columns are 2 KiB, in which lines of
// two tiles alternate, so the rows of each are 128 bytes apart. Together they
// take every line of it; tiles of 1 KiB each would use the same cache sets.
#include "AttentionKernelBody.h"
#include "MicroKernelBody.h"

namespace gaudi::runtime {
namespace {

/// What a product of tiles multiplies: pairs of bf16, or four 8-bit integers of
/// the left side, unsigned or signed, and signed ones of the right.
enum class TileProduct { Bf16, UnsignedSigned, SignedSigned };

constexpr int tileRows = 16, tileSteps = 16, tileBytes = 1024, lineBytes = 64;
constexpr int tileColumns = 32; // of two tiles of sums

/// The tiles by number: sums of 32 rows by 32 columns, their rows and columns.
enum : int { Sum00, Sum01, Sum10, Sum11, Left0, Left1, Right0, Right1 };

/// Rows of a tile when a block has `first` rows and `second` more.
constexpr int rowsOfTile(int tile, int first, int second) {
  if (tile >= Right0)
    return tileSteps;
  return tile == Sum10 || tile == Sum11 || tile == Left1 ? second : first;
}

/// `tileSteps` steps of all rows, a piece: where their tiles are, and the
/// panel's, from the start of a panel.
struct Piece {
  const uint8_t *left[2];
  int64_t stride[2]; // bytes between rows
  int64_t right;

  /// The same `count` pieces later, in rows and panel.
  Piece after(int64_t count) const {
    return {{left[0] + count * lineBytes, left[1] + count * lineBytes},
            {stride[0], stride[1]},
            right + count * 2 * tileBytes};
  }
};

/// Pieces that follow each other in rows and panel.
struct PieceRun {
  Piece first;
  int count;
};

/// The rows of a tile in one segment. Evenly spaced ones are loaded from where
/// they are.
struct TileSide {
  const uint8_t *const *rows;
  int count;
  bool even;
  int64_t stride; // of even rows
};

/// Bytes of a panel in a range: some dozen pieces for each time that sums are
/// loaded and stored, which costs as much as two or three. With several taps a
/// strip of panels is what comes from L2 for each block: rows that are apart
/// are gathered once for all panels of a strip.
constexpr int tileRangeBytes = 96 << 10, tileStripBytes = 512 << 10;

/// As many runs as there are tables for, and pieces of a side that are
/// gathered: those of a range of one tap.
constexpr int mostRuns = 128,
              mostGathered = 2 * (tileRangeBytes / (2 * tileBytes));

/// The state of one call.
template <typename Tiles, TileProduct Kind, bool Two> class TileCall {
public:
  TileCall(const BlockCall &call, int firstRows)
      : t(call), first(firstRows), adds(call.accumulate), start(call.start) {}

  void run() {
    for (int64_t s = 0; s < t.segments; ++s)
      addSegment(s);
    if (pieces || !adds || start)
      multiply();
  }

private:
  /// No early exit, so that the loop becomes vector code.
  static TileSide sideOf(const uint8_t *const *rows, int n) {
    const int64_t distance =
        n > 1 ? int64_t(rows[1]) - int64_t(rows[0]) : lineBytes;
    int64_t differs = 0;
    for (int r = 1; r < n; ++r)
      differs |= (int64_t(rows[r]) - int64_t(rows[r - 1])) ^ distance;
    return {rows, n, differs == 0, distance};
  }

  void addSegment(int64_t s) {
    const uint8_t *const *rows = t.rows + s * t.count;
    const TileSide sides[2] = {sideOf(rows, first),
                               sideOf(rows + first, t.count - first)};
    // Evenly spaced rows are loaded where they are, by the tile instruction's
    // stride; the last steps that fill no tile are gathered.
    const bool even = sides[0].even && (!Two || sides[1].even);
    const int64_t inPlace = even ? t.steps / tileSteps * tileSteps : 0;
    const Piece whole{
        {rows[0] + t.offset, Two ? rows[first] + t.offset : nullptr},
        {sides[0].stride, sides[1].stride},
        t.depths[s] * tileColumns * 4};
    if (inPlace) {
      if (runCount == mostRuns)
        multiply();
      runs[runCount++] = {whole, int(inPlace / tileSteps)};
      pieces += int(inPlace / tileSteps);
    }
    for (int64_t k = inPlace; k < t.steps; k += tileSteps) {
      // The buffers are full: multiply what is there. A piece gathers at most
      // one buffer per side.
      if (runCount == mostRuns || gathered + 2 > mostGathered)
        multiply();
      PieceRun &run = runs[runCount++];
      run = {whole.after(k / tileSteps), 1};
      gather(run.first, sides, k);
      ++pieces;
    }
  }

  /// Copies rows that are apart, and the last steps: those after a row's end
  /// may be anything, NaN as well, and become zeros.
  void gather(Piece &piece, const TileSide *sides, int64_t k) {
    const int64_t left = t.steps - k;
    for (int half = 0; half < (Two ? 2 : 1); ++half) {
      const TileSide &side = sides[half];
      if (side.even && left >= tileSteps)
        continue;
      uint8_t *to = buffer + gathered++ * tileBytes;
      for (int r = 0; r < side.count; ++r)
        Tiles::copyLine(to + r * lineBytes, side.rows[r] + t.offset + k * 4,
                        left < tileSteps ? int(left) : tileSteps);
      piece.left[half] = to;
      piece.stride[half] = lineBytes;
    }
  }

  template <int Tile> void loadLeft(const Piece &piece) const {
    Tiles::template load<Tile>(piece.left[Tile - Left0],
                               piece.stride[Tile - Left0]);
  }
  template <int Tile>
  void loadRight(const uint8_t *panel, const Piece &piece) const {
    Tiles::template load<Tile>(
        panel + piece.right + (Tile - Right0) * lineBytes, tileColumns * 4);
  }

  /// What is prefetched beside the products of a panel, a part with each piece.
  struct Fetch {
    const uint8_t *lines; // of the next panels
    const float *sums;    // of the next panel or call
    int sumRows;          // that are left
    int rowsPerPiece;
  };

  Fetch fetchBeside(int64_t p) const {
    const float *sums =
        p + 1 < t.panels ? t.c + (p + 1) * tileColumns : t.nextC;
    return {t.prefetch + p * t.panelBytes + fetched, sums, sums ? t.count : 0,
            (t.count + pieces - 1) / pieces};
  }

  /// The sums go to L1: those of earlier ranges are loaded before the first
  /// product.
  void prefetch(Fetch &fetch) const {
    for (int64_t line = 0; line < t.lines; ++line, fetch.lines += lineBytes)
      __builtin_prefetch(fetch.lines, 0, 2);
    for (int r = 0; r < fetch.rowsPerPiece && fetch.sumRows > 0;
         ++r, --fetch.sumRows, fetch.sums += t.cStride) {
      __builtin_prefetch(fetch.sums, 1);
      __builtin_prefetch(fetch.sums + 16, 1);
    }
  }

  /// Adds the products of all pieces with all panels. The tiles of a piece are
  /// loaded behind the products of the one before it, each as soon as its last
  /// product is issued, also from run to run and from panel to panel.
  void multiply() {
    // All taps of the range are in the padding.
    if (pieces == 0)
      return clear();
    const uint8_t *panel = t.panel;
    Piece piece = runs[0].first;
    loadLeft<Left0>(piece);
    loadRight<Right0>(panel, piece);
    loadRight<Right1>(panel, piece);
    if constexpr (Two)
      loadLeft<Left1>(piece);
    for (int64_t p = 0; p < t.panels; ++p) {
      float *c = t.c + p * tileColumns;
      startSums(c, p);
      Fetch fetch = fetchBeside(p);
      for (int r = 0; r < runCount; ++r) {
        for (int left = runs[r].count; left > 1; --left) {
          prefetch(fetch);
          piece = piece.after(1);
          addProducts<true>(panel, piece);
        }
        prefetch(fetch);
        const bool last = r + 1 == runCount;
        if (last)
          panel += t.panelBytes;
        if (last && p + 1 == t.panels) {
          addProducts<false>(panel, piece);
        } else {
          piece = runs[last ? 0 : r + 1].first;
          addProducts<true>(panel, piece);
        }
      }
      storeSums(c);
    }
    fetched += pieces * t.lines * lineBytes;
    // Later calls for the same sums add to what is stored.
    adds = true;
    start = nullptr;
    runCount = pieces = gathered = 0;
  }

  /// Products of the loaded tiles; loads those of `next` if it is one.
  template <bool HasNext>
  GAUDI_STEP_INLINE void addProducts(const uint8_t *panel, const Piece &next) {
    Tiles::template multiply<Kind, Sum00, Left0, Right0>();
    Tiles::template multiply<Kind, Sum01, Left0, Right1>();
    if constexpr (HasNext)
      loadLeft<Left0>(next);
    if constexpr (Two)
      Tiles::template multiply<Kind, Sum10, Left1, Right0>();
    if constexpr (HasNext)
      loadRight<Right0>(panel, next);
    if constexpr (Two)
      Tiles::template multiply<Kind, Sum11, Left1, Right1>();
    if constexpr (HasNext) {
      loadRight<Right1>(panel, next);
      if constexpr (Two)
        loadLeft<Left1>(next);
    }
  }

  void startSums(const float *c, int64_t panel) const {
    const int64_t rowStride = start ? 0 : t.cStride, stride = rowStride * 4;
    if (start)
      c = start + panel * tileColumns;
    if (!adds) {
      Tiles::template zero<Sum00>();
      Tiles::template zero<Sum01>();
    } else {
      Tiles::template load<Sum00>(c, stride);
      Tiles::template load<Sum01>(c + 16, stride);
    }
    if constexpr (Two) {
      const float *second = c + first * rowStride;
      if (!adds) {
        Tiles::template zero<Sum10>();
        Tiles::template zero<Sum11>();
      } else {
        Tiles::template load<Sum10>(second, stride);
        Tiles::template load<Sum11>(second + 16, stride);
      }
    }
  }

  void storeSums(float *c) const {
    const int64_t stride = t.cStride * 4;
    Tiles::template store<Sum00>(c, stride);
    Tiles::template store<Sum01>(c + 16, stride);
    if constexpr (Two) {
      float *second = c + first * t.cStride;
      Tiles::template store<Sum10>(second, stride);
      Tiles::template store<Sum11>(second + 16, stride);
    }
  }

  /// The sum of nothing, and what it starts with.
  void clear() const {
    for (int64_t p = 0; p < t.panels; ++p)
      for (int r = 0; r < t.count; ++r)
        for (int i = 0; i < tileColumns; ++i)
          t.c[p * tileColumns + r * t.cStride + i] =
              start ? start[p * tileColumns + i] : 0;
  }

  const BlockCall &t;
  const int first; // rows of the first tile; the second has the others
  bool adds;       // to what c holds, or to `start`
  const float *start;
  int runCount = 0, pieces = 0, gathered = 0;
  int64_t fetched = 0; // bytes of `lines`, by pieces that are done
  PieceRun runs[mostRuns];
  alignas(64) uint8_t buffer[mostGathered * tileBytes];
};

/// Two tiles have half of the rows each: products take as many cycles as the
/// left tile has rows, and two short lines of a convolution are a tile each, of
/// rows that are evenly spaced.
template <typename Tiles, TileProduct Kind, bool Two>
void runTiles(const BlockCall &call) {
  const int first = Two ? (call.count + 1) / 2 : call.count;
  Tiles::configure(first, call.count - first);
  TileCall<Tiles, Kind, Two>(call, first).run();
}

/// The functions by number of rows: one and two tiles of rows.
template <typename Tiles, TileProduct Kind> struct TileFunctions {
  template <int... Rows> struct Table {
    static constexpr BlockFunction all[] = {
        nullptr, runTiles<Tiles, Kind, (Rows > tileRows)>...};
  };
  template <int Left, int... Rows>
  struct Count : Count<Left - 1, Left, Rows...> {};
  template <int... Rows> struct Count<0, Rows...> : Table<Rows...> {};
  static constexpr const BlockFunction *all = Count<2 * tileRows>::all;
};

/// Each tile of rows takes the panels from L3 or memory, so tiles have many
/// rows: as many as leave half of an L2 of 1 to 2 MiB to panels and results.
constexpr int mostTileRows = 256, tileRowBytes = 400 << 10;
/// 0.4 GFLOP of bf16: some 0.4 ms.
constexpr double tileWork = 1e8;

/// The kernel of `Tiles` for operands that steps hold in `format`. Its row
/// operations are those of the file that has the tiles.
template <typename Tiles, TileProduct Kind>
constexpr MicroKernel onTiles(const char *name, StepFormat format) {
  MicroKernel kernel{};
  kernel.name = name;
  kernel.rows = 2 * tileRows;
  kernel.columns = tileColumns;
  kernel.format = format;
  kernel.stepGrain = tileSteps;
  kernel.functions = TileFunctions<Tiles, Kind>::all;
  kernel.roundRows = roundRows;
  kernel.lanes = 16;
  kernel.attention = &attentionFunctions;
  kernel.rangeBytes = tileRangeBytes;
  kernel.stripBytes = tileStripBytes;
  kernel.tileRows = mostTileRows;
  kernel.tileRowBytes = tileRowBytes;
  kernel.tileWork = tileWork;
  kernel.finish = Tiles::release;
  return kernel;
}

template <typename Tiles>
constexpr SignedRowFunctions signedRowsOnTiles = {
    TileFunctions<Tiles, TileProduct::SignedSigned>::all, 0};

/// The kernel of 8-bit integers.
template <typename Tiles>
constexpr MicroKernel integersOnTiles(const char *name) {
  MicroKernel kernel =
      onTiles<Tiles, TileProduct::UnsignedSigned>(name, StepFormat::Int8);
  kernel.signedRows = &signedRowsOnTiles<Tiles>;
  return kernel;
}

} // namespace
} // namespace gaudi::runtime
