#include "sim/base/remark.hpp"

namespace lagnet {

std::vector<std::string> texts_of(const Remarks& remarks) {
  std::vector<std::string> texts;
  for (const Remark& remark : remarks) texts.push_back(remark.text);
  return texts;
}

}  // namespace lagnet
