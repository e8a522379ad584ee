// What the C interface's two halves share: this one knows no OpenCL, opencl/c_interface.cpp adds what does.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "hone/hone.h"
#include "hone/hone_c.h"

namespace hone::detail {

/// A failure that has a status and an OpenCL code of its own.
class CodedFailure : public std::runtime_error {
 public:
  CodedFailure(hone_status status, const std::string& message, int openclCode = 0)
      : std::runtime_error(message), status_(status), openclCode_(openclCode) {}
  hone_status status() const { return status_; }
  int openclCode() const { return openclCode_; }

 private:
  hone_status status_;
  int openclCode_;
};

/// Keeps the text for hone_last_error(); returns the status.
hone_status failed(hone_status status, const char* function, const char* message, int openclCode = 0) noexcept;
/// Of the last failure on this thread.
int lastOpenclCode() noexcept;

/// Runs the body of a C function: whatever it throws becomes a status and a text.
template <class Body>
hone_status guarded(const char* function, Body body) noexcept {
  try {
    body();
    return HONE_OK;
  } catch (const CodedFailure& failure) {
    return failed(failure.status(), function, failure.what(), failure.openclCode());
  } catch (const UsageError& error) {
    return failed(HONE_ERROR_USAGE, function, error.what());
  } catch (const std::bad_alloc&) {
    return failed(HONE_ERROR_MEMORY, function, "out of memory");
  } catch (const std::length_error&) {  // a container that was asked for more than there can be
    return failed(HONE_ERROR_MEMORY, function, "out of memory");
  } catch (const std::exception& error) {
    return failed(HONE_ERROR_INTERNAL, function, error.what());
  } catch (...) {
    return failed(HONE_ERROR_INTERNAL, function, "an exception of unknown type");
  }
}

/// What the pointer points to. Throws where it is null.
template <class T>
T& notNull(T* pointer, const char* name) {
  if (!pointer) throw CodedFailure(HONE_ERROR_NULL, std::string("'") + name + "' is null");
  return *pointer;
}

/// The texts of a list. Throws where it or one of them is null.
std::vector<std::string> textsOf(const char* const* texts, std::size_t count, const char* name);

/// One measurement that a ticket stands for.
class TicketedMeasurement {
 public:
  virtual ~TicketedMeasurement() = default;
  virtual std::int64_t value(const Parameter& parameter) const = 0;
  virtual void stop() = 0;
  virtual void stop(double cost) = 0;
  virtual void stop(const Elapsed& elapsed) = 0;
};

/// What is behind a hone_tuner: a Tuner or a TunedProgram.
/// Thread safety: as theirs.
class TunedCode {
 public:
  virtual ~TunedCode() = default;

  virtual Declarations& declarations() = 0;
  virtual void declareProblem(std::vector<std::string> names) = 0;
  virtual Parameter bind(int* variable, const Range& range, std::int64_t defaultValue, const std::string& name) = 0;
  virtual Parameter bind(std::int64_t* variable, const Range& range, std::int64_t defaultValue,
                         const std::string& name) = 0;

  virtual void start(const ProblemSizes& problem) = 0;
  virtual void stop() = 0;
  virtual void stop(double cost) = 0;
  virtual void stop(const Elapsed& elapsed) = 0;
  virtual std::unique_ptr<TicketedMeasurement> measure(const ProblemSizes& problem) = 0;
  virtual Report report(const ProblemSizes& problem) const = 0;
  virtual void settle() = 0;
  virtual bool step() = 0;

  /// In order of declaration; they do not change once a measurement was started.
  std::vector<Parameter> parameters;
};

}  // namespace hone::detail

// The handles. Whatever is made from one shares what is in it, so that it may be destroyed first.

struct hone_options {
  hone::Options value;
};

struct hone_tuner {
  std::shared_ptr<hone::detail::TunedCode> code;
};

struct hone_ticket {
  std::shared_ptr<hone::detail::TunedCode> code;  // destroyed after the measurement, which stands below it
  std::unique_ptr<hone::detail::TicketedMeasurement> measurement;
};
