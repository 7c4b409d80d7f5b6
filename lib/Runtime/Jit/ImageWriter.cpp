// A linker for one object: layout, relocations, table of pointers.
#include "ImageWriter.h"

#include "KernelImage.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

namespace gaudi::runtime {

using llvm::object::ELF64LE;
using llvm::object::ELF64LEObjectFile;
using llvm::object::RelocationRef;
using llvm::object::SectionRef;
namespace ELF = llvm::ELF;
namespace endian = llvm::support::endian;

namespace {

class Writer {
public:
  explicit Writer(const ELF64LEObjectFile &object) : object(object) {}

  Status layOut() {
    // Instructions first, so that they share pages.
    for (bool instructions : {true, false})
      for (SectionRef section : object.sections())
        if (Status status = place(section, instructions); !status)
          return status;
    return {};
  }

  Status relocate() {
    for (SectionRef section : object.sections()) {
      auto target = section.getRelocatedSection();
      if (!target)
        return failed(target.takeError());
      if (*target == object.section_end())
        continue;
      auto placed = places.find((*target)->getIndex());
      if (placed == places.end())
        continue;
      for (RelocationRef relocation : section.relocations())
        if (Status status = apply(relocation, placed->second); !status)
          return status;
    }
    return {};
  }

  Result<std::vector<uint8_t>> finish(const std::string &entry) {
    std::optional<uint64_t> start;
    for (llvm::object::ELFSymbolRef symbol : object.symbols()) {
      auto name = symbol.getName();
      if (!name)
        return failed(name.takeError());
      if (*name != entry || symbol.getELFType() != ELF::STT_FUNC)
        continue;
      auto address = addressOf(symbol);
      if (!address)
        return tl::unexpected<Error>(address.error());
      start = *address;
    }
    if (!start)
      return fail("internal error: the object of a kernel lacks its function");
    KernelImage image;
    image.entry = uint32_t(*start);
    image.imports = imports;
    image.rebases = rebases;
    image.names = names;
    image.code = {code.data(), code.size()};
    return image.encode();
  }

private:
  static tl::unexpected<Error> failed(llvm::Error error) {
    return fail("internal error: the object of a kernel cannot be read: " +
                llvm::toString(std::move(error)));
  }

  /// Room for `size` bytes; code never grows past what 32 bits can address.
  Result<uint64_t> extend(uint64_t size, uint64_t alignment) {
    const uint64_t at = llvm::alignTo(code.size(), alignment);
    if (size > (uint64_t(1) << 30) || at + size > (uint64_t(1) << 30))
      return fail("the code of a kernel is larger than 1 GiB");
    code.resize(at + size);
    return at;
  }

  Status place(SectionRef section, bool instructions) {
    const llvm::object::ELFSectionRef elf(section);
    const uint64_t flags = elf.getFlags();
    if (!(flags & ELF::SHF_ALLOC) || section.getSize() == 0 ||
        instructions != bool(flags & ELF::SHF_EXECINSTR))
      return {};
    auto name = section.getName();
    if (!name)
      return failed(name.takeError());
    // Nothing unwinds through a kernel.
    if (*name == ".eh_frame")
      return {};
    // Constants with addresses in them are written once, when loaded.
    const bool writable =
        (flags & ELF::SHF_WRITE) && !name->starts_with(".data.rel.ro");
    if (writable || (flags & ELF::SHF_TLS) || elf.getType() == ELF::SHT_NOBITS)
      return fail("internal error: a kernel has variables (section " +
                  name->str() + ")");
    const uint64_t alignment = section.getAlignment().value();
    if (alignment > imageAlignment)
      return fail("internal error: section " + name->str() +
                  " of a kernel is aligned to " + std::to_string(alignment) +
                  " bytes");
    auto contents = section.getContents();
    if (!contents)
      return failed(contents.takeError());
    auto at = extend(contents->size(), alignment);
    if (!at)
      return tl::unexpected<Error>(at.error());
    std::copy(contents->begin(), contents->end(), code.begin() + *at);
    places[section.getIndex()] = *at;
    return {};
  }

  /// Where a defined symbol lies in the code block.
  Result<uint64_t> addressOf(const llvm::object::ELFSymbolRef &symbol) {
    auto section = symbol.getSection();
    if (!section)
      return failed(section.takeError());
    auto value = symbol.getValue();
    if (!value)
      return failed(value.takeError());
    auto placed = *section == object.section_end()
                      ? places.end()
                      : places.find((*section)->getIndex());
    if (placed == places.end()) {
      auto name = symbol.getName();
      return fail("internal error: a kernel refers to '" +
                  (name ? name->str() : llvm::toString(name.takeError())) +
                  "', which its code does not hold");
    }
    return placed->second + *value;
  }

  Result<uint32_t> newSlot() {
    auto at = extend(8, 8);
    if (!at)
      return tl::unexpected<Error>(at.error());
    return uint32_t(*at);
  }

  void import(uint32_t slot, llvm::StringRef name) {
    imports.push_back({slot, uint32_t(names.size())});
    names.append(name.str()).push_back('\0');
  }

  /// The pointer to a host function.
  Result<uint32_t> slotOfImport(llvm::StringRef name) {
    auto known = importSlots.find(name);
    if (known != importSlots.end())
      return known->second;
    auto slot = newSlot();
    if (slot) {
      import(*slot, name);
      importSlots[name] = *slot;
    }
    return slot;
  }

