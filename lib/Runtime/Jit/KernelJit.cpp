// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the code of kernels in the cache, has the rest compiled, and maps it.
#include "KernelJit.h"

#include "../Cache/DiskCache.h"
#include "../Host/Background.h"
#include "../Host/BuildId.h"
#include "../Host/HostCpu.h"
#include "../Host/Plugin.h"
#include "CodeMemory.h"
#include "Gaudi/Recipe/KernelLanguage.h"
#include "Gaudi/Recipe/Reader.h"
#include "Gaudi/Runtime/ThreadPool.h"
#include "Gaudi/Support/Stopwatch.h"
#include "JitHost.h"
#include "KernelCompiler.h"
#include "KernelPlan.h"
#include "PointBlocks.h"

#include <atomic>
#include <cassert>
#include <deque>
#include <fmt/format.h>
#include <list>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <unordered_map>

namespace gaudi::runtime {

using namespace recipe;

namespace {

/// A kernel that has points to run, on its way to code.
struct Pending {
  unsigned handle;
  const Kernel *kernel;
  KernelPlan plan;
  std::vector<ElementType> types;
  std::string key;
  bool mayBeQuick;
  KernelTier tier = KernelTier::Full; // of its code, or of what replaces that
  size_t image = 0; // of quick code: its number in the CodeMemory
  std::optional<CachedBytes> cached = {};
  std::shared_ptr<const std::vector<uint8_t>> shared = {};
  std::vector<uint8_t> compiled = {};
  std::string problem = {}; // why it has no code

  ByteSpan bytes() const {
    if (cached)
      return cached->bytes();
    const std::vector<uint8_t> &own = shared ? *shared : compiled;
    return {own.data(), own.size()};
  }
};

/// Opened when a kernel is compiled, not before: a launch whose kernels are all
/// cached does not load LLVM. The library stays open: code generators keep
/// state in threads.
Result<const KernelCompilerApi *> codeGenerator() {
  static const Result<const void *> api =
      openPlugin("libGaudiKernelCompiler.so", "gaudiKernelCompiler",
                 "compiles TPC kernels that are not in the object cache");
  return static_cast<const KernelCompilerApi *>(GAUDI_TRY(api));
}

/// How the kernel runs, for reports; `rows2`: two rows at the same time,
/// `columns2`: two values of each column are computed once for all rows.
std::string describe(const KernelPlan &plan) {
  if (plan.lanes == 1)
    return plan.independent ? "jit:scalar" : "jit:scalar:ordered";
  return fmt::format("jit:lanes{}{}{}{}", plan.lanes,
                     plan.laneAxis == LaneAxis::Loops ? ":rows" : "",
                     plan.pointsAtOnce > 1 ? "2" : "",
                     plan.columns.empty()
                         ? ""
                         : fmt::format(":columns{}", plan.columns.size()));
}

/// Vector additions of a kernel up to which quick code, which is some five
/// times slower, costs less in the launches before it is replaced than the
/// other takes to compile.
constexpr double littleWork = 1 << 18;

/// Launches before which quick code runs.
constexpr unsigned hotLaunches = 16;

ByteSpan spanOf(const std::string &key) {
  return {reinterpret_cast<const uint8_t *>(key.data()), key.size()};
}

/// Quick code is cached, too: kernels that never become hot have no other.
std::string cacheKey(const Pending &item, KernelTier tier) {
  return tier == KernelTier::Quick ? "quick\n" + item.key : item.key;
}

/// The code generators that nobody uses at the moment. They are never
/// destroyed, since LLVM may be gone before at the end of the process.
class CodeGenerators {
public:
  /// Compiles code of the item's tier. Any thread.
  Result<std::vector<uint8_t>> compile(const Pending &item) {
    std::unique_ptr<KernelCompiler> compiler = GAUDI_TRY(take());
    auto image =
        compiler->compile(*item.kernel, item.plan, item.types, item.tier);
    std::lock_guard<std::mutex> lock(mutex);
    idle.push_back(std::move(compiler));
    return image;
  }

  void lock() { mutex.lock(); }
  void unlock() { mutex.unlock(); }

private:
  Result<std::unique_ptr<KernelCompiler>> take() {
    const KernelCompilerApi *api = GAUDI_TRY(codeGenerator());
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!idle.empty()) {
        std::unique_ptr<KernelCompiler> compiler = std::move(idle.back());
        idle.pop_back();
        return compiler;
      }
    }
    return api->create();
  }

