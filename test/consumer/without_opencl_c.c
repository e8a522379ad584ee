/* A C program that embeds hone::hone: the three calls around code with a known cost, until the best is found. */
#include <hone/hone_c.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define REQUIRE(condition)                                                  \
  if (!(condition)) {                                                       \
    printf("failed: %s (last error: %s)\n", #condition, hone_last_error()); \
    return 1;                                                               \
  }

static int is_most(const int64_t* values, void* user_data) { return values[0] <= values[1] + *(int*)user_data; }

int main(void) {
  static const int64_t positions[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  static const char* const names[] = {"limit"};
  static const char* const reads[] = {"x", "limit"};
  const int64_t limit = 7;
  int position = 0, nothing = 0, i;
  hone_options* options = NULL;
  hone_tuner* tuner = NULL;
  hone_report report;

  REQUIRE(hone_options_create(&options) == HONE_OK);
  REQUIRE(hone_options_set_thread(options, 0) == HONE_OK); /* the program's end does not depend on when threads run */
  REQUIRE(hone_options_set_strategy(options, "random") == HONE_OK);
  REQUIRE(hone_options_set_budget(options, HUGE_VAL) == HONE_OK);
  REQUIRE(hone_tuner_create("distance", options, &tuner) == HONE_OK);
  hone_options_destroy(options);
  REQUIRE(hone_tuner_bind_int(tuner, "x", positions, 9, 1, &position, NULL) == HONE_OK);
  REQUIRE(hone_tuner_problem(tuner, names, 1) == HONE_OK);
  REQUIRE(hone_tuner_require_function(tuner, "at most", reads, 2, is_most, &nothing) == HONE_OK);
  for (i = 0; i < 1000; ++i) {
    REQUIRE(hone_tuner_start(tuner, names, &limit, 1) == HONE_OK);
    REQUIRE(hone_tuner_stop_cost(tuner, 10.0 + abs(position - 5)) == HONE_OK);
    REQUIRE(hone_tuner_step(tuner, NULL) == HONE_OK);
    REQUIRE(hone_tuner_report(tuner, names, &limit, 1, &report, NULL, 0) == HONE_OK);
    if (report.is_decided) break;
  }
  REQUIRE(hone_tuner_start(tuner, names, &limit, 1) == HONE_OK); /* from now on, the best */
  printf("hone %s: %s, %d trials, x = %d\n", hone_version(), hone_phase_name(report.phase), (int)report.trials,
         position);
  REQUIRE(report.phase == HONE_PHASE_SETTLED && report.trials == 6 && position == 5);
  REQUIRE(hone_tuner_require(tuner, "x < 3") == HONE_ERROR_USAGE); /* thrown by the library, told by a code */
  hone_tuner_destroy(tuner);
  return 0;
}
