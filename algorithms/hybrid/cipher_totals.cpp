#include "algorithms/hybrid/cipher_totals.hpp"

namespace lagnet {

std::int64_t CipherTotals::note(Tally encryptions, Tally decryptions, std::int64_t additions) {
  CipherCosts alone = each_;
  alone.cores = 1;
  serial_ += alone.time(alone.encrypt, encryptions.all) + alone.time(alone.decrypt, decryptions.all) +
             alone.time(alone.add, additions);
  parallel_ += each_.time(each_.encrypt, encryptions.most) + each_.time(each_.decrypt, decryptions.most) +
               each_.time(each_.add, additions);
  totals_[0] += static_cast<double>(encryptions.all);
  totals_[1] += static_cast<double>(decryptions.all);
  totals_[2] += static_cast<double>(additions);
  totals_[3] = serial_.in_seconds();
  totals_[4] = parallel_.in_seconds();
  return additions;
}

}  // namespace lagnet
