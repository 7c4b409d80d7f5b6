// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds, checks and packs constants.
//
// Order of a constant: a candidate is found (in this process by layout and
// fingerprint, or in the cache), checked (compared with the result of packing,
// or by checksum if an earlier process compared it), and shared or packed.
#include "PanelStore.h"

#include "Gaudi/Recipe/ElementTypes.h"
#include "Gaudi/Support/Stopwatch.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <xxhash.h>

namespace gaudi::runtime {

namespace {

constexpr uint64_t hugePage = 2 << 20;

/// Memory that is not touched here, so that the thread that packs a page faults
/// it in; in huge pages where that is worth it.
std::shared_ptr<uint8_t> allocatePanels(uint64_t bytes) {
  if (bytes < hugePage) {
    void *memory = std::aligned_alloc(64, std::max<uint64_t>(bytes, 64));
    if (!memory)
      throw std::bad_alloc();
    return {static_cast<uint8_t *>(memory), [](uint8_t *p) { std::free(p); }};
  }
  const uint64_t mapped =
      (bytes + hugePage - 1) / hugePage * hugePage + hugePage;
  void *mapping = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    throw std::bad_alloc();
  // Owned by the mapping, at the first address that is a multiple of a huge
  // page: one more was mapped for it.
  const std::shared_ptr<void> owner(mapping,
                                    [mapped](void *p) { munmap(p, mapped); });
  uint8_t *base = reinterpret_cast<uint8_t *>(
      (reinterpret_cast<uint64_t>(mapping) + hugePage - 1) / hugePage *
      hugePage);
  // A hint only, and not for the tail, of which a huge page would waste most.
  (void)madvise(base, bytes / hugePage * hugePage, MADV_HUGEPAGE);
  return {owner, base};
}

/// The key of panels beside the bytes of the constant: everything that
/// packPanel reads.
std::vector<int64_t> layoutOf(const SharedPanels &panels) {
  const PanelSource &source = panels.source;
  std::vector<int64_t> words = {
      int64_t(source.type), source.depth, source.columns, source.depthStride,
      source.columnStride, panels.layout.width, panels.layout.steps,
      int64_t(panels.layout.format), int64_t(panels.layout.value),
      // 2: of filters that suitsWinograd accepted.
      panels.source.winograd ? 2
      : panels.layout.joins  ? 4
                             : 0,
      source.joined, int64_t(panels.items.size())};
  words.insert(words.end(), panels.items.begin(), panels.items.end());
  words.insert(words.end(), source.taps.begin(), source.taps.end());
  return words;
}

std::vector<uint8_t> bytesOf(const std::vector<int64_t> &words) {
  const auto *first = reinterpret_cast<const uint8_t *>(words.data());
  return {first, first + words.size() * sizeof(int64_t)};
}

/// Hash of some values spread over the constant, to find candidates: equal
/// fingerprints prove nothing.
CacheNonce fingerprintOf(const SharedPanels &panels) {
  constexpr int64_t samples = 512;
  const PanelSource &s = panels.source;
  const int64_t size = recipe::elementSize(s.type);
  const int64_t rows = s.depth, columns = s.columns;
  const int64_t taps = int64_t(s.taps.size());
  const int64_t matrices = int64_t(panels.items.size()) * taps;
  assert(rows > 0 && columns > 0 && matrices > 0 && "a constant has values");
  std::vector<uint8_t> values;
  // Distinct primes as steps: rows, columns and matrices vary independently.
  for (int64_t i = 0; i < samples; ++i) {
    const int64_t matrix = i * 7919 % matrices;
    const int64_t row = i * 104729 % rows, column = i * 15485863 % columns;
    const uint8_t *from = s.data + panels.items[size_t(matrix / taps)] +
                          (s.taps[size_t(matrix % taps)] + row * s.depthStride +
                           column * s.columnStride) *
                              size;
    values.insert(values.end(), from, from + size);
  }
  const XXH128_hash_t hash = XXH3_128bits(values.data(), values.size());
  return {hash.high64, hash.low64};
}

/// The panels that recipes of this process have.
struct Registry {
  std::mutex requests; // guards the maps
  /// By address: commands that read one constant.
  std::map<std::vector<int64_t>, std::weak_ptr<SharedPanels>> byAddress;
  /// By layout and fingerprint: constants that may be equal.
  std::map<std::vector<int64_t>, std::weak_ptr<const PanelMemory>> byContent;
  size_t sweepAt = 256;

