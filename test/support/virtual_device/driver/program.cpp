// Programs: a build finds the kernels in the source and passes its time; a binary is the source and the options behind
// a few words that tell it from other drivers' binaries.

#include <algorithm>
#include <chrono>
#include <csignal>

#include "support/virtual_device/driver/answer.h"
#include "support/virtual_device/driver/dispatch.h"
#include "support/virtual_device/driver/driver.h"
#include "support/virtual_device/driver/preprocessor.h"

namespace hone::test {

namespace {

constexpr char kBinaryMark[] = "Hone virtual binary 1\n";

}  // namespace

std::vector<unsigned char> virtualBinary(const std::string& source, const std::string& options) {
  const std::string binary = kBinaryMark + std::to_string(options.size()) + "\n" + options + source;
  return {binary.begin(), binary.end()};
}

Macros virtualMacros(const std::string& options) { return driver::integersOf(driver::macrosIn(options)); }

namespace driver {

namespace {

std::vector<unsigned char> binaryOf(const Program& program) { return virtualBinary(program.source, program.options); }

/// Gives options and source to the program; false where the bytes are no binary of this driver's.
bool readBinary(const std::string& binary, Program& program) {
  const std::string mark = kBinaryMark;
  if (binary.compare(0, mark.size(), mark) != 0) return false;
  const std::size_t lineEnd = binary.find('\n', mark.size());
  const std::string length = binary.substr(mark.size(), lineEnd - mark.size());
  const bool isNumber = !length.empty() && length.size() < 10 && length.find_first_not_of("0123456789") == length.npos;
  if (lineEnd == std::string::npos || !isNumber) return false;
  const std::size_t count = std::stoul(length);
  if (count > binary.size() - lineEnd - 1) return false;
  program.options = binary.substr(lineEnd + 1, count);
  program.source = binary.substr(lineEnd + 1 + count);
  return true;
}

// ---- making programs

cl_program CL_API_CALL createWithSource(cl_context handle, cl_uint count, const char** strings,
                                        const std::size_t* lengths, cl_int* code) {
  Call call("clCreateProgramWithSource");
  if (call.fault() != CL_SUCCESS) return give<cl_program>(code, call.fault());
  Context* context = call->find<Context>(handle);
  if (!context) return give<cl_program>(code, CL_INVALID_CONTEXT);
  if (count == 0 || !strings) return give<cl_program>(code, CL_INVALID_VALUE);
  std::string source;
  for (cl_uint i = 0; i < count; ++i) {
    if (!strings[i]) return give<cl_program>(code, CL_INVALID_VALUE);
    source += lengths && lengths[i] ? std::string(strings[i], lengths[i]) : std::string(strings[i]);
  }
  Program* program = call->make<Program>(*context);
  program->devices = context->devices;
  program->source = std::move(source);
  return give(code, CL_SUCCESS, handleOf<cl_program>(program));
}

cl_program CL_API_CALL createWithBinary(cl_context handle, cl_uint count, const cl_device_id* deviceHandles,
                                        const std::size_t* lengths, const unsigned char** binaries, cl_int* statuses,
                                        cl_int* code) {
  Call call("clCreateProgramWithBinary");
  if (call.fault() != CL_SUCCESS) return give<cl_program>(code, call.fault());
  Context* context = call->find<Context>(handle);
  if (!context) return give<cl_program>(code, CL_INVALID_CONTEXT);
  if (count == 0 || !deviceHandles || !lengths || !binaries) return give<cl_program>(code, CL_INVALID_VALUE);
  std::vector<Device*> devices;
  for (cl_uint i = 0; i < count; ++i) {
    Device* device = call->find<Device>(deviceHandles[i]);
    const auto& known = context->devices;
    if (!device || std::find(known.begin(), known.end(), device) == known.end())
      return give<cl_program>(code, CL_INVALID_DEVICE);
    if (lengths[i] == 0 || !binaries[i]) {
      if (statuses) statuses[i] = CL_INVALID_VALUE;
      return give<cl_program>(code, CL_INVALID_VALUE);
    }
    devices.push_back(device);
  }
  // All devices of the driver run the same binaries, so that the first stands for all.
  Program* program = call->make<Program>(*context);
  program->devices = std::move(devices);
  program->isFromBinary = true;
  bool isValid = readBinary(std::string(reinterpret_cast<const char*>(binaries[0]), lengths[0]), *program);
  if (isValid && call->faults.binaries.ask(virtualMacros(program->options))) isValid = false;
  for (cl_uint i = 0; i < count && statuses; ++i) statuses[i] = isValid ? CL_SUCCESS : CL_INVALID_BINARY;
  if (isValid) return give(code, CL_SUCCESS, handleOf<cl_program>(program));
  call->release(program);
  return give<cl_program>(code, CL_INVALID_BINARY);
}

cl_int CL_API_CALL retainProgram(cl_program handle) {
  Call call("clRetainProgram");
  Program* program = call->find<Program>(handle);
  if (!program) return CL_INVALID_PROGRAM;
  call->retain(program);
  return CL_SUCCESS;
}

cl_int CL_API_CALL releaseProgram(cl_program handle) {
  Call call("clReleaseProgram");
  Program* program = call->find<Program>(handle);
  if (!program) return CL_INVALID_PROGRAM;
  call->release(program);
  return CL_SUCCESS;
}

// ---- building

void passBuildTime(Call& call, const Program& program, const Macros& macros) {
  const BuildTimeOf& script = program.devices[0]->buildTime;
  const BuildTime time = script ? script(macros) : BuildTime{};
  const std::int64_t ns = time.duration.count();
  const std::uint64_t releases = call->faults.buildReleases;
  const auto isReleased = [&] { return call->faults.buildReleases != releases; };
  switch (time.clock) {
    case BuildTime::Clock::virtualTime: call->advanceBy(ns); break;
    case BuildTime::Clock::besides: {
      const std::int64_t until = call->now() + ns;
      call->changed.wait(call.lock(), [&] { return call->now() >= until || isReleased(); });
      break;
    }
    case BuildTime::Clock::realTime:
      if (time.locksDriver) {
        std::this_thread::sleep_for(time.duration);
      } else {
        call->changed.wait_for(call.lock(), time.duration, isReleased);
      }
      break;
  }
}

/// Empty, or the log of a build that fails on script.
std::string sufferFault(Call& call, const Macros& macros) {
  const auto fault = call->faults.builds.ask(macros);
  if (!fault) return "";
  switch (fault->kind) {
    case BuildFaultKind::fail: return "error: the build fails on script";
    case BuildFaultKind::crash: std::raise(fault->signal); break;
    case BuildFaultKind::hang: {
      const std::uint64_t releases = call->faults.buildReleases;
      ++call->faults.hangingBuilds;
      call->changed.notify_all();
      call->changed.wait(call.lock(), [&] { return call->faults.buildReleases != releases; });
      --call->faults.hangingBuilds;
      break;
    }
  }
  return "";
}

cl_int failBuild(Program& program, std::string log) {
  program.status = CL_BUILD_ERROR;
  program.log = std::move(log);
  program.kernels.reset();
  return CL_BUILD_PROGRAM_FAILURE;
}

cl_int build(Call& call, Program& program, const char* options) {
  program.status = CL_BUILD_IN_PROGRESS;
  program.log.clear();
  // What a binary was built with stays; a load's own options add nothing to it.
  if (!program.isFromBinary) program.options = options ? options : "";
  const MacroTexts texts = macrosIn(program.options);
  program.macros = integersOf(texts);
  if (!program.isFromBinary) {
    passBuildTime(call, program, program.macros);
    if (std::string log = sufferFault(call, program.macros); !log.empty()) return failBuild(program, std::move(log));
  }
  const Preprocessed text = preprocess(program.source, texts);
  if (!text.error.empty()) return failBuild(program, text.error);
  ScannedProgram scanned = scanKernels(text.text);
  if (!scanned.error.empty()) return failBuild(program, scanned.error);
  program.kernels = std::make_shared<const std::vector<KernelSignature>>(std::move(scanned.kernels));
  program.status = CL_BUILD_SUCCESS;
  return CL_SUCCESS;
}

cl_int CL_API_CALL buildProgram(cl_program handle, cl_uint deviceCount, const cl_device_id* deviceHandles,
                                const char* options, void(CL_CALLBACK* notify)(cl_program, void*), void* data) {
  Call call("clBuildProgram");
  call.countBuild();
  if (call.fault() != CL_SUCCESS) return call.fault();
  Program* program = call->find<Program>(handle);
  if (!program) return CL_INVALID_PROGRAM;
  if ((deviceCount > 0) != (deviceHandles != nullptr) || (!notify && data)) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < deviceCount; ++i) {
    const auto& known = program->devices;
    Device* device = call->find<Device>(deviceHandles[i]);
    if (!device || std::find(known.begin(), known.end(), device) == known.end()) return CL_INVALID_DEVICE;
  }
  if (program->status == CL_BUILD_IN_PROGRESS || program->kernelObjects > 0) return CL_INVALID_OPERATION;
  const Hold<Program> held(program);
  const cl_int status = build(call, *program, options);
  if (notify) {
    call.lock().unlock();
    notify(handle, data);
    call.lock().lock();
  }
  return notify ? CL_SUCCESS : status;
}

// ---- asking

std::string kernelNames(const Program& program) {
  std::string names;
  for (const KernelSignature& kernel : *program.kernels) names += (names.empty() ? "" : ";") + kernel.name;
  return names;
}

cl_int giveBinaries(const Program& program, const Answer& answer) {
  const std::size_t bytes = program.devices.size() * sizeof(unsigned char*);
  if (answer.value) {
    if (answer.size < bytes) return CL_INVALID_VALUE;
    const std::vector<unsigned char> binary =
        program.status == CL_BUILD_SUCCESS ? binaryOf(program) : std::vector<unsigned char>();
    auto* const* targets = static_cast<unsigned char* const*>(answer.value);
    for (std::size_t i = 0; i < program.devices.size(); ++i) {
      if (targets[i]) std::copy(binary.begin(), binary.end(), targets[i]);
    }
  }
  if (answer.sizeNeeded) *answer.sizeNeeded = bytes;
  return CL_SUCCESS;
}

cl_int CL_API_CALL getProgramInfo(cl_program handle, cl_program_info what, std::size_t size, void* value,
                                  std::size_t* sizeNeeded) {
  Call call("clGetProgramInfo");
  if (call.fault() != CL_SUCCESS) return call.fault();
  const Program* program = call->find<Program>(handle);
  if (!program) return CL_INVALID_PROGRAM;
  const Answer answer{size, value, sizeNeeded};
  const bool isBuilt = program->status == CL_BUILD_SUCCESS;
  switch (what) {
    case CL_PROGRAM_REFERENCE_COUNT: return answer.of(cl_uint{program->references});
    case CL_PROGRAM_CONTEXT: return answer.of(handleOf<cl_context>(program->context.get()));
    case CL_PROGRAM_NUM_DEVICES: return answer.of(static_cast<cl_uint>(program->devices.size()));
    case CL_PROGRAM_DEVICES: return answer.list(program->devices);
    case CL_PROGRAM_SOURCE: return answer.text(program->isFromBinary ? "" : program->source);
    case CL_PROGRAM_BINARY_SIZES:
      return answer.list(
          std::vector<std::size_t>(program->devices.size(), isBuilt ? binaryOf(*program).size() : std::size_t{0}));
    case CL_PROGRAM_BINARIES: return giveBinaries(*program, answer);
    case CL_PROGRAM_NUM_KERNELS: return isBuilt ? answer.of(program->kernels->size()) : CL_INVALID_PROGRAM_EXECUTABLE;
    case CL_PROGRAM_KERNEL_NAMES: return isBuilt ? answer.text(kernelNames(*program)) : CL_INVALID_PROGRAM_EXECUTABLE;
    default: return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL getBuildInfo(cl_program handle, cl_device_id deviceHandle, cl_program_build_info what,
                                std::size_t size, void* value, std::size_t* sizeNeeded) {
  Call call("clGetProgramBuildInfo");
  if (call.fault() != CL_SUCCESS) return call.fault();
  const Program* program = call->find<Program>(handle);
  if (!program) return CL_INVALID_PROGRAM;
  Device* device = call->find<Device>(deviceHandle);
  const auto& known = program->devices;
  if (!device || std::find(known.begin(), known.end(), device) == known.end()) return CL_INVALID_DEVICE;
  const Answer answer{size, value, sizeNeeded};
  switch (what) {
    case CL_PROGRAM_BUILD_STATUS: return answer.of(program->status);
    case CL_PROGRAM_BUILD_OPTIONS: return answer.text(program->options);
    case CL_PROGRAM_BUILD_LOG: return answer.text(program->log);
    case CL_PROGRAM_BINARY_TYPE:
      return answer.of(static_cast<cl_program_binary_type>(
          program->status == CL_BUILD_SUCCESS ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE : CL_PROGRAM_BINARY_TYPE_NONE));
    case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE: return answer.of(std::size_t{0});
    default: return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL unloadCompiler() { return CL_SUCCESS; }
cl_int CL_API_CALL unloadPlatformCompiler(cl_platform_id) { return CL_SUCCESS; }

}  // namespace

void addProgramCalls(cl_icd_dispatch& table) {
  table.clCreateProgramWithSource = createWithSource;
  table.clCreateProgramWithBinary = createWithBinary;
  table.clRetainProgram = retainProgram;
  table.clReleaseProgram = releaseProgram;
  table.clBuildProgram = buildProgram;
  table.clGetProgramInfo = getProgramInfo;
  table.clGetProgramBuildInfo = getBuildInfo;
  table.clUnloadCompiler = unloadCompiler;
  table.clUnloadPlatformCompiler = unloadPlatformCompiler;
}

}  // namespace driver
}  // namespace hone::test
