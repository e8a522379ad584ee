// What the device can do at most, and what a launch costs.

kernel void empty() {}

// Each work-item copies one vector of 4 floats.
kernel void copy(global const float4* in, global float4* out) { out[get_global_id(0)] = in[get_global_id(0)]; }

// VECTOR and CHAINS: how many floats an operation has, and how many operations do not wait for each other. Each round
// is CHAINS * VECTOR fused multiply-adds, which count as two operations each.
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if VECTOR == 1
typedef float number;
#else
typedef JOIN(float, VECTOR) number;
#endif

kernel void multiplyAdd(global float* out, float factor, float summand, int rounds) {
  number chains[CHAINS];
  for (int c = 0; c < CHAINS; ++c) chains[c] = (number)((float)(get_global_id(0) + c));
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int c = 0; c < CHAINS; ++c) chains[c] = fma(chains[c], (number)(factor), (number)(summand));
  }
  number sum = chains[0];
  for (int c = 1; c < CHAINS; ++c) sum += chains[c];
  // All parts are used, so that none is left out.
#if VECTOR == 1
  out[get_global_id(0)] = sum;
#else
  float parts[VECTOR];
  JOIN(vstore, VECTOR)(sum, 0, parts);
  float total = 0;
  for (int v = 0; v < VECTOR; ++v) total += parts[v];
  out[get_global_id(0)] = total;
#endif
}
