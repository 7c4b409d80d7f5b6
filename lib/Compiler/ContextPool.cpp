// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes contexts and keeps a few.
#include "ContextPool.h"
#include "Gaudi/Compiler/Register.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include <mutex>
#include <unistd.h>
#include <vector>

using namespace mlir;
using namespace gaudi;

namespace {
/// A context that no session has.
struct Idle {
  std::unique_ptr<MLIRContext> context;
  size_t bytesSeen;
  bool isThreaded;
};

/// Idle contexts, the one used last at the end.
struct Pool {
  std::mutex lock;
  std::vector<Idle> idle;
  pid_t process = getpid();
};

/// How many contexts are kept, and how much text each may have seen. The
/// attributes of a small model take some 100 times its text.
constexpr size_t maxIdle = 4, maxBytesSeen = 512 << 10;
} // namespace

static Pool &pool() {
  // Never destroyed: sessions may end after the destructors of this library.
  static Pool &pool = *new Pool;
  return pool;
}

static std::unique_ptr<MLIRContext> makeContext(bool isThreaded) {
  static const DialectRegistry registry = [] {
    DialectRegistry made;
    registerGaudiDialects(made);
    return made;
  }();
  return std::make_unique<MLIRContext>(
      registry, isThreaded ? MLIRContext::Threading::ENABLED
                           : MLIRContext::Threading::DISABLED);
}

LeasedContext::LeasedContext(bool isThreaded) : isThreaded(isThreaded) {
  Pool &contexts = pool();
  // Another thread may have held the lock when this process was forked.
  if (std::unique_lock<std::mutex> guard(contexts.lock, std::try_to_lock);
      guard.owns_lock()) {
    if (contexts.process != getpid()) {
      // The threads of these contexts are those of the parent.
      for (Idle &each : contexts.idle)
        (void)each.context.release();
      contexts.idle.clear();
      contexts.process = getpid();
    }
    for (auto it = contexts.idle.rbegin(); it != contexts.idle.rend(); ++it)
      if (it->isThreaded == isThreaded) {
        context = std::move(it->context);
        bytesSeen = it->bytesSeen;
        contexts.idle.erase(std::next(it).base());
        return;
      }
  }
  context = makeContext(isThreaded);
}

/// Whether the values of a resource are in the context.
static bool hasResources(MLIRContext &context) {
  auto *builtin = context.getLoadedDialect<BuiltinDialect>();
  auto *manager =
      builtin
          ? builtin
                ->getRegisteredInterface<ResourceBlobManagerDialectInterface>()
          : nullptr;
  bool hasAny = !manager;
  if (manager)
    manager->getBlobManager().getBlobMap(
        [&](const auto &blobs) { hasAny = !blobs.empty(); });
  return hasAny;
}

void LeasedContext::allowReuse(size_t bytes) {
  bytesSeen += bytes;
  isReusable = bytesSeen <= maxBytesSeen;
}

LeasedContext::~LeasedContext() {
  if (!isReusable || hasResources(*context))
    return;
  Pool &contexts = pool();
  if (std::unique_lock<std::mutex> guard(contexts.lock, std::try_to_lock);
      guard.owns_lock() && contexts.process == getpid() &&
      contexts.idle.size() < maxIdle)
    contexts.idle.push_back({std::move(context), bytesSeen, isThreaded});
}
