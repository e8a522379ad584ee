// The prefix sums of random integers, again and again, while Hone looks for the fastest way to get them.
#include "run_application.h"
#include "scan/application.h"

int main(int argc, char** argv) { return hone::apps::runApplication(hone::apps::scan::application(), argc, argv); }
