#pragma once

#include <optional>
#include <string_view>

#include "algorithms/federated/compressed/compressed_method.hpp"

/// EF-SGD: compressed gradient descent with error feedback, by full gradients; with scaled signs EF-signSGD.
///
///     minimize over w   F(w) = sum_k pi_k f_k(w),   f_k(w) = L_k(w) + (b/2) |w|^2,   L_k the mean loss of client k's
///     n_k samples, pi_k = n_k / n
///
/// Client k keeps what compression has left out, e_k, and adds it to the next step; e_k = 0 at first. Q is a
/// contractive compressor, perhaps biased.
///
///     p_k = s grad f_k(x) + e_k,   c_k = Q(p_k),   e_k <- p_k - c_k         at client k                         (1)
///     x <- x - sum_k pi_k c_k                                               at the server                       (2)
///
/// With compress_down the server compresses, too: it keeps an e of its own, sends q, and each client moves its own copy
/// of x, whose start all know, when the next round's request comes:
///
///     p = sum_k pi_k c_k + e,   q = Q(p),   e <- p - q,   x <- x - q        at the server, and x at the clients (3)
///
/// Where clients differ, x comes into a neighborhood of the minimizer whose size is that of s times the clients'
/// gradients there, and stays in it; with the identity it is gradient descent. A round is one round trip, d numbers
/// down and one encoding up; with compress_down one encoding each way, of the request of round 1, too. Sources: Stich,
/// Cordonnier, Jaggi, "Sparsified SGD with memory", NeurIPS 2018; Karimireddy, Rebjock, Stich, Jaggi, "Error feedback
/// fixes SignSGD and other gradient compression schemes", ICML 2019.
namespace lagnet {

struct EfSgdOptions {
  static constexpr std::string_view kind = "ef_sgd";
  static constexpr std::string_view summary =
      "compressed gradient descent with error feedback (Stich, Cordonnier, Jaggi 2018)";
  static constexpr AlgorithmTraits traits =
      compressed_server_traits(Regularizers::smooth, "ef_sgd sends differences that must arrive once");
  CompressorOptions compressor = {};
  std::optional<double> step = {};
  bool compress_down = false;
  std::optional<double> L = {};
  static void fields(auto& self, auto& field) {
    CompressorOptions::declare(self, field);
    field("step", self.step, "s, step size; null or theory: 1/(2 L)", above(0).or_word("theory"));
    field("compress_down", self.compress_down,
          "true: the server sends compressed steps, with error feedback of its own, in place of the model");
    declare_largest_curvature_of_parts(self, field);
  }
};

class EfSgd final : public CompressedMethod {
 public:
  /// Throws Diagnosed for a loss with kinks, a constraint, a regularizer other than l2, and a compressor that is not
  /// contractive.
  EfSgd(const EfSgdOptions& options, MethodInput given);

 private:
  Task<> serve(Agent& me) const override;  // reports x
  Task<> train(Agent& me) const override;

  double s_ = 0;  // without numbers not known
  bool compresses_down_;
};

}  // namespace lagnet
