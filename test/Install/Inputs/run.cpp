// Describes the recipe argv[1], runs it on ones and prints its outputs.
#include <gaudi-c/Executable.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

std::string text(GaudiStringRef string) { return {string.data, string.length}; }

void check(GaudiError *error) {
  if (!error)
    return;
  const std::string message = text(gaudiErrorMessage(error));
  gaudiErrorDestroy(error);
  throw std::runtime_error(message);
}

struct Destroy {
  void operator()(GaudiRecipe *recipe) const { gaudiRecipeDestroy(recipe); }
  void operator()(GaudiExecutable *executable) const {
    gaudiExecutableDestroy(executable);
  }
};

/// The memory of one tensor of f32.
struct Values {
  Values(const char *kind, const GaudiTensorInfo &info, float value)
      : shape(info.shape, info.shape + info.rank) {
    if (info.type != GaudiF32)
      throw std::runtime_error("expected f32");
    size_t count = 1;
    std::string sizes;
    for (const int64_t size : shape) {
      count *= size_t(size);
      sizes += std::to_string(size) + "x";
    }
    std::printf("%s %s: %s%s\n", kind, text(info.name).c_str(), sizes.c_str(),
                gaudiElementTypeName(info.type));
    elements.assign(count, value);
  }
  GaudiBuffer buffer() {
    return {elements.data(), GaudiF32, uint32_t(shape.size()), shape.data(),
            nullptr};
  }
  std::vector<int64_t> shape;
  std::vector<float> elements;
};

void run(const char *path) {
  GaudiRecipe *opened = nullptr;
  check(gaudiRecipeOpen(path, &opened));
  const std::unique_ptr<GaudiRecipe, Destroy> recipe(opened);
  std::printf("%s, entry %s\n", text(gaudiRecipeDevice(opened)).c_str(),
              text(gaudiRecipeEntryName(opened, 0)).c_str());
  std::vector<Values> inputs, outputs;
  for (size_t i = 0; i < gaudiRecipeNumInputs(opened, 0); ++i)
    inputs.emplace_back("input", gaudiRecipeInput(opened, 0, i), 1.0f);
  for (size_t i = 0; i < gaudiRecipeNumOutputs(opened, 0); ++i)
    outputs.emplace_back("output", gaudiRecipeOutput(opened, 0, i), -1.0f);
  std::vector<GaudiBuffer> in, out;
  for (Values &values : inputs)
    in.push_back(values.buffer());
  for (Values &values : outputs)
    out.push_back(values.buffer());

  GaudiExecutable *loaded = nullptr;
  check(gaudiExecutableLoad(opened, nullptr, &loaded));
  const std::unique_ptr<GaudiExecutable, Destroy> executable(loaded);
  check(gaudiExecutableRun(loaded, 0, in.data(), in.size(), out.data(),
                           out.size(), nullptr));
  for (const Values &values : outputs) {
    for (const float value : values.elements)
      std::printf("%g ", double(value));
    std::printf("\n");
  }
}

} // namespace

int main(int argc, char **argv) try {
  if (argc != 2)
    throw std::runtime_error("expected a recipe");
  run(argv[1]);
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 1;
}
