#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "scenarios/json/fields.hpp"

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
///
/// A Choice is a field that holds one kind of a catalogue with its options. In JSON it is an object whose discriminator
/// key names the kind: {"kind": "star", "agents": 4}.
///
///     struct TopologyFamily {
///       static constexpr std::string_view key = "kind";         // the discriminator
///       static constexpr std::string_view called = "topology";  // in messages and as the schema's definition
///       static const Catalogue<Topology>& catalogue();          // defined in a .cpp file, as above
///     };
///
/// A family may also have
///   - `using Common = LinkOptions`: fields of the same object that all kinds share;
///   - `static constexpr std::string_view default_kind`: what an absent choice, or one without discriminator, is;
///   - `static constexpr bool by_name = true`: a plain string stands for that kind with its defaults;
///   - `static constexpr std::string_view number_kind, number_key`: a plain number x stands for
///     {"kind": number_kind, number_key: x}.
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

namespace detail {
template <class Family>
struct CommonOf {
  using type = NoOptions;
};
template <class Family>
requires requires { typename Family::Common; }
struct CommonOf<Family> {
  using type = typename Family::Common;
};
}  // namespace detail

/// A family without its types.
struct FamilyFacts {
  std::string_view key, called;
  std::string_view default_kind, number_kind, number_key;  // "": none
  bool by_name = false;
  const ListOfKinds* kinds = nullptr;
  const StructType* common = nullptr;

  Json schema(SchemaBuilder& builder) const;
  std::string type_words() const;
  /// Changes the file names in a choice's JSON.
  void change_paths(Json& value, const PathChange& change) const;
};

/// The part of a Choice that is the same for every family. Each call takes the family, which a choice does not store.
class AnyChoice {
 public:
  bool has_value() const { return kind_ != nullptr; }

 protected:
  AnyChoice() = default;
  /// The family's default kind with its default options; has_value() is false if the family has no default kind.
  explicit AnyChoice(const FamilyFacts& family);
  AnyChoice(const FamilyFacts& family, std::string_view kind, const std::type_info& type,
            std::shared_ptr<const void> options);

  /// Reads the value at a pointer, and the common options into `common`, which holds their defaults. False: the value
  /// names no kind, and nothing changes.
  bool read(const FamilyFacts& family, const Json& value, const std::string& pointer, Diagnostics& diagnostics,
            void* common);
  /// The discriminator, the kind's own fields, the common ones.
  Json write(const FamilyFacts& family, const void* common) const;
  /// Of the kind's own options and the common ones, at any depth; none if nothing was chosen.
  std::vector<IntegerOption> integers(const FamilyFacts& family, const std::string& pointer, const void* common) const;
  const KindOfOptions& chosen(const FamilyFacts& family) const;

  const KindOfOptions* kind_ = nullptr;
  std::shared_ptr<const void> options_;

 private:
  bool read_object(const FamilyFacts& family, const Json& value, const std::string& pointer, Diagnostics& diagnostics,
                   void* common);
};

/// A kind and its options: a value that can be copied, and a field of options structs.
template <class Family>
class Choice : public AnyChoice {
 public:
  using Common = typename detail::CommonOf<Family>::type;

  /// The family's default kind with its default options; has_value() is false if the family has no default kind.
  Choice() : AnyChoice(family()) {}
  /// The kind that these options belong to.
  template <OptionsStruct Options>
  requires requires { Options::kind; }
  explicit Choice(Options options, Common common = {})
      : AnyChoice(family(), Options::kind, typeid(Options), std::make_shared<const Options>(std::move(options))),
        common_(std::move(common)) {}

  std::string_view kind() const { return chosen(family()).kind; }
  const Common& common() const { return common_; }
  /// The options if they are of this type, or null.
  template <class Options>
  const Options* options_as() const {
    return kind_ && kind_->type == typeid(Options) ? static_cast<const Options*>(options_.get()) : nullptr;
  }

  template <class... Context>
  auto make(Context&&... context) const {
    return static_cast<const EntryType&>(chosen(family())).make(options_.get(), std::forward<Context>(context)...);
  }

  void read(const Json& value, const std::string& pointer, Diagnostics& diagnostics) {
    Common common{};
    if (AnyChoice::read(family(), value, pointer, diagnostics, &common)) common_ = std::move(common);
  }
  Json write() const { return AnyChoice::write(family(), &common_); }
  std::vector<IntegerOption> integers(const std::string& pointer) const {
    return AnyChoice::integers(family(), pointer, &common_);
  }
  static void change_paths(Json& value, const PathChange& change) { family().change_paths(value, change); }
  static Json schema(SchemaBuilder& builder) { return family().schema(builder); }
  static std::string type_words() { return family().type_words(); }

 private:
  using EntryType = typename std::remove_cvref_t<decltype(Family::catalogue())>::EntryType;

  static const FamilyFacts& family() {
    static const FamilyFacts facts = [] {
      FamilyFacts all{.key = Family::key,
                      .called = Family::called,
                      .kinds = &Family::catalogue(),
                      .common = &struct_type<Common>()};
      if constexpr (requires { Family::default_kind; }) all.default_kind = Family::default_kind;
      if constexpr (requires { Family::number_kind, Family::number_key; }) {
        all.number_kind = Family::number_kind;
        all.number_key = Family::number_key;
      }
      if constexpr (requires { Family::by_name; }) all.by_name = Family::by_name;
      return all;
    }();
    return facts;
  }

  Common common_{};
};

}  // namespace lagnet