  std::mutex mutex;
  std::vector<std::unique_ptr<KernelCompiler>> idle;
};

CodeGenerators &codeGenerators() {
  static auto &generators = *new CodeGenerators;
  // A fork() while another thread holds the mutex would leave it locked.
  static const int registered = ::pthread_atfork(
      [] { codeGenerators().lock(); }, [] { codeGenerators().unlock(); },
      [] { codeGenerators().unlock(); });
  (void)registered;
  return generators;
}

/// Code that recipes of this process have in common, by cache keys: each maps
/// its own, which it may replace. The least recently used goes first.
class SharedImages {
public:
  using Image = std::shared_ptr<const std::vector<uint8_t>>;
  static constexpr uint64_t mostBytes = uint64_t(32) << 20;

  Image find(const std::string &key) {
    std::lock_guard<std::mutex> lock(mutex);
    const auto found = byKey.find(key);
    if (found == byKey.end())
      return nullptr;
    inOrder.splice(inOrder.begin(), inOrder, found->second);
    return inOrder.front().image;
  }
  void add(const std::string &key, ByteSpan bytes) {
    auto image = std::make_shared<const std::vector<uint8_t>>(
        bytes.data, bytes.data + bytes.size);
    std::lock_guard<std::mutex> lock(mutex);
    if (byKey.count(key))
      return;
    inOrder.push_front({key, std::move(image)});
    byKey.emplace(key, inOrder.begin());
    total += bytesOf(inOrder.front());
    while (total > mostBytes && inOrder.size() > 1) {
      total -= bytesOf(inOrder.back());
      byKey.erase(inOrder.back().key);
      inOrder.pop_back();
    }
  }

  void lock() { mutex.lock(); }
  void unlock() { mutex.unlock(); }

private:
  struct Entry {
    std::string key;
    Image image;
  };
  static uint64_t bytesOf(const Entry &entry) {
    return 2 * entry.key.size() + entry.image->size();
  }

  std::mutex mutex;
  std::list<Entry> inOrder; // the last use first
  std::unordered_map<std::string, std::list<Entry>::iterator> byKey;
  uint64_t total = 0;
};

SharedImages &sharedImages() {
  static auto &images = *new SharedImages;
  // As for code generators.
  static const int registered = ::pthread_atfork(
      [] { sharedImages().lock(); }, [] { sharedImages().unlock(); },
      [] { sharedImages().unlock(); });
  (void)registered;
  return images;
}

/// The code of a recipe's kernels. The background thread shares it and adds
/// what replaces quick code: it may be at work when the recipe is unloaded.
struct KernelCode {
  CodeMemory first;
  std::vector<CodeMemory> later;
  std::atomic<bool> unloaded{false};
  bool isShared = false; // with other recipes
};

/// Compiles a kernel again and replaces its code.
Status replaceCode(KernelCode &code, const Pending &item, DiskCache &cache) {
  const std::vector<uint8_t> compiled =
      GAUDI_TRY(codeGenerators().compile(item));
  const ByteSpan bytes = {compiled.data(), compiled.size()};
  cache.put(spanOf(item.key), bytes);
  if (code.isShared)
    sharedImages().add(item.key, bytes);
  std::vector<KernelFunction> functions;
  code.later.push_back(GAUDI_TRY(
      CodeMemory::load({GAUDI_TRY(KernelImage::decode(bytes))}, functions)));
  code.first.replace(item.image, functions[0]);
  return {};
}

} // namespace

struct KernelJit::Impl {
  std::unordered_map<std::string, unsigned> known;
  std::vector<CompiledKernel> kernels;
  std::deque<Pending> pending;
  std::shared_ptr<KernelCode> code = std::make_shared<KernelCode>();
  KernelStats stats;
  /// Those with replaceable quick code, and what compiling them again needs.
  std::vector<Pending> quick;
  std::shared_ptr<const RecipeFile> recipe;
  std::shared_ptr<DiskCache> cache;
  std::atomic<unsigned> launches{0};

  void find(Pending &item);
  Status generate(const std::vector<Pending *> &missing, ThreadPool &pool);
  Status load();
};

KernelJit::KernelJit() : impl(std::make_unique<Impl>()) {}
KernelJit::~KernelJit() { impl->code->unloaded = true; }

