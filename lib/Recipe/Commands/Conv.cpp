// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `conv`: a convolution over one to three spatial dimensions, or its gradient
// with respect to the input. `conv_weight_grad`: its gradient with respect to
// the filter.
#include "CommandKind.h"

#include <type_traits>

namespace gaudi::recipe {
namespace {

/// Where the dimensions of a layout are stored.
struct Layout {
  size_t outer;                // N, or O of the filter
  size_t channel;              // C, or I of the filter
  std::vector<size_t> spatial; // D, H, W order
};

Result<Layout> parseLayout(const char *name, std::string_view layout,
                           char outer, char channel, size_t rank) {
  const size_t spatial = rank - 2;
  std::string letters = {outer, channel};
  letters += std::string_view("DHW").substr(3 - spatial);
  std::vector<size_t> places;
  for (char letter : letters)
    places.push_back(layout.find(letter));
  bool valid = layout.size() == rank;
  for (size_t place : places)
    valid = valid && place != std::string_view::npos;
  if (!valid)
    return fail("layout of {} is {}, expected the letters {} in any order",
                name, quoted(layout), letters);
  return Layout{places[0], places[1], {places.begin() + 2, places.end()}};
}

Status checkList(const char *name, const flatbuffers::Vector<int64_t> *list,
                 size_t count, int64_t low) {
  constexpr int64_t high = int64_t(1) << 31;
  if (items(list).size() != count)
    return fail("{} has {} numbers, expected {}", name, items(list).size(),
                count);
  for (int64_t number : items(list))
    if (number < low || number > high)
      return fail("{} has {}, expected {} to 2^31", name, number, low);
  return {};
}

/// The tensors of a convolution, and where their dimensions are stored. In the
/// transposed form x is the gradient of the output and y that of the input.
struct Problem {
  bool transposed;
  int64_t groups;
  Items<int64_t> strides, dilations, padLow, padHigh;
  const kernel::Dims &x, &w, &y;
  Layout lx, lw, ly;
};

Status checkChannels(const Problem &p) {
  // The transposed form reads the filter of the convolution it reverses: its
  // input has O channels, its output I per group.
  const bool transposed = p.transposed;
  const int64_t outer = p.w[p.lw.outer], perGroup = p.w[p.lw.channel];
  const int64_t outerSide = transposed ? p.x[p.lx.channel] : p.y[p.ly.channel];
  const int64_t innerSide = transposed ? p.y[p.ly.channel] : p.x[p.lx.channel];
  const char *outerName = transposed ? "input" : "output";
  const char *innerName = transposed ? "output" : "input";
  if (p.groups < 1 || outer % p.groups != 0)
    return fail(
        "groups is {}, expected a divisor of the {} {} channels of the filter",
        p.groups, outer, outerName);
  if (innerSide % p.groups != 0 || innerSide / p.groups != perGroup)
    return fail(
        "the {} has {} channels in {} groups but the filter takes {} per group",
        innerName, innerSide, p.groups, perGroup);
  if (outerSide != outer)
    return fail("the {} has {} channels but the filter makes {}", outerName,
                outerSide, outer);
  if (p.y[p.ly.outer] != p.x[p.lx.outer])
    return fail("the output has batch size {} but the input has {}",
                p.y[p.ly.outer], p.x[p.lx.outer]);
  return {};
}

Status checkSpatial(const Problem &p) {
  // One filter is applied per element of y (forward) or x (transposed).
  double work = double(p.x[p.lx.outer]) * double(p.w[p.lw.channel]) *
                double(p.w[p.lw.outer]);
  for (size_t s = 0; s < p.lx.spatial.size(); ++s) {
    const int64_t in = p.x[p.lx.spatial[s]], out = p.y[p.ly.spatial[s]],
                  k = p.w[p.lw.spatial[s]];
    // 128 bits hold every sum of products of 48-bit sizes and 32-bit numbers.
    const __int128 stride = p.strides[s];
    const __int128 reach = __int128(p.dilations[s]) * (k - 1);
    const __int128 pads = __int128(p.padLow[s]) + p.padHigh[s];
    const __int128 room = in + pads - reach - 1;
    const __int128 expected = p.transposed
                                  ? (in - 1) * stride + reach + 1 - pads
                                  : (room < 0 ? 0 : room / stride + 1);
    if (expected != out)
      return fail("spatial dimension {} of the output has size {} but the "
                  "convolution makes {}",
                  s, out,
                  expected < 0 || expected > int64_t(maxDeviceBytes)
                      ? "no such size"
                      : fmt::format("{}", int64_t(expected)));
    work *= double(k) * double(p.transposed ? in : out);
  }
  if (work > double(maxMatrixWork))
    return fail("the convolution needs {:.3g} multiply-adds, expected at most "
                "2^50",
                work);
  return {};
}

/// Which tensors of the convolution a command takes and makes.
struct Roles {
  uint32_t x, w, y; // an input, or the output after the inputs
};
constexpr Roles rolesOf(const Conv *) { return {0, 1, 2}; }
constexpr Roles rolesOf(const ConvWeightGrad *) { return {0, 2, 1}; }

bool isTransposed(const Conv &conv) { return conv.transposed(); }
bool isTransposed(const ConvWeightGrad &) { return false; }

/// Only a forward convolution cannot crop what it reads.
bool allowsCropping(const Conv &conv) { return conv.transposed(); }
bool allowsCropping(const ConvWeightGrad &) { return true; }

template <typename Body> Status verify(const CommandView &view) {
  GAUDI_TRY(checkMatrixOperands(view));
  const Body &conv = *view.command.body_as<Body>();
  constexpr Roles roles = rolesOf(static_cast<const Body *>(nullptr));
  auto sizes = [&](uint32_t i) -> const kernel::Dims & {
    return (i < 2 ? view.input(i) : view.output(0)).window.sizes;
  };
  const kernel::Dims &x = sizes(roles.x), &w = sizes(roles.w),
                     &y = sizes(roles.y);
  const size_t rank = x.size();
  if (rank < 3 || rank > 5 || w.size() != rank || y.size() != rank)
    return fail("a convolution takes tensors of one rank from 3 to 5 but got "
                "{}, {} and {}",
                rank, w.size(), y.size());
  const Problem problem = {
      isTransposed(conv),
      conv.groups(),
      items(conv.strides()),
      items(conv.dilations()),
      items(conv.pad_low()),
      items(conv.pad_high()),
      x,
      w,
      y,
      GAUDI_TRY(
          parseLayout("the input", text(conv.input_layout()), 'N', 'C', rank)),
      GAUDI_TRY(parseLayout("the filter", text(conv.filter_layout()), 'O', 'I',
                            rank)),
      GAUDI_TRY(parseLayout("the output", text(conv.output_layout()), 'N', 'C',
                            rank))};
  const int64_t lowestPad = allowsCropping(conv) ? -(int64_t(1) << 31) : 0;
  GAUDI_TRY(checkList("strides", conv.strides(), rank - 2, 1));
  GAUDI_TRY(checkList("dilations", conv.dilations(), rank - 2, 1));
  GAUDI_TRY(checkList("pad_low", conv.pad_low(), rank - 2, lowestPad));
  GAUDI_TRY(checkList("pad_high", conv.pad_high(), rank - 2, lowestPad));
  GAUDI_TRY(checkChannels(problem));
  return checkSpatial(problem);
}

template <typename Body>
void account(const Command &command, Account &account) {
  const Body &conv = *command.body_as<Body>();
  account.take(conv.input_layout());
  account.take(conv.filter_layout());
  account.take(conv.output_layout());
  for (const auto *list :
       {conv.strides(), conv.dilations(), conv.pad_low(), conv.pad_high()})
    account.takeScalars(list);
}

template <typename Body> void print(const Command &command, TextWriter &out) {
  const Body &conv = *command.body_as<Body>();
  out.put(" x {} w {} y {}", quoted(text(conv.input_layout())),
          quoted(text(conv.filter_layout())),
          quoted(text(conv.output_layout())));
  out.put(" strides [{}] dilations [{}] pad_low [{}] pad_high [{}]",
          fmt::join(copyOf(conv.strides()), ", "),
          fmt::join(copyOf(conv.dilations()), ", "),
          fmt::join(copyOf(conv.pad_low()), ", "),
          fmt::join(copyOf(conv.pad_high()), ", "));
  if (conv.groups() != 1)
    out.put(" groups {}", conv.groups());
  if (isTransposed(conv))
    out.put(" transposed");
}

template <typename BodyT> void parse(Lexer &lexer, BodyUnion &body) {
  BodyT conv;
  for (auto [word, layout] : {std::pair("x", &conv.input_layout),
                              {"w", &conv.filter_layout},
                              {"y", &conv.output_layout}}) {
    lexer.expect(word);
    *layout = lexer.string();
  }
  for (auto [word, list] : {std::pair("strides", &conv.strides),
                            {"dilations", &conv.dilations},
                            {"pad_low", &conv.pad_low},
                            {"pad_high", &conv.pad_high}}) {
    lexer.expect(word);
    *list = lexer.integers();
  }
  if (lexer.accept("groups"))
    conv.groups = lexer.integer();
  if constexpr (std::is_same_v<BodyT, ConvT>)
    conv.transposed = lexer.accept("transposed");
  body.Set(std::move(conv));
}

} // namespace

extern const CommandKind convCommand = {
    Body::Conv,    engineSet(Engine::MME, Engine::Host),
    verify<Conv>,  nullptr,
    account<Conv>, print<Conv>,
    parse<ConvT>};

extern const CommandKind convWeightGradCommand = {
    Body::ConvWeightGrad,    engineSet(Engine::MME, Engine::Host),
    verify<ConvWeightGrad>,  nullptr,
    account<ConvWeightGrad>, print<ConvWeightGrad>,
    parse<ConvWeightGradT>,  1,
    uint64_t(1) << 1};

} // namespace gaudi::recipe
