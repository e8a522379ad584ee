// Random keys are sorted, again and again, while Hone looks for the fastest way to do it.
#include "merge_sort/application.h"
#include "run_application.h"

int main(int argc, char** argv) {
  return hone::apps::runApplication(hone::apps::merge_sort::application(), argc, argv);
}