unsigned KernelJit::add(const Kernel &kernel,
                        const std::vector<KernelOperand> &operands,
                        bool ofRecipe) {
  KernelPlan plan = planKernel(kernel, operands);
  // The key covers all that the code depends on, so launches with equal keys
  // run the same code, whatever their operands' addresses.
  auto [entry, isNew] = impl->known.try_emplace(
      kernelKey(kernel, plan, operands), unsigned(impl->kernels.size()));
  if (!isNew)
    return entry->second;
  CompiledKernel compiled;
  compiled.points = plan.points;
  // Points with lanes along their loops do not share vectors, but some run two
  // at the same time: the last of an odd number is computed twice.
  compiled.row = plan.laneAxis == LaneAxis::Loops ? plan.pointsAtOnce
                                                  : plan.parallel.back().extent;
  compiled.workPerPoint = plan.workPerPoint / plan.lanes;
  compiled.splittable = plan.independent;
  compiled.faults = mayFault(plan);
  compiled.blocks = pointBlocks(kernel, plan, operands.size());
  compiled.description = describe(plan);
  if (plan.points > 0) {
    const double work = double(plan.points) * compiled.workPerPoint;
    std::vector<ElementType> types;
    for (const KernelOperand &operand : operands)
      types.push_back(operand.type);
    impl->pending.push_back({entry->second, &kernel, std::move(plan),
                             std::move(types), entry->first,
                             ofRecipe && work <= littleWork});
  }
  impl->kernels.push_back(std::move(compiled));
  return entry->second;
}

/// Compiles the kernels, each on one thread, and caches them.
Status KernelJit::Impl::generate(const std::vector<Pending *> &missing,
                                 ThreadPool &pool) {
  pool.parallelFor(int64_t(missing.size()), 1,
                   [&](int64_t begin, int64_t end, unsigned) {
                     for (int64_t p = begin; p < end; ++p) {
                       Pending &item = *missing[size_t(p)];
                       auto image = codeGenerators().compile(item);
                       if (!image) {
                         item.problem = image.error().message;
                         continue;
                       }
                       item.compiled = std::move(*image);
                       const ByteSpan bytes = item.bytes();
                       cache->put(spanOf(cacheKey(item, item.tier)), bytes);
                       if (code->isShared)
                         sharedImages().add(cacheKey(item, item.tier), bytes);
                     }
                   });
  // The first problem in the order of kernels, whichever thread met it.
  for (const Pending *item : missing)
    if (!item->problem.empty())
      return fail(item->problem);
  return {};
}

/// Bounds the time to compile the kernels of one recipe.
static Status checkWeight(const std::vector<Pending *> &missing,
                          uint64_t maxWeight) {
  uint64_t weight = 0;
  for (const Pending *item : missing)
    weight += compileWeight(*item->kernel);
  if (weight <= maxWeight)
    return {};
  return fail("the recipe has {} kernels to compile, with a weight of {} "
              "together, expected at most {}; if you trust it, allow more with "
              "--max-kernel-weight={}",
              missing.size(), weight, maxWeight, weight);
}

/// Takes the code from the cache, or decides of which tier it will be.
void KernelJit::Impl::find(Pending &item) {
  const JitHost &jit = jitHost();
  const bool mayBeQuick =
      item.mayBeQuick && recipe && !jit.onlyFull && CodeMemory::canReplace();
  for (KernelTier tier : {KernelTier::Full, KernelTier::Quick}) {
    if (tier == KernelTier::Full ? jit.onlyQuick
                                 : !jit.onlyQuick && !mayBeQuick)
      continue;
    item.tier = tier;
    const std::string key = cacheKey(item, tier);
    if (code->isShared && (item.shared = sharedImages().find(key)))
      return;
    item.cached = cache->get(spanOf(key));
    // Intact, but of another format: a miss.
    if (item.cached && !KernelImage::decode(item.cached->bytes()))
      item.cached.reset();
    if (item.cached && code->isShared)
      sharedImages().add(key, item.cached->bytes());
    if (item.cached)
      return;
  }
}

