// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// oneDNN alone, for comparison.
#include "Shapes.h"

#include <cstring>
#include <dnnl.hpp>
#include <memory>

extern "C" void omp_set_num_threads(int);

using namespace dnnl;

namespace gaudi::bench {
namespace {

constexpr size_t coldBytes = size_t(96) << 20;

struct Buffer {
  explicit Buffer(size_t bytes)
      : bytes((bytes + 63) / 64 * 64),
        data(std::aligned_alloc(64, this->bytes), std::free) {
    std::memset(data.get(), 0, this->bytes);
  }
  size_t bytes;
  std::unique_ptr<void, void (*)(void *)> data;
};

engine &cpu() {
  static engine result(engine::kind::cpu, 0);
  return result;
}

struct Types {
  explicit Types(Numbers numbers) {
    using type = memory::data_type;
    if (numbers == Numbers::Int8) {
      src = type::u8;
      weights = type::s8;
      dst = type::s32;
    } else {
      src = weights = dst = numbers == Numbers::BF16 ? type::bf16 : type::f32;
    }
  }
  memory::data_type src, weights, dst;
};

template <typename Primitive, typename Description>
double measure(const Description &chosen, bool coldWeights,
               std::string &implementation) {
  implementation = chosen.impl_info_str();
  const Primitive primitive(chosen);
  const size_t each = (chosen.weights_desc().get_size() + 63) / 64 * 64;
  const size_t copies =
      coldWeights ? std::clamp<size_t>(coldBytes / each, 1, 64) : 1;
  Buffer src(chosen.src_desc().get_size()), dst(chosen.dst_desc().get_size()),
      weights(each * copies);
  memory from(chosen.src_desc(), cpu(), src.data.get());
  memory to(chosen.dst_desc(), cpu(), dst.data.get());
  std::vector<memory> sides;
  for (size_t i = 0; i < copies; ++i)
    sides.emplace_back(chosen.weights_desc(), cpu(),
                       static_cast<char *>(weights.data.get()) + i * each);
  stream queue(cpu());
  return typicalSeconds([&] {
           for (const memory &side : sides)
             primitive.execute(queue, {{DNNL_ARG_SRC, from},
                                       {DNNL_ARG_WEIGHTS, side},
                                       {DNNL_ARG_DST, to}});
           queue.wait();
         }) /
         double(copies);
}

} // namespace

double oneDnn(const GemmShape &g, Numbers numbers, int threads,
              std::string &implementation) {
  omp_set_num_threads(threads);
  const Types types(numbers);
  try {
    if (g.heads == 0)
      return measure<matmul>(
          matmul::primitive_desc(
              matmul::desc({{g.m, g.k}, types.src, memory::format_tag::ab},
                           {{g.k, g.n}, types.weights, memory::format_tag::any},
                           {{g.m, g.n}, types.dst, memory::format_tag::ab}),
              cpu()),
          true, implementation);
    const auto tag =
        g.transposeB ? memory::format_tag::acb : memory::format_tag::abc;
    return measure<matmul>(
        matmul::primitive_desc(
            matmul::desc(
                {{g.heads, g.m, g.k}, types.src, memory::format_tag::abc},
                {{g.heads, g.k, g.n}, types.weights, tag},
                {{g.heads, g.m, g.n}, types.dst, memory::format_tag::abc}),
            cpu()),
        false, implementation);
  } catch (const error &) {
    implementation = "none";
    return 0;
  }
}

double oneDnn(const ConvShape &c, Numbers numbers, int threads,
              std::string &implementation) {
  omp_set_num_threads(threads);
  const Types types(numbers);
  const auto nhwc = memory::format_tag::nhwc;
  memory::dims weights = {c.out / c.groups, c.in / c.groups, c.kernel,
                          c.kernel};
  if (c.groups > 1)
    weights.insert(weights.begin(), c.groups);
  try {
    return measure<convolution_forward>(
        convolution_forward::primitive_desc(
            convolution_forward::desc(
                prop_kind::forward_inference, algorithm::convolution_direct,
                {{c.n, c.in, c.size, c.size}, types.src, nhwc},
                {weights, types.weights, memory::format_tag::any},
                {{c.n, c.out, outSize(c), outSize(c)}, types.dst, nhwc},
                {c.stride, c.stride}, {c.pad, c.pad}, {c.pad, c.pad}),
            cpu()),
        true, implementation);
  } catch (const error &) {
    implementation = "none";
    return 0;
  }
}

} // namespace gaudi::bench