  std::mutex resolving; // one recipe at a time

  /// Drops entries without users. Called when the maps have doubled, so that
  /// the cost per request is constant.
  void sweep() {
    if (byAddress.size() + byContent.size() < sweepAt)
      return;
    auto clean = [](auto &map) {
      for (auto it = map.begin(); it != map.end();)
        it = it->second.expired() ? map.erase(it) : std::next(it);
    };
    clean(byAddress);
    clean(byContent);
    sweepAt = 2 * (byAddress.size() + byContent.size()) + 256;
  }
};

Registry &registry() {
  static Registry all;
  return all;
}

/// The work for one constant that has no panels yet.
struct Job {
  std::shared_ptr<SharedPanels> panels;
  PanelCache::Constant constant;
  std::vector<int64_t> content; // its key in the registry; empty: too small
  bool cacheable = false;
  std::shared_ptr<const PanelMemory> candidate;
  CachedBytes file; // of the candidate, if its blocks are to be checked
  enum { Nothing, CheckBlocks, Compare } check = Nothing;
  std::atomic<bool> refused{false};
  std::shared_ptr<uint8_t> fresh; // being packed
};

using Jobs = std::vector<std::unique_ptr<Job>>;

/// Calls body(job, begin, end, worker) on all threads, for ranges of at most
/// `grain(job)` of the `units(job)` units of each job.
template <typename Units, typename Grain, typename Body>
void forUnits(ThreadPool &pool, const Jobs &jobs, Units units, Grain grain,
              Body body) {
  struct Range {
    Job *job;
    int64_t begin, end;
  };
  std::vector<Range> ranges;
  for (const std::unique_ptr<Job> &job : jobs) {
    const int64_t count = units(*job), step = std::max<int64_t>(grain(*job), 1);
    for (int64_t begin = 0; begin < count; begin += step)
      ranges.push_back({job.get(), begin, std::min(begin + step, count)});
  }
  pool.parallelFor(int64_t(ranges.size()), 1,
                   [&](int64_t first, int64_t end, unsigned worker) {
                     for (int64_t r = first; r < end; ++r)
                       body(*ranges[size_t(r)].job, ranges[size_t(r)].begin,
                            ranges[size_t(r)].end, worker);
                   });
}

int64_t panelsIn(uint64_t bytes, const Job &job) {
  return int64_t(bytes) / std::max<int64_t>(job.panels->layout.pitch(), 1);
}

/// Finds panels that may be those of the job's constant, and decides how they
/// are checked.
void findCandidate(Job &job, PanelCache *cache) {
  SharedPanels &panels = *job.panels;
  const uint64_t bytes = panels.bytes();
  if (bytes < PanelCache::leastBytes)
    return;
  const std::vector<int64_t> layout = layoutOf(panels);
  job.constant = {panels.source.data, bytesOf(layout), {}, bytes};
  job.cacheable = cache && cache->accepts(panels.source.data, bytes);
  std::optional<CacheNonce> fingerprint;
  if (job.cacheable)
    fingerprint = cache->fingerprintOf(panels.source.data, job.constant.layout);
  job.constant.fingerprint = fingerprint ? *fingerprint : fingerprintOf(panels);
  // Within the process the fingerprint takes the place of the address: recipes
  // may hold the same weights in files of their own.
  job.content = layout;
  for (uint64_t word : job.constant.fingerprint)
    job.content.push_back(int64_t(word));

  std::optional<PanelCache::Found> found;
  if (job.cacheable)
    found = cache->find(job.constant);
  {
    Registry &all = registry();
    const std::lock_guard<std::mutex> lock(all.requests);
    const auto known = all.byContent.find(job.content);
    if (known != all.byContent.end())
      job.candidate = known->second.lock();
  }
  const bool sameFile = found && found->validated && job.candidate &&
                        job.candidate->mapped &&
                        job.candidate->file == found->panels.nonce();
  if (sameFile)
    return; // checked when the other recipe resolved them
  // A validated file is checked by its checksums alone, which is cheaper than
  // packing to compare; else what is in memory already comes first.
  if (found && (found->validated || !job.candidate)) {
    auto memory = std::make_shared<PanelMemory>();
    memory->owner = found->panels.owner();
    memory->data = found->panels.bytes().data;
    memory->bytes = bytes;
    memory->mapped = true;
    memory->file = found->panels.nonce();
    job.candidate = std::move(memory);
    job.file = std::move(found->panels);
    job.check = found->validated ? Job::CheckBlocks : Job::Compare;
  } else if (job.candidate) {
    job.check = Job::Compare;
  }
}

/// Refuses candidates that are corrupt or differ from the result of packing. A
/// refusal stops the other threads' checks of that job soon; the flag only ever
/// becomes true, so relaxed races on it are harmless.
void checkCandidates(ThreadPool &pool, const Jobs &jobs) {
  // Files that an earlier process compared: checksums tell whether they are
  // intact, without the constant.
  forUnits(
      pool, jobs,
      [](const Job &job) {
        return job.check == Job::CheckBlocks ? job.file.blocks() : 0;
      },
      [](const Job &) { return 1; },
      [](Job &job, int64_t begin, int64_t end, unsigned) {
        for (int64_t block = begin; block < end; ++block)
          if (!job.file.isIntact(block))
            job.refused = true;
      });
  // Others are packed again, panel by panel into memory that stays in cache,
  // and compared.
  uint64_t most = 0;
  for (const std::unique_ptr<Job> &job : jobs)
    if (job->check == Job::Compare)
      most = std::max(most, uint64_t(job->panels->layout.pitch()));
  if (most == 0)
    return;
  std::vector<std::shared_ptr<uint8_t>> scratch;
  for (unsigned worker = 0; worker < pool.size(); ++worker)
    scratch.push_back(allocatePanels(most));
  forUnits(
      pool, jobs,
      [](const Job &job) {
        return job.check == Job::Compare ? job.panels->count() : 0;
      },
      [](const Job &job) { return panelsIn(1 << 20, job); },
      [&](Job &job, int64_t begin, int64_t end, unsigned worker) {
        const uint64_t pitch = uint64_t(job.panels->layout.pitch());
        for (int64_t p = begin; p < end && !job.refused; ++p) {
          job.panels->pack(p, scratch[worker].get());
          if (std::memcmp(scratch[worker].get(),
                          job.candidate->data + uint64_t(p) * pitch,
                          pitch) != 0)
            job.refused = true;
        }
      });
}

void packMissing(ThreadPool &pool, const Jobs &jobs) {
  for (const std::unique_ptr<Job> &job : jobs)
    if (!job->panels->memory)
      job->fresh = allocatePanels(job->panels->bytes());
  // A thread packs whole huge pages. The kernel clears a page when it is first
  // touched: two threads in one page would wait for each other.
  forUnits(
      pool, jobs,
      [](const Job &job) { return job.fresh ? job.panels->count() : 0; },
      [](const Job &job) { return panelsIn(hugePage, job); },
      [](Job &job, int64_t begin, int64_t end, unsigned) {
        for (int64_t p = begin; p < end; ++p)
          job.panels->pack(p, job.fresh.get() + p * job.panels->layout.pitch());
      });
}

} // namespace

std::shared_ptr<const SharedPanels>
PanelStore::want(const PanelSource &source, const PanelLayout &layout,
                 const std::vector<int64_t> &items,
                 std::vector<std::shared_ptr<uint8_t>> held) {
  SharedPanels panels;
  panels.source = source;
  panels.layout = layout;
  panels.items = items;
  panels.held = std::move(held);
  // The address stands for the bytes: `held`, or the recipe file, keeps them
  // there as long as the entry lives.
  std::vector<int64_t> key = layoutOf(panels);
  key.push_back(int64_t(reinterpret_cast<intptr_t>(source.data)));
  Registry &all = registry();
  const std::lock_guard<std::mutex> lock(all.requests);
  all.sweep();
  std::weak_ptr<SharedPanels> &entry = all.byAddress[key];
  std::shared_ptr<SharedPanels> known = entry.lock();
  if (!known) {
    known = std::make_shared<SharedPanels>(std::move(panels));
    entry = known;
  }
  if (std::find(wanted.begin(), wanted.end(), known) == wanted.end())
    wanted.push_back(known);
  return known;
}

bool PanelStore::isRecorded(const PanelSource &source,
                            const PanelLayout &layout,
                            const std::vector<int64_t> &items) const {
  SharedPanels panels;
  panels.source = source;
  panels.layout = layout;
  panels.items = items;
  return cache && cache->accepts(source.data, panels.bytes()) &&
         cache->fingerprintOf(source.data, bytesOf(layoutOf(panels)));
}

Status PanelStore::resolve(ThreadPool &pool, PanelStats &stats) {
  const Stopwatch watch;
  Registry &all = registry();
  // One executable at a time: what it packs is found by the next, not packed
  // twice.
  const std::lock_guard<std::mutex> resolving(all.resolving);
  Jobs jobs;
  for (const std::shared_ptr<SharedPanels> &panels : wanted) {
    ++stats.constants;
    if (panels->memory) { // resolved for another executable of this recipe
      ++stats.shared;
      stats.sharedBytes += panels->bytes();
      continue;
    }
    jobs.push_back(std::make_unique<Job>());
    jobs.back()->panels = panels;
  }
  try {
    for (const std::unique_ptr<Job> &job : jobs)
      findCandidate(*job, cache);
    checkCandidates(pool, jobs);
    for (const std::unique_ptr<Job> &job : jobs) {
      SharedPanels &panels = *job->panels;
      // A file that is only checked for damage is taken without reading the
      // constant.
      panels.comparedOrPacked = job->check == Job::Compare;
      if (!job->candidate || job->refused)
        continue;
      panels.memory = job->candidate;
      // The candidate is the file that was found, not panels of this process.
      const bool ours = job->file.bytes().data == panels.memory->data;
      ++(ours ? stats.mapped : stats.shared);
      if (ours) {
        stats.mappedBytes += panels.bytes();
        cache->countUsed(job->constant);
      } else {
        stats.sharedBytes += panels.bytes();
      }
      // Later processes may skip the comparison.
      if (job->check == Job::Compare && job->cacheable && panels.memory->mapped)
        cache->recordMatch(job->constant, panels.memory->file);
    }
    packMissing(pool, jobs);
    for (const std::unique_ptr<Job> &job : jobs) {
      SharedPanels &panels = *job->panels;
      if (job->fresh) {
        auto memory = std::make_shared<PanelMemory>();
        memory->owner = job->fresh;
        memory->data = job->fresh.get();
        memory->bytes = panels.bytes();
        panels.memory = memory;
        panels.comparedOrPacked = true;
        ++stats.packed;
        stats.packedBytes += panels.bytes();
      }
      if (job->content.empty())
        continue;
      {
        const std::lock_guard<std::mutex> lock(all.requests);
        all.byContent[job->content] = panels.memory;
      }
      // Panels of another recipe that has no file are as good as fresh ones.
      if (job->cacheable && !panels.memory->mapped)
        cache->enqueue(job->constant, panels.memory->owner,
                       panels.memory->data);
    }
  } catch (const std::bad_alloc &) {
    return fail("not enough host memory for the packed constants of matrix "
                "commands");
  }
  if (cache) {
    stats.cacheDirectory = cache->directory();
    stats.hasRecord = cache->record().enabled();
  }
  stats.milliseconds = watch.milliseconds();
  return {};
}

} // namespace gaudi::runtime