/// Maps the code of all kernels.
Status KernelJit::Impl::load() {
  // Decoded again where the bytes are now; images point into them.
  std::vector<KernelImage> images;
  std::vector<bool> replaceable;
  for (const Pending &item : pending) {
    images.push_back(GAUDI_TRY(KernelImage::decode(item.bytes())));
    replaceable.push_back(item.tier == KernelTier::Quick &&
                          !jitHost().onlyQuick);
  }
  std::vector<KernelFunction> functions;
  code->first = GAUDI_TRY(CodeMemory::load(images, functions, replaceable));
  assert(functions.size() == pending.size() && "one function per image");
  for (size_t p = 0; p < pending.size(); ++p) {
    Pending &item = pending[p];
    kernels[item.handle].function = functions[p];
    if (!replaceable[p])
      continue;
    item.image = p;
    item.tier = KernelTier::Full;
    item.compiled = {}; // it is in executable memory now
    item.cached.reset();
    item.shared.reset();
    quick.push_back(std::move(item));
  }
  pending.clear();
  return {};
}

void KernelJit::launched() {
  if (impl->quick.empty() ||
      impl->launches.fetch_add(1, std::memory_order_relaxed) + 1 != hotLaunches)
    return;
  runInBackground([code = impl->code, recipe = impl->recipe,
                   cache = impl->cache, items = impl->quick] {
    // The code generator is a library that a job may be the first to load.
    static std::once_flag isLoaded;
    std::call_once(isLoaded, [] {
      (void)codeGenerator();
      finishBackgroundFirst();
    });
    // A problem ends it: quick code is right as well.
    for (const Pending &item : items)
      if (code->unloaded || !replaceCode(*code, item, *cache))
        break;
    cache->rest();
  });
}

Status KernelJit::compile(ThreadPool &pool, std::shared_ptr<DiskCache> cache,
                          uint64_t maxWeight, bool shares,
                          std::shared_ptr<const RecipeFile> recipe) {
  Stopwatch watch;
  impl->code->isShared = shares;
  std::deque<Pending> &pending = impl->pending;
  const JitHost &jit = jitHost();
  if (jit.refused)
    return fail(
        "the environment variable GAUDI_JIT_CPU is '{}', for which this "
        "host cannot run code; unset it, or choose haswell or "
        "skylake-avx512 (of x86-64 hosts)",
        jit.refused);
  if (jit.unknownTier)
    return fail("the environment variable GAUDI_JIT_TIER is '{}'; unset it, or "
                "choose quick or full",
                jit.unknownTier);
  impl->cache = std::move(cache);
  impl->recipe = std::move(recipe);
  // The key names all that code depends on besides the kernel: the generator's
  // build, the processor, and the environment's choice.
  const std::string host = fmt::format(
      "{}\n{}\n{}{}\n", codeGeneratorId(), hostCpuIdentity(),
      jit.cpu ? jit.cpu : "", jit.raisesFlags ? "" : " without flags");
  auto lookUp = [&](int64_t begin, int64_t end, unsigned) {
    for (int64_t p = begin; p < end; ++p) {
      Pending &item = pending[size_t(p)];
      item.key = host + item.key;
      impl->find(item);
    }
  };
  // A look-up takes about 10 microseconds: eight are worth a thread.
  pool.parallelFor(int64_t(pending.size()), 8, lookUp);
  std::vector<Pending *> missing;
  for (Pending &item : pending)
    if (item.shared)
      ++impl->stats.shared;
    else if (!item.cached)
      missing.push_back(&item);
  impl->stats.kernels = unsigned(impl->kernels.size());
  impl->stats.fromCache =
      unsigned(pending.size() - missing.size()) - impl->stats.shared;
  impl->stats.compiled = unsigned(missing.size());
  impl->stats.lookupMilliseconds = watch.milliseconds();
  if (!missing.empty()) {
    watch = Stopwatch();
    GAUDI_TRY(checkWeight(missing, maxWeight));
    GAUDI_TRY(impl->generate(missing, pool));
    impl->stats.compileMilliseconds = watch.milliseconds();
  }
  impl->stats.cacheDirectory = impl->cache->directory();
  impl->stats.cacheNote = impl->cache->problem();

  GAUDI_TRY(impl->load());
  impl->known.clear();
  // Thousands of recipes may be loaded.
  impl->cache->rest();
  return {};
}

const CompiledKernel &KernelJit::get(unsigned handle) const {
  return impl->kernels[handle];
}

const KernelStats &KernelJit::stats() const { return impl->stats; }

} // namespace gaudi::runtime
