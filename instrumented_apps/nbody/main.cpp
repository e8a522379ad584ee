// A star cluster moves, step by step, while Hone looks for the fastest way to compute its forces.
#include "nbody/application.h"
#include "run_application.h"

int main(int argc, char** argv) { return hone::apps::runApplication(hone::apps::nbody::application(), argc, argv); }
