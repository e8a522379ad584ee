/* The header in C99, and a search through it: the minimum of a function with one minimum over a grid of 9 x 9. */
#include <hone/hone_c.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int hone_test_tune_in_c(void);

static int is_below_limit(const int64_t* values, void* user_data) { return values[0] + values[1] <= *(int*)user_data; }

static void count_line(const char* source, const char* message, void* user_data) {
  if (strcmp(source, "grid") == 0 && message[0] != '\0') ++*(int*)user_data;
}

#define REQUIRE(condition) \
  if (!(condition)) return __LINE__

int hone_test_tune_in_c(void) {
  static const int64_t values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  static const char* const names[] = {"n"};
  static const char* const reads[] = {"x", "y"};
  const int64_t n = 100;
  int limit = 12, lines = 0, x = 0, i;
  int64_t y = 0, best[2];
  size_t x_index, y_index;
  hone_options* options = NULL;
  hone_tuner* tuner = NULL;
  hone_report report;

  REQUIRE(hone_options_create(&options) == HONE_OK);
  REQUIRE(hone_options_set_strategy(options, "exhaustive") == HONE_OK);
  REQUIRE(hone_options_set_thread(options, 0) == HONE_OK);
  REQUIRE(hone_options_set_budget(options, HUGE_VAL) == HONE_OK);
  REQUIRE(hone_options_set_diagnostics(options, count_line, &lines) == HONE_OK);
  REQUIRE(hone_tuner_create("grid", options, &tuner) == HONE_OK);
  hone_options_destroy(options);
  REQUIRE(hone_tuner_bind_int(tuner, "x", values, 9, 1, &x, &x_index) == HONE_OK);
  REQUIRE(hone_tuner_bind_int64(tuner, "y", values, 9, 1, &y, &y_index) == HONE_OK);
  REQUIRE(hone_tuner_require_function(tuner, "below the limit", reads, 2, is_below_limit, &limit) == HONE_OK);
  REQUIRE(hone_tuner_start(tuner, names, &n, 1) == HONE_OK); /* and again: the open one is discarded and reported */
  for (i = 0; i < 5000; ++i) {
    REQUIRE(hone_tuner_start(tuner, names, &n, 1) == HONE_OK);
    REQUIRE(x + y <= 12);
    REQUIRE(hone_tuner_stop_cost(tuner, 10.0 + abs(x - 8) + 2.0 * abs((int)y - 6)) == HONE_OK);
    REQUIRE(hone_tuner_step(tuner, NULL) == HONE_OK);
    REQUIRE(hone_tuner_report(tuner, names, &n, 1, &report, best, 2) == HONE_OK);
    if (report.is_decided) break;
  }
  REQUIRE(lines == 1);
  REQUIRE(strcmp(hone_phase_name(report.phase), "settled") == 0);
  REQUIRE(report.best_cost == 12.0); /* x = 6, y = 6 is the nearest that x + y <= 12 allows */
  REQUIRE(best[x_index] == 6 && best[y_index] == 6);

  REQUIRE(hone_tuner_stop(tuner) == HONE_ERROR_USAGE);
  REQUIRE(strncmp(hone_last_error(), "hone_tuner_stop: ", 17) == 0);
  hone_tuner_destroy(tuner);
  return 0;
}
