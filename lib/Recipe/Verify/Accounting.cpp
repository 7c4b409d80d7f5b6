// Bounds the work of the verifier by the size of the file, and checks that all
// vectors can be read in place.
//
// FlatBuffers lets many references share one table, so a small file could
// describe a huge structure. Recipes never share: all parts must add up to no
// more than the metadata.
#include "Context.h"

namespace gaudi::recipe {
namespace {

class Account {
public:
  explicit Account(uint64_t bytes) : left(bytes) {}
  bool overdrawn() const { return over; }
  bool misaligned() const { return misplaced; }

  void take(uint64_t bytes) {
    if (bytes > left)
      over = true;
    else
      left -= bytes;
  }

  void take(const flatbuffers::String *string) {
    if (string)
      take(5 + uint64_t(string->size()));
  }

  /// Scalars or structs. FlatBuffers only checks the alignment of the length.
  template <typename T> void takeScalars(const flatbuffers::Vector<T> *vector) {
    using Element = std::remove_const_t<
        std::remove_pointer_t<typename flatbuffers::Vector<T>::return_type>>;
    if (!vector)
      return;
    take(4 + uint64_t(vector->size()) * sizeof(Element));
    if (reinterpret_cast<uintptr_t>(vector->Data()) % alignof(Element) != 0)
      misplaced = true;
  }

  /// A vector of tables: its own bytes, and `visit` for each table.
  template <typename T, typename Visit>
  void takeTables(const flatbuffers::Vector<T> *vector, Visit &&visit) {
    if (!vector)
      return;
    take(4 + 4 * uint64_t(vector->size()));
    for (auto table : items(vector)) {
      if (over)
        return;
      take(4);
      visit(*table);
    }
  }

  void visit(const Access &access) {
    takeTables(access.dims(), [this](const AccessDim &dim) {
      takeScalars(dim.coefficients());
    });
  }

  void visit(const Stage &stage) {
    takeScalars(stage.loops());
    takeScalars(stage.insts());
    takeTables(stage.reductions(), [](const Reduction &) {});
    takeTables(stage.stores(), [](const Store &) {});
  }

  void visit(const Kernel &kernel) {
    take(kernel.name());
    takeScalars(kernel.index_space());
    takeScalars(kernel.parallel());
    takeScalars(kernel.inputs());
    takeScalars(kernel.input_ranks());
    takeScalars(kernel.outputs());
    takeScalars(kernel.output_ranks());
    takeTables(kernel.accesses(),
               [this](const Access &access) { visit(access); });
    takeTables(kernel.stages(), [this](const Stage &stage) { visit(stage); });
  }

  void visit(const Tensor &tensor) {
    take(tensor.name());
    takeScalars(tensor.sizes());
    takeScalars(tensor.strides());
    takeScalars(tensor.permutation());
  }

  void visit(const Command &command) {
    takeScalars(command.inputs());
    takeScalars(command.outputs());
    takeScalars(command.dependencies());
    take(command.name());
    if (const Conv *conv = command.body_as_Conv()) {
      take(conv->input_layout());
      take(conv->filter_layout());
      take(conv->output_layout());
      takeScalars(conv->strides());
      takeScalars(conv->dilations());
      takeScalars(conv->pad_low());
      takeScalars(conv->pad_high());
    }
    if (const Library *library = command.body_as_Library()) {
      take(library->name());
      takeScalars(library->ints());
      takeScalars(library->floats());
    }
  }

private:
  uint64_t left;
  bool over = false;
  bool misplaced = false;
};

} // namespace

Status verifyAccounting(const Recipe &recipe, uint64_t metadataSize) {
  Account account(metadataSize);
  account.take(recipe.target());
  account.take(recipe.producer());
  account.takeTables(recipe.sections(), [](const Section &) {});
  account.takeTables(recipe.tensors(),
                     [&](const Tensor &tensor) { account.visit(tensor); });
  account.takeTables(recipe.kernels(),
                     [&](const Kernel &kernel) { account.visit(kernel); });
  account.takeTables(recipe.entries(), [&](const Entry &entry) {
    account.take(entry.name());
    account.takeScalars(entry.inputs());
    account.takeScalars(entry.outputs());
    account.takeTables(entry.commands(),
                       [&](const Command &command) { account.visit(command); });
  });
  if (auto locations = recipe.locations()) {
    account.take(4 * uint64_t(locations->size()));
    for (const flatbuffers::String *location : items(locations)) {
      account.take(location);
      if (account.overdrawn())
        break;
    }
  }
  if (account.overdrawn())
    return reject("parts of the metadata are shared: they add up to more than "
                  "its ",
                  metadataSize, " bytes");
  if (account.misaligned())
    return reject("a vector of the metadata is not aligned to its elements");
  return {};
}

} // namespace gaudi::recipe
