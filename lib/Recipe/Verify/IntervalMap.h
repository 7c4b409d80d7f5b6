// A map from byte ranges to values, for sweeps over memory.
#ifndef GAUDI_LIB_RECIPE_VERIFY_INTERVALMAP_H
#define GAUDI_LIB_RECIPE_VERIFY_INTERVALMAP_H

#include <cstdint>
#include <map>

namespace gaudi::recipe {

/// Disjoint ranges [begin, end) with a value each; neighbours that were
/// touched together and have equal values are joined.
template <typename T> class IntervalMap {
public:
  /// Gives the whole range one value.
  void assign(uint64_t begin, uint64_t end, T value) {
    if (begin == end)
      return;
    split(begin);
    split(end);
    auto first = pieces.lower_bound(begin);
    while (first != pieces.end() && first->first < end) {
      first = pieces.erase(first);
      ++visits;
    }
    auto inserted = pieces.emplace_hint(first, begin, Piece{end, value});
    joinWithPrevious(inserted);
    if (auto next = pieces.lower_bound(end); next != pieces.end())
      joinWithPrevious(next);
  }

  /// Calls change(value) for each piece of the range; parts without one get
  /// a default value first.
  template <typename Change>
  void update(uint64_t begin, uint64_t end, Change &&change) {
    if (begin == end)
      return;
    split(begin);
    split(end);
    auto piece = pieces.lower_bound(begin);
    uint64_t position = begin;
    while (position < end) {
      if (piece == pieces.end() || piece->first > position) {
        uint64_t until = end;
        if (piece != pieces.end() && piece->first < end)
          until = piece->first;
        piece = pieces.emplace_hint(piece, position, Piece{until, T()});
      }
      change(piece->second.value);
      ++visits;
      position = piece->second.end;
      piece = std::next(joinWithPrevious(piece));
    }
    if (piece != pieces.end())
      joinWithPrevious(piece);
  }

  /// Calls look(begin, end, value) for each part of the range until it
  /// returns false; value is null where there is none.
  template <typename Look>
  void visit(uint64_t begin, uint64_t end, Look &&look) {
    auto piece = pieces.upper_bound(begin);
    if (piece != pieces.begin() && std::prev(piece)->second.end > begin)
      --piece;
    uint64_t position = begin;
    while (position < end) {
      ++visits;
      const T *value = nullptr;
      uint64_t until = end;
      if (piece != pieces.end() && piece->first <= position) {
        value = &piece->second.value;
        until = std::min(end, piece->second.end);
        ++piece;
      } else if (piece != pieces.end()) {
        until = std::min(end, piece->first);
      }
      if (!look(position, until, value))
        return;
      position = until;
    }
  }

  /// Pieces looked at so far: the work done.
  uint64_t visits = 0;

private:
  struct Piece {
    uint64_t end;
    T value;
  };
  using Pieces = std::map<uint64_t, Piece>;

  void split(uint64_t at) {
    auto next = pieces.lower_bound(at);
    if (next == pieces.begin())
      return;
    auto piece = std::prev(next);
    if (piece->second.end <= at)
      return;
    pieces.emplace_hint(next, at,
                        Piece{piece->second.end, piece->second.value});
    piece->second.end = at;
  }

  typename Pieces::iterator joinWithPrevious(typename Pieces::iterator piece) {
    if (piece == pieces.begin())
      return piece;
    auto previous = std::prev(piece);
    if (previous->second.end != piece->first ||
        !(previous->second.value == piece->second.value))
      return piece;
    previous->second.end = piece->second.end;
    pieces.erase(piece);
    return previous;
  }

  Pieces pieces;
};

} // namespace gaudi::recipe

#endif // GAUDI_LIB_RECIPE_VERIFY_INTERVALMAP_H
