#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "scenarios/json/field_walks.hpp"
#include "scenarios/json/schema.hpp"
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
  KindOfOptions(std::string_view its_kind, std::string_view its_summary, const std::type_info& options_type)
      : kind(its_kind), summary(its_summary), type(options_type) {}
  virtual ~KindOfOptions() = default;

  const std::string_view kind, summary;
  const std::type_info& type;  // of the options

  virtual std::shared_ptr<void> defaults() const = 0;
  virtual void read(ObjectReader& reader, void* options) const = 0;
  virtual void write(Json& object, const void* options) const = 0;
  virtual void add_schema(SchemaBuilder& builder, Json& object_schema) const = 0;
  virtual std::vector<FieldText> describe() const = 0;
  virtual void change_file_names(Json& object, const PathChange& change) const = 0;
  virtual void list_integers(IntegerField& field, const void* options) const = 0;
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
      : Entry<Product, Context...>(Options::kind, Options::summary, typeid(Options)), maker_(std::move(maker)) {}

  std::shared_ptr<void> defaults() const override { return std::make_shared<Options>(); }
  void read(ObjectReader& reader, void* options) const override { reader.read(*static_cast<Options*>(options)); }
  void write(Json& object, const void* options) const override {
    write_fields_into(object, *static_cast<const Options*>(options));
  }
  void add_schema(SchemaBuilder& builder, Json& object_schema) const override {
    builder.add_fields(object_schema, Options{});
  }
  std::vector<FieldText> describe() const override { return lagnet::describe<Options>(); }
  void change_file_names(Json& object, const PathChange& change) const override {
    change_paths<Options>(object, change);
  }
  void list_integers(IntegerField& field, const void* options) const override {
    Options::fields(*static_cast<const Options*>(options), field);
  }
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
class Catalogue {
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
  const EntryType* find(std::string_view kind) const {
    for (const auto& entry : entries_)
      if (entry->kind == kind) return entry.get();
    return nullptr;
  }
  std::vector<std::string> kinds() const {
    std::vector<std::string> kinds;
    for (const auto& entry : entries_) kinds.emplace_back(entry->kind);
    return kinds;
  }

 private:
  void add(std::unique_ptr<const EntryType> entry) {
    LAGNET_CHECK(!find(entry->kind), "two entries are called {}", entry->kind);
    entries_.push_back(std::move(entry));
  }
  std::vector<std::unique_ptr<const EntryType>> entries_;
};

}  // namespace lagnet
