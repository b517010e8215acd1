#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "scenarios/json/fields.hpp"
#include "scenarios/json/schema_words.hpp"

/// A catalogue lists the kinds of one thing (topologies, losses, ...), one line each:
///
///     const Catalogue<Topology>& TopologyFamily::catalogue() {
///       static const Catalogue<Topology> all(entry<StarOptions>(make_star), entry<RingOptions>(make_ring));
///       return all;
///     }
///
/// or, where one function is overloaded for all kinds,
///
///       static const auto all = Catalogue<Topology>::of<StarOptions, RingOptions>([](const auto& options) {
///         return make_topology(options);
///       });
///
/// StarOptions is an options struct with `static constexpr std::string_view kind = "star", summary = "..."`, and
/// make_star any callable Topology(const StarOptions&).
namespace lagnet {

/// One kind with its options, as seen by everybody who does not make the product.
class KindOfOptions {
 public:
  KindOfOptions(std::string_view its_kind, std::string_view its_summary, const std::type_info& options_type,
                const StructType& options_fields)
      : kind(its_kind), summary(its_summary), type(options_type), fields(options_fields) {}
  virtual ~KindOfOptions() = default;

  const std::string_view kind, summary;
  const std::type_info& type;
  const StructType& fields;  // of the options

  virtual std::shared_ptr<void> defaults() const = 0;
  std::vector<FieldText> describe() const;
};

/// The kinds of a catalogue in the order of their lines, as seen by everybody who makes none.
class ListOfKinds {
 public:
  const std::vector<const KindOfOptions*>& list() const { return list_; }
  /// The kind of a name, or null.
  const KindOfOptions* find_kind(std::string_view name) const;
  std::vector<std::string> kinds() const;

 protected:
  /// Two of one name: InternalError.
  void add_kind(const KindOfOptions& kind);

 private:
  std::vector<const KindOfOptions*> list_;
};

/// One kind that can be made.
template <class Product, class... Context>
class Entry : public KindOfOptions {
 public:
  using KindOfOptions::KindOfOptions;
  virtual Product make(const void* options, Context... context) const = 0;
};

template <class Options, class Maker, class Product, class... Context>
class EntryOf final : public Entry<Product, Context...> {
 public:
  explicit EntryOf(Maker maker)
      : Entry<Product, Context...>(Options::kind, Options::summary, typeid(Options), struct_type<Options>()),
        maker_(std::move(maker)) {}

  std::shared_ptr<void> defaults() const override { return std::make_shared<Options>(); }
  Product make(const void* options, Context... context) const override {
    return maker_(*static_cast<const Options*>(options), std::forward<Context>(context)...);
  }

 private:
  Maker maker_;
};

template <OptionsStruct Options, class Maker>
struct DeclaredEntry {
  Maker maker;
};

/// A line of a catalogue; maker is called as Product(const Options&, Context...).
template <OptionsStruct Options, class Maker>
DeclaredEntry<Options, Maker> entry(Maker maker) {
  return {std::move(maker)};
}

/// All kinds of a product, in the order of their lines.
template <class Product, class... Context>
class Catalogue : public ListOfKinds {
 public:
  using EntryType = Entry<Product, Context...>;

  /// Two entries of one kind: InternalError.
  template <class... Options, class... Makers>
  explicit Catalogue(DeclaredEntry<Options, Makers>... lines) {
    (add(std::make_unique<EntryOf<Options, Makers, Product, Context...>>(std::move(lines.maker))), ...);
  }

  /// All made by one maker, which takes any of these options.
  template <class... Options, class Maker>
  static Catalogue of(Maker maker) {
    return Catalogue(entry<Options>(maker)...);
  }

  const std::vector<std::unique_ptr<const EntryType>>& entries() const { return entries_; }
  /// The entry of a kind, or null.
  const EntryType* find(std::string_view kind) const { return static_cast<const EntryType*>(find_kind(kind)); }

 private:
  void add(std::unique_ptr<const EntryType> entry) {
    add_kind(*entry);
    entries_.push_back(std::move(entry));
  }
  std::vector<std::unique_ptr<const EntryType>> entries_;
};

}  // namespace lagnet
