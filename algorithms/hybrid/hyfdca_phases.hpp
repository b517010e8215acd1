#pragma once

#include <vector>

#include "algorithms/hybrid/cell_schedule.hpp"
#include "algorithms/hybrid/hyfdca_state.hpp"
#include "algorithms/hybrid/local_dual_method.hpp"
#include "sim/agents/agent.hpp"

/// The protocol of HyFDCA: one function a phase for the server's half and one for the client's, under the same name.
/// Symbols and source: hyfdca.hpp. K^t are the clients of iteration t, S the samples that they choose.
///
///     phase  from, to                entries  content
///     norms  client k -> server      n_k      ||x_{k,i}||^2
///            server -> client k      n_k      ||x_i||^2, their sums
///     A      server -> newcomer k    stale    a0 of the samples of I_k that changed while k was away
///     B1     newcomer k -> server    m_k      hat_k = sum of a_i x_{k,i} over I_k
///     B2     server -> k in K^t      m_k      w0 on M_k
///     C1     k in K^t -> server      ip_k     inner products w_k'x_{k,i}
///     C2     server -> k in K^t      ip_k     p_i = x_i'w0, their sums over all holders
///     D1     k in K^t -> server      H        dual changes of the chosen samples, times gamma_t / |B_i|
///     D2     server -> k in K^t      active   a0 of S cap I_k, which replaces the client's copies
///     E1     k in K^t -> server      m_k      hat_k
///     E2     server -> k in K^t      m_k      w0 on M_k
///     F1, F2 as C1, C2               ip_k     inner products and their sums for the next iteration
///
/// With `encrypt` dual A and D carry ciphertexts, with primal B and E, with both also C, F and the norms. The server
/// adds ciphertexts where it adds numbers. Of B and E it adds all contributions anew each time; the factor
/// 1/(lambda N), which would be a client's work after decryption, is billed to the server in any case.
///
/// ip_k is n_k with sip_mode full, the size of S cap I_k with selected. Left out, unless `phases` is all:
///     norms  unless row_norms is exchanged and some sample has several holders; once, before the first iteration
///     A, B1  without newcomers; in iteration 1 if all clients take part; if every sample has one holder
///     B2     without newcomers; in iteration 1 if all take part; with send_w newcomers it goes to these alone
///     C      if every sample has one holder, who computes p_i alone; after an F that exchanged all, without newcomers
///     F      unless second_sip is set; if every sample has one holder
/// D and E always take place. E2 and F2 are sent with a receipt: an iteration is over when its last message has come.
///
/// Where answers may be missing, because clients are away, messages are lost or rounds have a deadline, each phase of
/// the server is closed by the scenario's rule, counted from its own messages, and a client whose answer is not there
/// is out for the rest of the iteration:
///     B1, E1  its last contribution hat_k stays in w0
///     C1, F1  its last inner products stay in the sums
///     D1      its dual changes are discarded, as if it had not taken part; they stay in no copy
/// In its next iteration it is a newcomer: A brings the duals of all samples chosen since the last iteration that it
/// finished, so that its copies are the server's when it changes duals again, and a0 stays in the domain of the losses.
/// B2 goes to all members of every iteration, since E2 may not have come, and an iteration is over when E2 or F2 is
/// sent. A client that a crash has set back is silent until the server counts it as one that knows nothing.
namespace lagnet::hyfdca {

/// Tags of messages.
enum Phase : MessageTag { none, norms, A, B, C, D, E, F };

/// Waits for the server's message of this phase. False: the server is already in a later iteration, whose first message
/// is `own.in`.
Task<bool> answer(Agent& me, HyfdcaClient& own, Phase phase);

Task<> exchange_norms(Agent& me, const HyfdcaServer& s);
Task<> exchange_norms(Agent& me, HyfdcaClient& own);

// Of a client, a phase that waits for the server is false if the server has gone on without it.

Task<> phase_A(Agent& me, HyfdcaServer& s, const CellIteration& now);  // A and B1
Task<bool> phase_A(Agent& me, HyfdcaClient& own, const CellIteration& now);

void phase_B(Agent& me, HyfdcaServer& s, const CellIteration& now);  // B2
Task<> phase_B(Agent& me, HyfdcaClient& own);

/// SecureInnerProduct: phases C and F.
Task<> inner_products(Agent& me, HyfdcaServer& s, const CellIteration& now, Phase phase);
Task<bool> inner_products(Agent& me, HyfdcaClient& own, const CellIteration& now, Phase phase);
/// In place of C where every sample has one holder: p_i = w'x_i of the chosen samples.
Task<> own_inner_products(Agent& me, HyfdcaClient& own, const CellIteration& now);

Task<> phase_D(Agent& me, HyfdcaServer& s, const CellIteration& now);
Task<bool> phase_D(Agent& me, HyfdcaClient& own, const CellIteration& now, const LocalDualSteps& steps);

Task<> phase_E(Agent& me, HyfdcaServer& s, const CellIteration& now);
Task<bool> phase_E(Agent& me, HyfdcaClient& own, const CellIteration& now);

}  // namespace lagnet::hyfdca
