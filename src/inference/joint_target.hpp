// log p(D, g, theta) of the source's coordinates and the learned hyper-parameters together, with its
// gradient, in coordinates that suit a sampler.
//
// With few data the whitened coordinates (g - m)/s are best, because they are independent of theta a priori.
// With many data g itself is best. Most problems have directions of both kinds. So a chain moves x = (u,
// theta) with
//   g = H^-1 h + L^-T u,  H = L L' = diag(tau(theta)) + I,  h = tau(theta) m(theta) + j,
// tau and m the prior's precision and mean, I the curvature of minus the log likelihood at a mode (none of it
// negative) and j such that u = 0 is the mode at the hyper-parameters it was found at. Where a
// response has a scale alpha (HyperParameter::is_scale), as a Gaussian one its precision, both I and j are
// proportional to it. Given theta, u is about N(0, 1): for a Gaussian process with a Gaussian response
// exactly, and theta then has its marginal posterior.
//
// Each of several modes has such coordinates, chosen by a label i, and
//   p(g, theta, i) = p(g, theta) q_i(g) / sum_j q_j(g),   q_i a Student t with Laplace's curvature at mode i,
// whose marginal is p(g, theta) whatever q is; heavy tails keep the borders between labels soft. Paths stay
// with a label. Between them it is drawn anew given (g, theta), and jumps to others are tried that keep u:
// as far from the one mode as it was from the other (E. Pompe, C. Holmes and K. Latuszynski, A framework for
// adaptive MCMC targeting multimodal distributions, Annals of Statistics 48, 2020).
#pragma once

#include <vector>

#include "inference/problem.hpp"
#include "numeric/nuts.hpp"

namespace linkgistic {

class JointTarget final : public LogTarget {
 public:
  /// g: (D); whitened_hessian: of -log p(D, g) in whitened free coordinates, as Mode has it.
  struct Place {
    Vector g;
    Matrix whitened_hessian;
  };

  /// With symmetric weights w = g.head(symmetric) the density is the same at -w: each q_i then has a mirror
  /// image, and a point that gets the label of an image is turned over. The references must outlive the
  /// object. The modes were found at problem.theta; what the problem learns is sampled, the others are held.
  /// Where the basis moves with the source's hyper-parameters, those must be held.
  JointTarget(const Problem& problem, const DataTerm& data, const std::vector<Place>& modes, Index symmetric);

  [[nodiscard]] Index dimension() const override { return n_free_ + n_learned_; }
  [[nodiscard]] std::size_t labels() const override { return modes_.size(); }
  double value_and_gradient(const Vector& x, std::size_t label, Vector& gradient) const override {
    return evaluate(x, label, &gradient);
  }
  bool jump(TargetPoint& point, RandomStream& random) const override;

  [[nodiscard]] Index free_dimension() const { return n_free_; }
  [[nodiscard]] const std::vector<Index>& learned() const { return learned_; }
  /// All hyper-parameters at x, and the source's coordinates there.
  [[nodiscard]] Vector theta(const Vector& x) const;
  [[nodiscard]] Vector g(const Vector& x, std::size_t label) const;
  [[nodiscard]] Vector coordinates(const Vector& g, const Vector& theta, std::size_t label) const;

 private:
  struct LabelledMode {
    Vector mean;          // of q: g, free
    Matrix precision;     // of q
    double log_root_det;  // log det precision / 2
    Matrix information;   // I at theta_
    Vector pull;          // j at theta_
  };
  // The coordinates of a label at theta.
  struct Frame {
    Matrix lower;  // L
    Vector s;      // L^-1 h
    Vector tau, mean;
    double log_tau = 0;  // sum
  };
  // Temporaries of an evaluation, kept by every thread so that many small vectors need no heap.
  struct Scratch;
  static Scratch& scratch();

  [[nodiscard]] GaussianPrior prior(const Vector& theta) const;
  [[nodiscard]] double information_scale(const Vector& theta) const;
  void make_frame(const GaussianPrior& prior, const Vector& theta, std::size_t label, Frame& frame) const;
  // The coordinates of the source at x, and all that was made on the way.
  void place(const Vector& x, std::size_t label, Scratch& at) const;
  double evaluate(const Vector& x, std::size_t label, Vector* gradient) const;
  // log q of every mode, then of the images; minus their gradients in columns if requested.
  void log_bells(const Vector& g, Vector& log_q, Matrix* slopes) const;
  // d log p/d theta of the source's part, that of the movement of g included.
  void add_source_gradient(std::size_t label, Scratch& at) const;
  void draw_label(TargetPoint& point, RandomStream& random) const;

  const Problem& problem_;
  const DataTerm& data_;
  Index symmetric_;
  std::vector<Index> learned_;
  Index n_source_, n_free_, n_learned_;
  SourceModel held_;  // at problem_.theta
  bool source_learned_ = false, eta_learned_ = false;
  Index scale_ = -1;  // of the response, among theta; -1: it has none
  std::vector<Index> free_;
  std::vector<LabelledMode> modes_;
  std::vector<Frame> held_frames_;  // where no hyper-parameter is learned
};

}  // namespace linkgistic
