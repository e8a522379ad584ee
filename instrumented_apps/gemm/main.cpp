// C = A * B in single precision, again and again, while Hone looks for the fastest variant of gemm.cl.
#include "gemm/application.h"
#include "run_application.h"

int main(int argc, char** argv) { return hone::apps::runApplication(hone::apps::gemm::application(), argc, argv); }
