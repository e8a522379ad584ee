// An image is filtered, again and again, while Hone looks for the fastest variant of conv2d.cl.
#include "conv2d/application.h"
#include "run_application.h"

int main(int argc, char** argv) { return hone::apps::runApplication(hone::apps::conv2d::application(), argc, argv); }
