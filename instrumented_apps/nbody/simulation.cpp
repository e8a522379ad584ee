#include "nbody/simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "energy_source.h"
#include "enqueue.h"
#include "nbody_source.h"

namespace hone::apps::nbody {

namespace {

// Bodies without mass behind the others: nbody.cl reads as far as a multiple of 32; the rest is a guard.
constexpr std::size_t kReadBeyond = 32, kPadding = 1024;

constexpr auto kSoftening2 = static_cast<cl_float>(kSoftening * kSoftening);

std::size_t bytesOf(std::size_t bodies) { return bodies * sizeof(Vector4); }

cl::Buffer makeBodies(const OpenedDevice& on, const std::vector<Vector4>& vectors) {
  const std::size_t count = vectors.size() + kPadding;
  const cl::Buffer buffer(on.context, CL_MEM_READ_WRITE, bytesOf(count));
  on.queue.enqueueFillBuffer(buffer, cl_float{0}, 0, bytesOf(count));
  on.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, bytesOf(vectors.size()), vectors.data());
  return buffer;
}

cl::Kernel energyKernel(const OpenedDevice& on) {
  const bool hasFp64 = opencl::deviceFacts(on.device).hasFp64;
  const cl::Program program(on.context, kEnergySource);
  program.build(on.device, hasFp64 ? "-DHAS_FP64=1" : "-DHAS_FP64=0");
  return cl::Kernel(program, "energy");
}

}  // namespace

const char* kernelSource() { return kNbodySource; }

double drift(const Energy& then, const Energy& now) {
  const double scale = then.kinetic + std::abs(then.potential);
  return scale > 0 ? std::abs(now.total() - then.total()) / scale : 0;  // a single body rests
}

void requireMemory(const cl::Device& device, std::size_t n, bool isChecked) {
  const auto vectors = static_cast<double>(bytesOf(n)), padded = vectors + static_cast<double>(bytesOf(kPadding));
  const double energies = sizeof(cl_float2) * static_cast<double>(n);
  // The host holds what the simulation begins with, the energies and, with --check, a step's bodies before and after.
  apps::requireMemory(device, {padded, padded, padded, energies}, vectors * (isChecked ? 6 : 2) + energies);
}

Simulation::Simulation(const OpenedDevice& on, const Bodies& bodies)
    : queue_(on.queue),
      n_(bodies.positions.size()),
      bodies_(makeBodies(on, bodies.positions)),
      next_(makeBodies(on, bodies.positions)),
      velocities_(makeBodies(on, bodies.velocities)),
      energies_(on.context, CL_MEM_READ_WRITE, n_ * sizeof(cl_float2)),
      energy_(energyKernel(on)) {
  static_assert(kReadBeyond <= kPadding);
}

void Simulation::begin(opencl::TunedKernel& kernel) { launch(kernel, -kStep / 2, 0); }

cl::Event Simulation::step(opencl::TunedKernel& kernel) { return launch(kernel, kStep, kStep); }

cl::Event Simulation::launch(opencl::TunedKernel& kernel, double kick, double drift) {
  const auto n = static_cast<cl_uint>(n_);
  cl::Event done = kernel(queue_, {n}, n, static_cast<cl_float>(kick), static_cast<cl_float>(drift), kSoftening2,
                          bodies_, velocities_, next_);
  std::swap(bodies_, next_);
  return done;
}

Energy Simulation::energy() {
  constexpr std::size_t kBlock = 64;
  const auto n = static_cast<cl_uint>(n_);
  enqueueGroups(queue_, energy_, ceilDivide(n_, kBlock), kBlock, n, static_cast<cl_float>(kStep / 2), kSoftening2,
                bodies_, velocities_, energies_);
  std::vector<std::array<float, 2>> energies(n_);
  queue_.enqueueReadBuffer(energies_, CL_TRUE, 0, n_ * sizeof(cl_float2), energies.data());
  Energy sum;
  for (const auto& [kinetic, potential] : energies) {
    sum.kinetic += kinetic;
    sum.potential += potential;
  }
  return sum;
}

std::vector<Vector4> Simulation::read(const cl::Buffer& buffer, std::size_t first, std::size_t count) const {
  std::vector<Vector4> vectors(count);
  queue_.enqueueReadBuffer(buffer, CL_TRUE, bytesOf(first), bytesOf(count), vectors.data());
  return vectors;
}

Bodies Simulation::state() const { return {read(bodies_, 0, n_), read(velocities_, 0, n_)}; }

void Simulation::clearNext() const {
  // Written, not filled: Oclgrind 21.10 takes what was filled for uninitialised even after a kernel has written it.
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Vector4> unmoved(n_, {kNan, kNan, kNan, kNan});
  queue_.enqueueWriteBuffer(next_, CL_TRUE, 0, bytesOf(n_), unmoved.data());
}

bool Simulation::isGuardUntouched() const {
  const std::vector<Vector4> padding = read(bodies_, n_, kPadding);
  return std::all_of(padding.begin(), padding.end(), [](const Vector4& vector) { return vector == Vector4{}; });
}

}  // namespace hone::apps::nbody
