// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps of products, convolutions and attention.
#include "DimMaps.h"
#include "Gaudi/Dialect/AttentionOps.h"
#include "Gaudi/Dialect/Convolution.h"
#include "Gaudi/Dialect/MatrixOrders.h"

using namespace mlir;
using namespace gaudi;

/// [b.., m, k], [b.., k, n] and [b.., m, n], each in its order.
static DimMap mapGemm(GemmOp op) {
  const unsigned rank = op.getType().getRank(), m = rank - 2, n = rank - 1,
                 k = rank;
  DimMapBuilder map(op);
  const std::pair<unsigned, unsigned> matrices[] = {{m, k}, {k, n}, {m, n}};
  for (auto [tensor, matrix] : llvm::enumerate(matrices)) {
    Names names = numbered(rank - 2);
    names.append({matrix.first, matrix.second});
    Names stored;
    for (int64_t dim : storageOf(op, tensor))
      stored.push_back(names[dim]);
    map.name(tensor, stored, /*repeating=*/tensor == 2 ? 0 : rank - 2);
  }
  return map.take();
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// x and y have the letters of their layouts, but for channels: O those of y, I
/// those of x, of one group each, and G groups. Filters have the spatial
/// letters in lower case.
static DimMap mapConvolution(const Convolution &conv) {
  using Role = Convolution::Role;
  const StringRef x = conv.x.layout, w = conv.w.layout, y = conv.y.layout;
  const unsigned atX = placeOf(conv.kind, Role::X),
                 atW = placeOf(conv.kind, Role::W),
                 atY = placeOf(conv.kind, Role::Y);
  const int64_t groups = conv.groups;
  DimMapBuilder map(conv.op);
  // Channels of groups and windows are sums, which follow.
  std::string inputs, filter = w.lower(), outputs = y.str();
  for (char letter : x)
    inputs += letter == 'N' ? 'N' : letter == 'C' && groups == 1 ? 'I' : '.';
  filter[w.find('O')] = outputs[y.find('C')] = groups == 1 ? 'O' : '.';
  filter[w.find('I')] = 'I';
  map.name(atX, lettered(inputs));
  map.name(atW, lettered(filter));
  map.name(atY, lettered(outputs));
  auto sizeOf = [&](unsigned tensor, int64_t dim) {
    return typeOfTensor(conv.op, tensor).getDimSize(dim);
  };
  if (groups != 1) {
    const int64_t ofX = sizeOf(atW, w.find('I')),
                  ofY = sizeOf(atW, w.find('O')) / groups;
    const unsigned group = map.factor('G', groups), to = map.factor('O', ofY),
                   from = map.dim(atW, w.find('I')).terms[0].factor;
    map.dim(atX, x.find('C')).terms = {{group, ofX}, {from, 1}};
    map.dim(atW, w.find('O')).terms = {{group, ofY}, {to, 1}};
    map.setSame(atY, y.find('C'), atW, w.find('O'));
  }
  for (auto [s, letter] :
       llvm::enumerate(spatialLetters(conv.strides.size()))) {
    DimMap::Dim &dim = map.dim(atX, x.find(letter));
    const auto position = map.dim(atY, y.find(letter)).terms[0].factor,
               tap = map.dim(atW, w.find(letter)).terms[0].factor;
    dim.terms = {{position, conv.strides[s]}};
    if (sizeOf(atW, w.find(letter)) != 1)
      dim.terms.push_back({tap, conv.dilations[s]});
    dim.offset = -conv.padLow[s];
  }
  return map.take();
}

namespace {
struct ConvolutionMap
    : DimMapOpInterface::ExternalModel<ConvolutionMap, DimMapOpInterface> {
  DimMap getDimMap(Operation *op) const {
    return mapConvolution(*Convolution::of(op));
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

namespace {
/// Names the tensors of an attention: N images, H heads (of keys) and G heads
/// of queries for each of them, L queries, S keys, D and V the elements of keys
/// and values.
template <typename Op> class AttentionMap {
public:
  explicit AttentionMap(Op op)
      : scores(tensorType(op.getQuery()).getRank() == 3 ? "NLS" : "NHLS"),
        row(scores.substr(0, scores.size() - 1) + "."), op(op), map(op),
        sizes(attentionSizes(op)) {}

  /// Operand group `group` of the op's table, if it is given. L and D of
  /// `layout` are `length` and `depth`. It is also read all along the
  /// dimensions in `also`.
  void addOperand(unsigned group, StringRef layout, StringRef also = "",
                  char length = 'L', char depth = 'D') {
    auto [number, count] = op.getODSOperandIndexAndLength(group);
    if (count != 0)
      add(number, layout, also, length, depth);
  }
  void addResult(Value value, StringRef layout, char length = 'L',
                 char depth = 'D') {
    if (value)
      add(op->getNumOperands() + cast<OpResult>(value).getResultNumber(),
          layout, "", length, depth);
  }

  DimMap take() {
    // Query heads in groups: the head of the keys, then the place in the group.
    const int64_t places = sizes.heads / sizes.keyHeads;
    const unsigned head = isGrouped() ? map.factor('H', sizes.keyHeads) : 0,
                   place = isGrouped() ? map.factor('G', places) : 0;
    for (const Named &tensor : named) {
      SmallVector<int64_t> whole;
      for (auto [dim, letter] : llvm::enumerate(tensor.letters)) {
        if (tensor.also.contains(letter))
          whole.push_back(dim);
        if (letter != 'H' || !isGrouped())
          continue;
        const int64_t size = typeOfTensor(op, tensor.number).getDimSize(dim);
        auto &terms = map.dim(tensor.number, dim).terms;
        terms = {{head, size == 1 ? 0 : 1}};
        if (size == sizes.heads)
          terms = {{head, places}, {place, 1}};
      }
      if (!whole.empty())
        map.readAlso(tensor.number, whole);
    }
    return map.take();
  }

  const std::string scores, row; ///< names of [N, H, L, S] and [N, H, L, 1]

private:
  struct Named {
    unsigned number;
    std::string letters;
    StringRef also;
  };

  bool isGrouped() const {
    return sizes.keyHeads != 1 && sizes.keyHeads != sizes.heads;
  }

  void add(unsigned tensor, StringRef layout, StringRef also, char length,
           char depth) {
    std::string letters = layout.str(), names;
    for (char &letter : letters) {
      letter = letter == 'L' ? length : letter == 'D' ? depth : letter;
      names += letter == 'H' && isGrouped() ? '.' : letter;
    }
    map.name(tensor, lettered(names));
    named.push_back({tensor, letters, also});
  }

  Op op;
  DimMapBuilder map;
  const AttentionSizes sizes;
  std::vector<Named> named;
};
} // namespace

static DimMap mapAttention(SdpaOp op) {
  AttentionMap map(op);
  // A probability depends on all scores of its row.
  const StringRef also = op.getProbabilities() ? "S" : "";
  map.addOperand(0, queryLayoutOf(op));
  map.addOperand(1, keyLayoutOf(op), also, 'S');
  map.addOperand(2, valueLayoutOf(op), "", 'S', 'V');
  map.addOperand(3, map.scores, also);
  map.addOperand(4, "N");
  map.addOperand(5, map.scores);
  map.addResult(op.getOutput(), outputLayoutOf(op), 'L', 'V');
  map.addResult(op.getMaxima(), map.row);
  map.addResult(op.getInverseSums(), map.row);
  map.addResult(op.getProbabilities(), map.scores);
  map.addResult(op.getKept(), map.scores);
  return map.take();
}

/// A gradient of a score depends on all elements of query and key, and, by the
/// sum D, on all keys.
static DimMap mapAttentionGrad(SdpaGradOp op) {
  AttentionMap map(op);
  map.addOperand(0, outputLayoutOf(op), "", 'L', 'V');
  map.addOperand(1, queryLayoutOf(op), "D");
  map.addOperand(2, keyLayoutOf(op), "SD", 'S');
  map.addOperand(3, valueLayoutOf(op), "S", 'S', 'V');
  map.addOperand(4, outputLayoutOf(op), "", 'L', 'V');
  map.addOperand(5, map.scores, "S");
  map.addOperand(6, "N");
  map.addOperand(7, map.scores, "S");
  map.addOperand(9, map.row);
  map.addOperand(10, map.row);
  map.addOperand(11, map.scores, "S");
  map.addResult(op.getQueryGrad(), queryLayoutOf(op));
  map.addResult(op.getKeyGrad(), keyLayoutOf(op), 'S');
  map.addResult(op.getValueGrad(), valueLayoutOf(op), 'S', 'V');
  return map.take();
}

void gaudi::attachMatrixMaps(MLIRContext &context) {
  attachMap<GemmOp, mapGemm>(context);
  attachToConvolutions<ConvolutionMap>(context);
  attachMap<SdpaOp, mapAttention>(context);
  attachMap<SdpaGradOp, mapAttentionGrad>(context);
}
