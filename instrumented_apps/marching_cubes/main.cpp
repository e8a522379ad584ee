// The surface of a scalar field becomes triangles, again and again, while Hone looks for the fastest way to get them.
#include "marching_cubes/application.h"
#include "run_application.h"

int main(int argc, char** argv) {
  return hone::apps::runApplication(hone::apps::marching_cubes::application(), argc, argv);
}