  /// The pointer to something in the code block itself.
  Result<uint32_t> slotOfAddress(uint64_t address) {
    auto known = addressSlots.find(address);
    if (known != addressSlots.end())
      return known->second;
    auto slot = newSlot();
    if (slot) {
      rebases.push_back({*slot, uint32_t(address)});
      addressSlots[address] = *slot;
    }
    return slot;
  }

  /// `jmp *[rip + slot]`, for calls that reach only near code.
  Result<uint64_t> stubOf(llvm::StringRef name) {
    auto known = stubs.find(name);
    if (known != stubs.end())
      return known->second;
    auto slot = slotOfImport(name);
    if (!slot)
      return tl::unexpected<Error>(slot.error());
    auto at = extend(8, 8);
    if (!at)
      return tl::unexpected<Error>(at.error());
    code[*at] = 0xff;
    code[*at + 1] = 0x25;
    endian::write32le(&code[*at + 2], uint32_t(*slot - (*at + 6)));
    stubs[name] = *at;
    return *at;
  }

  Status apply(RelocationRef relocation, uint64_t sectionStart) {
    const llvm::object::ELFRelocationRef elf(relocation);
    auto explicitAddend = elf.getAddend();
    if (!explicitAddend)
      return failed(explicitAddend.takeError());
    const int64_t addend = *explicitAddend;
    const uint64_t place = sectionStart + relocation.getOffset();
    const uint64_t type = relocation.getType();
    if (type == ELF::R_X86_64_NONE)
      return {};
    const bool wide = type == ELF::R_X86_64_64 || type == ELF::R_X86_64_PC64;
    if (place + (wide ? 8 : 4) > code.size())
      return fail("internal error: a relocation of a kernel lies outside its "
                  "section");
    auto symbolAt = relocation.getSymbol();
    if (symbolAt == object.symbol_end())
      return unsupported(relocation, "no symbol");
    const llvm::object::ELFSymbolRef symbol(*symbolAt);
    auto name = symbol.getName();
    if (!name)
      return failed(name.takeError());
    auto flags = symbol.getFlags();
    if (!flags)
      return failed(flags.takeError());
    const bool foreign = *flags & llvm::object::SymbolRef::SF_Undefined;
    uint64_t address = 0;
    if (!foreign) {
      auto defined = addressOf(symbol);
      if (!defined)
        return tl::unexpected<Error>(defined.error());
      address = *defined;
    }

    Result<uint64_t> target = address;
    switch (type) {
    case ELF::R_X86_64_64:
      if (place % 8 != 0 || (foreign && addend != 0))
        return unsupported(relocation, *name);
      if (foreign)
        import(uint32_t(place), *name);
      else
        rebases.push_back({uint32_t(place), uint32_t(address + addend)});
      return {};
    case ELF::R_X86_64_PC64:
      if (foreign)
        return unsupported(relocation, *name);
      endian::write64le(&code[place], address + addend - place);
      return {};
    case ELF::R_X86_64_PC32:
      if (foreign)
        return unsupported(relocation, *name);
      break;
    case ELF::R_X86_64_PLT32:
      if (foreign)
        target = stubOf(*name);
      break;
    case ELF::R_X86_64_GOTPCREL:
    case ELF::R_X86_64_GOTPCRELX:
    case ELF::R_X86_64_REX_GOTPCRELX:
      if (Result<uint32_t> slot =
              foreign ? slotOfImport(*name) : slotOfAddress(address))
        target = *slot;
      else
        return tl::unexpected<Error>(slot.error());
      break;
    default:
      return unsupported(relocation, *name);
    }
    if (!target)
      return tl::unexpected<Error>(target.error());
    const int64_t distance = int64_t(*target) + addend - int64_t(place);
    if (!llvm::isInt<32>(distance))
      return unsupported(relocation, *name);
    endian::write32le(&code[place], uint32_t(distance));
    return {};
  }

  static Status unsupported(RelocationRef relocation, llvm::StringRef symbol) {
    llvm::SmallString<32> type;
    relocation.getTypeName(type);
    return fail("internal error: a kernel needs a relocation that the loader "
                "does not know: " +
                std::string(type) + " to " + symbol.str());
  }

  const ELF64LEObjectFile &object;
  std::vector<uint8_t> code;
  std::vector<ImageImport> imports;
  std::vector<ImageRebase> rebases;
  std::string names;
  llvm::DenseMap<uint64_t, uint64_t> places; // by section
  llvm::StringMap<uint32_t> importSlots;
  llvm::DenseMap<uint64_t, uint32_t> addressSlots;
  llvm::StringMap<uint64_t> stubs;
};

} // namespace

Result<std::vector<uint8_t>> writeImage(llvm::MemoryBufferRef object,
                                        const std::string &entry) {
  auto file = llvm::object::ObjectFile::createELFObjectFile(object);
  if (!file)
    return fail("internal error: the object of a kernel cannot be read: " +
                llvm::toString(file.takeError()));
  const auto *elf = llvm::dyn_cast<ELF64LEObjectFile>(file->get());
  if (!elf || (*file)->getArch() != llvm::Triple::x86_64)
    return fail("kernels can only be compiled for x86-64 hosts");
  Writer writer(*elf);
  if (Status status = writer.layOut(); !status)
    return tl::unexpected<Error>(status.error());
  if (Status status = writer.relocate(); !status)
    return tl::unexpected<Error>(status.error());
  return writer.finish(entry);
}

} // namespace gaudi::runtime
