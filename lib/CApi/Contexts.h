// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that run at once, each with device memory of its own: its context,
// which has nothing to do with MLIR's.
#ifndef GAUDI_LIB_CAPI_CONTEXTS_H
#define GAUDI_LIB_CAPI_CONTEXTS_H

#include "Gaudi/Runtime/Dispatch.h"
#include "Gaudi/Runtime/Executable.h"
#include "Recipe.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace gaudi::capi {

/// An entry that the host may launch.
struct LaunchedEntry {
  size_t index = 0;       ///< among all entries of the recipe
  bool hasStates = false; ///< a launch reads or writes a state
  /// By input: whether it sets a state; whether it is bound.
  std::vector<bool> isState, isBound;
  size_t numOutputs = 0;
};

/// What one launch at a time uses.
struct Context {
  std::unique_ptr<runtime::Executable> executable;
  /// By entry of the host; null: the entry has no variants.
  std::vector<std::unique_ptr<runtime::Dispatcher>> dispatchers;
  /// The shapes of a launch, by entry with variants.
  std::vector<std::vector<runtime::Dispatcher::Shape>> shapes;
  bool isBusy = false;
};

/// Makes contexts when they are needed, and hands each to one thread at a time.
/// All have the same recipe; states are in the first one.
class Contexts {
public:
  /// Loads the first context. `most` is at least 1.
  static Result<std::unique_ptr<Contexts>>
  create(std::shared_ptr<const recipe::RecipeFile> file,
         runtime::LoadOptions options, std::vector<LaunchedEntry> entries,
         size_t most);

  const std::vector<LaunchedEntry> &entries() const { return hostEntries; }
  /// What all contexts have in common, by the example of the first one.
  const Context &first() const { return *firstContext; }

  /// A context of the caller's until it goes. Waits while all are in use.
  class Use {
  public:
    Use(Contexts &owner, Context &context) : owner(&owner), context(&context) {}
    Use(Use &&other) noexcept : owner(other.owner), context(other.context) {
      other.owner = nullptr;
    }
    Use &operator=(Use &&) = delete;
    ~Use() {
      if (owner)
        owner->giveBack(*context);
    }
    Context &operator*() const { return *context; }
    Context *operator->() const { return context; }

  private:
    Contexts *owner;
    Context *context;
  };
  /// `needsStates`: the first one.
  Result<Use> take(bool needsStates);

  struct Counts {
    uint64_t mostAtOnce = 0, peakBytes = 0;
  };
  Counts counts() const;

private:
  Contexts(std::shared_ptr<const recipe::RecipeFile> file,
           runtime::LoadOptions options, std::vector<LaunchedEntry> entries,
           size_t most)
      : file(std::move(file)), options(std::move(options)),
        hostEntries(std::move(entries)), most(most) {}
  Result<std::unique_ptr<runtime::Executable>> loadAnother(size_t others) const;
  Result<std::unique_ptr<Context>> load(size_t others) const;
  Context *freeOne(bool needsStates) const;
  void giveBack(Context &context);

  const std::shared_ptr<const recipe::RecipeFile> file;
  const runtime::LoadOptions options;
  const std::vector<LaunchedEntry> hostEntries;
  const size_t most;
  const Context *firstContext = nullptr;

  mutable std::mutex lock; // of everything below
  std::condition_variable isFree;
  std::vector<std::unique_ptr<Context>> contexts;
  size_t beingLoaded = 0, inUse = 0;
  Counts counted;
};

/// The entries of the recipe that a host may launch.
std::vector<LaunchedEntry> launchedEntries(const recipe::Recipe &recipe,
                                           const Signature &signature);

} // namespace gaudi::capi

#endif // GAUDI_LIB_CAPI_CONTEXTS_H
