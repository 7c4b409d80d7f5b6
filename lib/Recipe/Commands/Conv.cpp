// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions over one to three spatial dimensions: `conv`, or transposed its
// gradient with respect to the input, and `conv_weight_grad`.
#include "CommandKind.h"

#include "Gaudi/Recipe/Convolution.h"

#include <type_traits>

namespace gaudi::recipe {
namespace {

using kernel::MatrixRole;

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
  const Convolution &conv;
  const kernel::Dims &x, &w, &y;
  Layout lx, lw, ly;
};

Status checkChannels(const Problem &p) {
  // The transposed form reads the filter of the convolution it reverses: its
  // input has O channels, its output I per group.
  const bool transposed = p.conv.transposed;
  const int64_t outer = p.w[p.lw.outer], perGroup = p.w[p.lw.channel];
  const int64_t outerSide = transposed ? p.x[p.lx.channel] : p.y[p.ly.channel];
  const int64_t innerSide = transposed ? p.y[p.ly.channel] : p.x[p.lx.channel];
  const char *outerName = transposed ? "input" : "output";
  const char *innerName = transposed ? "output" : "input";
  if (p.conv.groups < 1 || outer % p.conv.groups != 0)
    return fail(
        "groups is {}, expected a divisor of the {} {} channels of the filter",
        p.conv.groups, outer, outerName);
  if (innerSide % p.conv.groups != 0 || innerSide / p.conv.groups != perGroup)
    return fail(
        "the {} has {} channels in {} groups but the filter takes {} per group",
        innerName, innerSide, p.conv.groups, perGroup);
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
    const __int128 stride = p.conv.strides->Get(s);
    const __int128 reach = __int128(p.conv.dilations->Get(s)) * (k - 1);
    const __int128 pads =
        __int128(p.conv.padLow->Get(s)) + p.conv.padHigh->Get(s);
    const __int128 room = in + pads - reach - 1;
    const __int128 expected = p.conv.transposed
                                  ? (in - 1) * stride + reach + 1 - pads
                                  : (room < 0 ? 0 : room / stride + 1);
    if (expected != out)
      return fail("spatial dimension {} of the output has size {} but the "
                  "convolution makes {}",
                  s, out,
                  expected < 0 || expected > int64_t(maxDeviceBytes)
                      ? "no such size"
                      : fmt::format("{}", int64_t(expected)));
    work *= double(k) * double(p.conv.transposed ? in : out);
  }
  if (work > double(maxMatrixWork))
    return fail("the convolution needs {:.3g} multiply-adds, expected at most "
                "2^50",
                work);
  return {};
}

Status verify(const CommandView &view) {
  GAUDI_TRY(checkMatrixOperands(view));
  const Convolution conv = *convolutionOf(view.command);
  auto sizesOf = [&](MatrixRole role) -> const kernel::Dims & {
    const unsigned place = kernel::placeOf(conv.kind, role);
    return (place < 2 ? view.input(place) : view.output(0)).window.sizes;
  };
  const kernel::Dims &w = sizesOf(MatrixRole::W);
  const kernel::Dims &x =
      sizesOf(conv.transposed ? MatrixRole::Y : MatrixRole::X);
  const kernel::Dims &y =
      sizesOf(conv.transposed ? MatrixRole::X : MatrixRole::Y);
  const size_t rank = x.size();
  if (rank < 3 || rank > 5 || w.size() != rank || y.size() != rank)
    return fail("a convolution takes tensors of one rank from 3 to 5 but got "
                "{}, {} and {}",
                rank, w.size(), y.size());
  const Problem problem = {
      conv,
      x,
      w,
      y,
      GAUDI_TRY(
          parseLayout("the input", text(conv.inputLayout), 'N', 'C', rank)),
      GAUDI_TRY(
          parseLayout("the filter", text(conv.filterLayout), 'O', 'I', rank)),
      GAUDI_TRY(
          parseLayout("the output", text(conv.outputLayout), 'N', 'C', rank))};
  // Only a forward convolution cannot crop what it reads.
  const int64_t lowestPad =
      kernel::resultOf(conv.kind) == MatrixRole::Y ? 0 : -(int64_t(1) << 31);
  GAUDI_TRY(checkList("strides", conv.strides, rank - 2, 1));
  GAUDI_TRY(checkList("dilations", conv.dilations, rank - 2, 1));
  GAUDI_TRY(checkList("pad_low", conv.padLow, rank - 2, lowestPad));
  GAUDI_TRY(checkList("pad_high", conv.padHigh, rank - 2, lowestPad));
  GAUDI_TRY(checkChannels(problem));
  return checkSpatial(problem);
}

template <typename BodyT> void describe(TextForm &text, BodyT &conv) {
  text.named("x", conv.input_layout);
  text.named("w", conv.filter_layout);
  text.named("y", conv.output_layout);
  text.named("strides", conv.strides);
  text.named("dilations", conv.dilations);
  text.named("pad_low", conv.pad_low);
  text.named("pad_high", conv.pad_high);
  text.optional("groups", conv.groups, 1);
  if constexpr (std::is_same_v<BodyT, ConvT>)
    conv.transposed = text.option("transposed", conv.transposed);
}

} // namespace

static const CommandKind kinds[] = {
    {Body::Conv, engineSet(Engine::MME, Engine::Host), verify, nullptr,
     textOf<ConvT, describe>},
    {Body::ConvWeightGrad, engineSet(Engine::MME, Engine::Host), verify,
     nullptr, textOf<ConvWeightGradT, describe>, 1, uint64_t(1) << 1}};
extern const CommandKinds convCommands = kinds;

} // namespace gaudi::recipe
