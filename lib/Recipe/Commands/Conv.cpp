// `conv`: a convolution over one to three spatial dimensions, or its gradient
// with respect to the input.
#include "CommandKind.h"

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

/// Operands, and where their dimensions are stored.
struct Problem {
  const Conv &conv;
  const Dims &x, &w, &y;
  Layout lx, lw, ly;
};

Status checkChannels(const Problem &p) {
  // The transposed form reads the filter of the convolution it reverses: its
  // input has O channels, its output I per group.
  const bool transposed = p.conv.transposed();
  const int64_t outer = p.w[p.lw.outer], perGroup = p.w[p.lw.channel];
  const int64_t outerSide = transposed ? p.x[p.lx.channel] : p.y[p.ly.channel];
  const int64_t innerSide = transposed ? p.y[p.ly.channel] : p.x[p.lx.channel];
  const char *outerName = transposed ? "input" : "output";
  const char *innerName = transposed ? "output" : "input";
  if (p.conv.groups() < 1 || outer % p.conv.groups() != 0)
    return fail(
        "groups is {}, expected a divisor of the {} {} channels of the filter",
        p.conv.groups(), outer, outerName);
  if (innerSide % p.conv.groups() != 0 ||
      innerSide / p.conv.groups() != perGroup)
    return fail(
        "the {} has {} channels in {} groups but the filter takes {} per group",
        innerName, innerSide, p.conv.groups(), perGroup);
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
    const __int128 stride = items(p.conv.strides())[s];
    const __int128 reach = __int128(items(p.conv.dilations())[s]) * (k - 1);
    const __int128 pads =
        __int128(items(p.conv.pad_low())[s]) + items(p.conv.pad_high())[s];
    const __int128 room = in + pads - reach - 1;
    const __int128 expected = p.conv.transposed()
                                  ? (in - 1) * stride + reach + 1 - pads
                                  : (room < 0 ? 0 : room / stride + 1);
    if (expected != out)
      return fail("spatial dimension {} of the output has size {} but the "
                  "convolution makes {}",
                  s, out,
                  expected < 0 || expected > int64_t(maxDeviceBytes)
                      ? "no such size"
                      : fmt::format("{}", int64_t(expected)));
    work *= double(k) * double(p.conv.transposed() ? in : out);
  }
  if (work > double(maxMatrixWork))
    return fail("the convolution needs {:.3g} multiply-adds, expected at most "
                "2^50",
                work);
  return {};
}

Status verify(const CommandView &view) {
  GAUDI_TRY(checkMatrixOperands(view));
  const Conv &conv = *view.command.body_as_Conv();
  const Dims &x = view.input(0).window.sizes, &w = view.input(1).window.sizes,
             &y = view.output(0).window.sizes;
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
          parseLayout("the input", text(conv.input_layout()), 'N', 'C', rank)),
      GAUDI_TRY(parseLayout("the filter", text(conv.filter_layout()), 'O', 'I',
                            rank)),
      GAUDI_TRY(parseLayout("the output", text(conv.output_layout()), 'N', 'C',
                            rank))};
  const int64_t lowestPad = conv.transposed() ? -(int64_t(1) << 31) : 0;
  GAUDI_TRY(checkList("strides", conv.strides(), rank - 2, 1));
  GAUDI_TRY(checkList("dilations", conv.dilations(), rank - 2, 1));
  GAUDI_TRY(checkList("pad_low", conv.pad_low(), rank - 2, lowestPad));
  GAUDI_TRY(checkList("pad_high", conv.pad_high(), rank - 2, lowestPad));
  GAUDI_TRY(checkChannels(problem));
  return checkSpatial(problem);
}

void account(const Command &command, Account &account) {
  const Conv &conv = *command.body_as_Conv();
  account.take(conv.input_layout());
  account.take(conv.filter_layout());
  account.take(conv.output_layout());
  for (const auto *list :
       {conv.strides(), conv.dilations(), conv.pad_low(), conv.pad_high()})
    account.takeScalars(list);
}

void print(const Command &command, TextWriter &out) {
  const Conv &conv = *command.body_as_Conv();
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
  if (conv.transposed())
    out.put(" transposed");
}

void parse(Lexer &lexer, BodyUnion &body) {
  ConvT conv;
  lexer.expect("x");
  conv.input_layout = lexer.string();
  lexer.expect("w");
  conv.filter_layout = lexer.string();
  lexer.expect("y");
  conv.output_layout = lexer.string();
  lexer.expect("strides");
  conv.strides = lexer.integers();
  lexer.expect("dilations");
  conv.dilations = lexer.integers();
  lexer.expect("pad_low");
  conv.pad_low = lexer.integers();
  lexer.expect("pad_high");
  conv.pad_high = lexer.integers();
  if (lexer.accept("groups"))
    conv.groups = lexer.integer();
  conv.transposed = lexer.accept("transposed");
  body.Set(std::move(conv));
}

} // namespace

extern const CommandKind convCommand = {
    Body::Conv, engineSet(Engine::MME, Engine::Host),
    verify,     nullptr,
    account,    print,
    parse};

} // namespace gaudi::recipe
