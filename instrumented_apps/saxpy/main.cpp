// The smallest honest example: y = a * x + y as a program might have it already, and the three calls around its launch.
// The kernel is compiled once; what is tuned is the work-group size and how many elements a work-item takes.
//
//   saxpy [elements] [launches]
#define CL_HPP_ENABLE_EXCEPTIONS
#include <hone/opencl.hpp>
#include <iostream>
#include <vector>

constexpr const char* kSaxpy = R"(
  kernel void saxpy(float a, global const float* x, global float* y, uint n) {
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = a * x[i] + y[i];
  })";

int main(int argc, char** argv) try {
  const cl_uint n = argc > 1 ? static_cast<cl_uint>(std::stoul(argv[1])) : 1u << 22;
  const int launches = argc > 2 ? std::stoi(argv[2]) : 2000;

  const cl::Device device = cl::Device::getDefault();
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);
  cl::Kernel saxpy(cl::Program(context, kSaxpy, true), "saxpy");
  std::vector<float> x(n, 1.0f), y(n, 0.0f);
  const cl::Buffer xBuffer(context, x.begin(), x.end(), true), yBuffer(context, y.begin(), y.end(), false);
  saxpy.setArg(0, 0.5f), saxpy.setArg(1, xBuffer), saxpy.setArg(2, yBuffer), saxpy.setArg(3, n);

  hone::Tuner tuner("saxpy");
  std::size_t workGroup = 64, perItem = 1;
  const auto limit = static_cast<std::int64_t>(saxpy.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device));
  tuner.require(tuner.addParameter(&workGroup, hone::powersOfTwo(16, 1024), 64, "workGroup") <= limit);
  tuner.addParameter(&perItem, hone::powersOfTwo(1, 64), 1, "perItem");

  for (int i = 0; i < launches; ++i) {
    tuner.startMeasurement({{"n", n}});  // sets workGroup and perItem
    const std::size_t items = (n + perItem - 1) / perItem;
    const cl::NDRange global((items + workGroup - 1) / workGroup * workGroup), local(workGroup);
    cl::Event done;
    queue.enqueueNDRangeKernel(saxpy, cl::NullRange, global, local, nullptr, &done);
    tuner.stopMeasurement(hone::opencl::elapsed(done));
    if (i % 16 == 15) queue.finish();  // as a program would that looks at its results now and then
  }

  cl::copy(queue, yBuffer, y.begin(), y.end());
  for (float value : y) {
    if (value != 0.5f * static_cast<float>(launches)) {
      std::cerr << "wrong result: " << value << "\n";
      return 1;
    }
  }
  const hone::Report report = tuner.report({{"n", n}});
  std::cout << toString(report.phase) << " after " << report.launches << " launches\n";
  for (const auto& [name, value] : report.best) std::cout << "  " << name << " = " << value << "\n";
  const auto gigabytesPerSecond = [&](double ns) { return 12.0 * n / ns; };  // x and y are read, y is written
  if (report.bestCost && report.defaultCost)
    std::cout << gigabytesPerSecond(*report.bestCost) << " GB/s, with the default "
              << gigabytesPerSecond(*report.defaultCost) << " GB/s\n";
} catch (const std::exception& error) {
  std::cerr << "saxpy: " << error.what() << "\n";
  return 2;
}
