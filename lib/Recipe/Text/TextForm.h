// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fields of records in text form, printed or parsed.
//
// Each record is described once, by the calls that name its fields in the order
// of the text. While a text is printed the calls append it; while one is parsed
// they take the same words from it and fill the fields in.
#ifndef GAUDI_LIB_RECIPE_TEXT_TEXTFORM_H
#define GAUDI_LIB_RECIPE_TEXT_TEXTFORM_H

#include "Gaudi/Recipe/Recipe_generated.h"

#include "Lexer.h"
#include "TextWriter.h"

#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>

namespace gaudi::recipe {

class TextForm {
public:
  explicit TextForm(TextWriter &out) : out(&out) {}
  explicit TextForm(Lexer &in) : in(&in) {}

  /// The text that is parsed; null while one is printed.
  Lexer *parsed() const { return in; }
  /// Where the text is printed; null while one is parsed.
  TextWriter *printed() const { return out; }

  /// Words and punctuation, with the blanks between them as they are printed.
  void put(std::string_view text);

  // A value, with nothing before it.

  template <typename T> void value(T &number) {
    static_assert(std::is_integral_v<T>);
    if (out)
      out->put("{}", number);
    else if constexpr (std::is_same_v<T, int64_t>)
      number = in->integer();
    else
      number = T(in->number(uint64_t(std::numeric_limits<T>::max())));
  }
  void value(std::string &text); ///< in double quotes
  void value(float &number);
  void value(double &number);
  void value(ElementType &type);

  /// A blank and a value.
  template <typename T> void field(T &value) {
    put(" ");
    this->value(value);
  }
  /// A blank and the name of an enumerator in lower case.
  template <typename Enum>
  void field(Enum &value, const char *const *names, Enum last,
             const char *what) {
    put(" ");
    if (out)
      out->put(wordOf(value, names, last));
    else
      value = in->enumerator(names, last, what);
  }

  /// Values between `open` and `close`, each by `item`.
  template <typename T, typename Item>
  void list(std::string_view open, std::vector<T> &items,
            std::string_view close, Item &&item,
            std::string_view separator = ", ") {
    if (in)
      return in->list(trimmed(open), close, [&] {
        T value{};
        item(value);
        items.push_back(std::move(value));
      });
    out->put(open);
    for (size_t i = 0; i < items.size(); ++i) {
      out->put(i ? separator : "");
      item(items[i]);
    }
    out->put(close);
  }
  template <typename T>
  void values(std::string_view open, std::vector<T> &items,
              std::string_view close, std::string_view separator = ", ") {
    list(open, items, close, [&](T &item) { value(item); }, separator);
  }
  template <typename T> void field(std::vector<T> &items) {
    values(" [", items, "]");
  }

  /// A word and the value that it names.
  template <typename T> void named(std::string_view word, T &value) {
    put(" ");
    put(word);
    field(value);
  }
  /// "bytes 4096 -> 0"
  template <typename T>
  void change(std::string_view word, T &before, T &after) {
    named(word, before);
    put(" ->");
    field(after);
  }
  /// True if the text has the word: while it is printed, if it shall.
  bool option(std::string_view word, bool isThere);
  /// One of two words.
  void choice(const char *yes, const char *no, bool &isYes);
  /// Left out if the value is `absent`.
  template <typename T, typename Absent = T>
  void optional(std::string_view word, T &value, Absent &&absent = T()) {
    if (in)
      value = T(absent);
    if (option(word, !isSame(value, T(absent))))
      field(value);
  }

  /// Records, each after a word.
  template <typename T, typename Record>
  void each(std::string_view word, std::vector<T> &items, Record &&record) {
    for (size_t i = 0; out && i < items.size(); ++i) {
      out->put(word);
      record(referenced(items[i]));
    }
    while (in && in->accept(trimmed(word)))
      record(appended(items));
  }
  template <typename T>
  static T &appended(std::vector<std::unique_ptr<T>> &items) {
    items.push_back(std::make_unique<T>());
    return *items.back();
  }
  template <typename T> static T &appended(std::vector<T> &items) {
    return items.emplace_back();
  }

private:
  template <typename T> static T &referenced(std::unique_ptr<T> &item) {
    return *item;
  }
  template <typename T> static T &referenced(T &item) { return item; }

  /// By their bits: -0 is no 0.
  static bool isSame(float a, float b) {
    return std::memcmp(&a, &b, sizeof(a)) == 0;
  }
  template <typename T> static bool isSame(const T &a, const T &b) {
    return a == b;
  }

  static std::string_view trimmed(std::string_view text) {
    const size_t start = text.find_first_not_of(' ');
    return text.substr(start == std::string_view::npos ? text.size() : start);
  }

  Lexer *in = nullptr;
  TextWriter *out = nullptr;
};

// Parts of recipes that are described apart.

/// The kernel after its number, up to the closing brace.
void describeKernel(TextForm &text, KernelT &kernel);
/// What is between the braces of `dispatch`.
void describeDispatch(TextForm &text, DispatchT &dispatch);

} // namespace gaudi::recipe

#endif // GAUDI_LIB_RECIPE_TEXT_TEXTFORM_H
