// Checks the shapes of convolutions against their layouts.
#include "Context.h"

namespace gaudi::recipe {
namespace {

/// Where the dimensions of a layout are stored.
struct Layout {
  size_t outer;                // N, or O of the filter
  size_t channel;              // C, or I of the filter
  std::vector<size_t> spatial; // D, H, W order
};

Status parseLayout(const char *name, std::string_view layout, char outer,
                   char channel, size_t rank, Layout &result) {
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
    return reject("layout of ", name, " is ", quoted(layout),
                  ", expected the letters ", letters, " in any order");
  result = {places[0], places[1], {places.begin() + 2, places.end()}};
  return {};
}

Status checkList(const char *name, const flatbuffers::Vector<int64_t> *list,
                 size_t count, int64_t low) {
  constexpr int64_t high = int64_t(1) << 31;
  if (items(list).size() != count)
    return reject(name, " has ", items(list).size(), " numbers, expected ",
                  count);
  for (int64_t number : items(list))
    if (number < low || number > high)
      return reject(name, " has ", number, ", expected ", low, " to 2^31");
  return {};
}

} // namespace

Status verifyConvolution(const Context &context, const Command &command,
                         const Conv &conv) {
  auto sizesOf = [&](uint32_t id) -> const Dims & {
    return context.tensors[id].window.sizes;
  };
  const Dims &x = sizesOf(items(command.inputs())[0]);
  const Dims &w = sizesOf(items(command.inputs())[1]);
  const Dims &y = sizesOf(items(command.outputs())[0]);
  const size_t rank = x.size();
  if (rank < 3 || rank > 5 || w.size() != rank || y.size() != rank)
    return reject("a convolution takes tensors of one rank from 3 to 5 but "
                  "got ",
                  rank, ", ", w.size(), " and ", y.size());
  Layout lx, lw, ly;
  Status status =
      parseLayout("the input", text(conv.input_layout()), 'N', 'C', rank, lx);
  if (status)
    status = parseLayout("the filter", text(conv.filter_layout()), 'O', 'I',
                         rank, lw);
  if (status)
    status = parseLayout("the output", text(conv.output_layout()), 'N', 'C',
                         rank, ly);
  const int64_t lowestPad = conv.transposed() ? -(int64_t(1) << 31) : 0;
  if (status)
    status = checkList("strides", conv.strides(), rank - 2, 1);
  if (status)
    status = checkList("dilations", conv.dilations(), rank - 2, 1);
  if (status)
    status = checkList("pad_low", conv.pad_low(), rank - 2, lowestPad);
  if (status)
    status = checkList("pad_high", conv.pad_high(), rank - 2, lowestPad);
  if (!status)
    return status;

  // The transposed form reads the filter of the convolution it reverses: its
  // input has O channels, its output I per group.
  const bool transposed = conv.transposed();
  const int64_t outer = w[lw.outer], perGroup = w[lw.channel];
  const int64_t outerSide = transposed ? x[lx.channel] : y[ly.channel];
  const int64_t innerSide = transposed ? y[ly.channel] : x[lx.channel];
  const char *outerName = transposed ? "input" : "output";
  const char *innerName = transposed ? "output" : "input";
  if (conv.groups() < 1 || outer % conv.groups() != 0)
    return reject("groups is ", conv.groups(), ", expected a divisor of the ",
                  outer, " ", outerName, " channels of the filter");
  if (innerSide % conv.groups() != 0 || innerSide / conv.groups() != perGroup)
    return reject("the ", innerName, " has ", innerSide, " channels in ",
                  conv.groups(), " groups but the filter takes ", perGroup,
                  " per group");
  if (outerSide != outer)
    return reject("the ", outerName, " has ", outerSide,
                  " channels but the filter makes ", outer);
  if (y[ly.outer] != x[lx.outer])
    return reject("the output has batch size ", y[ly.outer],
                  " but the input has ", x[lx.outer]);

  // One filter is applied per element of y (forward) or x (transposed).
  double work = double(x[lx.outer]) * double(perGroup) * double(outer);
  for (size_t s = 0; s < rank - 2; ++s) {
    const int64_t in = x[lx.spatial[s]], out = y[ly.spatial[s]],
                  k = w[lw.spatial[s]];
    const __int128 stride = items(conv.strides())[s];
    const __int128 reach = __int128(items(conv.dilations())[s]) * (k - 1);
    const __int128 pads =
        __int128(items(conv.pad_low())[s]) + items(conv.pad_high())[s];
    const __int128 room = in + pads - reach - 1;
    const __int128 expected = conv.transposed()
                                  ? (in - 1) * stride + reach + 1 - pads
                                  : (room < 0 ? 0 : room / stride + 1);
    if (expected != out)
      return reject("spatial dimension ", s, " of the output has size ", out,
                    " but the convolution makes ",
                    expected < 0 || expected > int64_t(maxDeviceBytes)
                        ? std::string("no such size")
                        : std::to_string(int64_t(expected)));
    work *= double(k) * double(conv.transposed() ? in : out);
  }
  if (work > double(maxMatrixWork))
    return reject("the convolution needs more than 2^50 multiply-adds");
  return {};
}

} // namespace gaudi::recipe
