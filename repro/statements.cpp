// The page "Statements of the paper, checked".
#include "repro/statements.hpp"

namespace linkgistic::repro {
namespace {

Claim claim_of(const Statement& s) {
  const bool good = s.holds() && s.sees_planted();
  Claim claim{s.where + ": " + s.text, s.corrected.empty() ? "as printed" : "needs a correction",
              s.measure + ": " + scientific(s.value) + " (at most " + scientific(s.bound) + "); planted, " +
                  s.planted + ": " + scientific(s.planted_value),
              good && s.corrected.empty() ? Finding::agrees : Finding::differs, ""};
  claim.why = !s.holds()             ? "the check fails."
              : !s.sees_planted()    ? "the check does not see the planted counter-example."
              : !s.corrected.empty() ? "it holds when corrected: " + s.corrected
                                     : "it holds, and the check fails for the planted counter-example.";
  return claim;
}

}  // namespace

Result statements(const Settings& settings) {
  std::vector<Statement> all;
  const auto add = [&](const std::string& step, std::vector<Statement> some) {
    settings.at("statements: " + step);
    all.insert(all.end(), some.begin(), some.end());
  };
  add("losses", loss_statements());
  add("draws from the priors", prior_statements(settings));
  add("kernel", kernel_statements());
  add("posterior", posterior_statements(settings));
  settings.at("statements: universality");
  const Universality universal = universality(settings);
  all.insert(all.end(), universal.statements.begin(), universal.statements.end());
  PageTable table{
      "Each statement with its check: it holds where the number is at most the bound; the planted "
      "counter-example must exceed it",
      {"In the paper", "Statement", "Number", "is", "bound", "Planted counter-example", "gives",
       "Correction"},
      {}};
  Result result;
  for (const Statement& s : all) {
    table.rows.push_back(
        {s.where,
         {s.text, s.measure, Measure{s.key, s.value}, Measure{s.key + " bound", s.bound}, s.planted,
          Measure{s.key + " planted", s.planted_value}, s.corrected.empty() ? "-" : s.corrected}});
    result.claims.push_back(claim_of(s));
  }
  result.blocks.emplace_back(Paragraph{
      "Every definition, lemma and theorem, and the equations that the method rests on, checked on the "
      "library's losses, on draws from its priors and on posteriors of its fits. A check that cannot "
      "fail shows nothing: each is also given a counter-example, which it must refuse; where the paper's "
      "own print is wrong, that print is the counter-example."});
  result.blocks.emplace_back(table);
  result.blocks.emplace_back(Paragraph{
      "Universality. A source that gives a link F under the log loss is \u03BD = logit F on [-3, 3]. The "
      "nearest source of K harmonics is found by least squares in \u03BD, with f free to change its sign, "
      "on half of the period and on all of it, with and without a constant in f; the table gives the "
      "largest distance of the probabilities, and in brackets that of the slopes of \u03BD over their "
      "mean."});
  result.blocks.emplace_back(universal.picture);
  result.blocks.emplace_back(universal.table);
  return result;
}

}  // namespace linkgistic::repro
