// A leapfrog step of n bodies that attract each other: the acceleration of each by all,
//
//   a_i = sum over j of m_j * (x_j - x_i) / (|x_j - x_i|^2 + softening^2)^(3/2),
//
// then v_i += kick * a_i and x_i += drift * v_i. The gravitational constant is 1. A body does not attract itself, since
// x_j - x_i is 0.
//
// Storage:  a body is (x, y, z, mass), its velocity (x, y, z, unused). Behind the n bodies come others of mass 0, as
//           far as a multiple of 32. The new positions go to another buffer, since all need the old ones.
// Launch:   local size BLOCK, global size ceil(n / (BLOCK*BODIES*VECTOR)) * BLOCK.
//
//   BLOCK     work-items of a work-group, a multiple of 32
//   UNROLL    bodies in a turn of the loop over all bodies; divides 32
//   TILE      0: all bodies are read from global memory; else the work-group copies TILE * BLOCK of them at a time to
//             local memory
//   VECTOR    bodies whose accelerations a work-item computes as one vector
//   BODIES    such vectors of a work-item: what it reads of a body serves BODIES * VECTOR of them

#define JOIN_(x, y) x##y
#define JOIN(x, y) JOIN_(x, y)
// float1, load1 and store1 complete OpenCL's families, so that one text serves every width.
#define float1 float
#define load1(p) (*(p))
#define load2(p) vload2(0, p)
#define load4(p) vload4(0, p)
#define load8(p) vload8(0, p)
#define load16(p) vload16(0, p)
#define store1(value, p) (*(p) = (value))
#define store2(value, p) vstore2(value, 0, p)
#define store4(value, p) vstore4(value, 0, p)
#define store8(value, p) vstore8(value, 0, p)
#define store16(value, p) vstore16(value, 0, p)
typedef JOIN(float, VECTOR) FloatV;

// Coordinates of a work-item's bodies.
typedef struct {
  FloatV x, y, z;
} Points;

// Neighbouring work-items have neighbouring bodies: the work-item's e-th body of its b-th vector.
#define BODY(b, e) (get_group_id(0) * (BLOCK * BODIES * VECTOR) + ((b) * VECTOR + (e)) * BLOCK + get_local_id(0))

// Those from n on are taken to be in the origin.
Points loadPoints(__global const float4* from, const uint n, const uint b) {
  float x[VECTOR], y[VECTOR], z[VECTOR];
  #pragma unroll
  for (uint e = 0; e < VECTOR; ++e) {
    const uint body = BODY(b, e);
    const float4 point = body < n ? from[body] : (float4)(0.0f);
    x[e] = point.x;
    y[e] = point.y;
    z[e] = point.z;
  }
  Points points;
  points.x = JOIN(load, VECTOR)(x);
  points.y = JOIN(load, VECTOR)(y);
  points.z = JOIN(load, VECTOR)(z);
  return points;
}

// Adds what one body does to the work-item's.
void attract(const float4 body, const float softening2, const Points* at, Points* acceleration) {
  #pragma unroll
  for (uint b = 0; b < BODIES; ++b) {
    const FloatV dx = body.x - at[b].x, dy = body.y - at[b].y, dz = body.z - at[b].z;
    const FloatV inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening2);
    const FloatV weight = body.w * inverse * inverse * inverse;
    acceleration[b].x += weight * dx;
    acceleration[b].y += weight * dy;
    acceleration[b].z += weight * dz;
  }
}

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
void leapfrog(const uint n, const float kick, const float drift, const float softening2,
              __global const float4* restrict bodies, __global float4* restrict velocities,
              __global float4* restrict moved) {
  Points at[BODIES], acceleration[BODIES];
  #pragma unroll
  for (uint b = 0; b < BODIES; ++b) {
    at[b] = loadPoints(bodies, n, b);
    acceleration[b].x = acceleration[b].y = acceleration[b].z = (FloatV)(0.0f);
  }

#if TILE
  __local float4 tile[TILE * BLOCK];
  for (uint first = 0; first < n; first += TILE * BLOCK) {
    #pragma unroll
    for (uint t = 0; t < TILE; ++t) {
      const uint slot = t * BLOCK + get_local_id(0);
      tile[slot] = first + slot < n ? bodies[first + slot] : (float4)(0.0f);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < TILE * BLOCK; j += UNROLL) {
      #pragma unroll
      for (uint u = 0; u < UNROLL; ++u) attract(tile[j + u], softening2, at, acceleration);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#else
  for (uint j = 0; j < n; j += UNROLL) {
    #pragma unroll
    for (uint u = 0; u < UNROLL; ++u) attract(bodies[j + u], softening2, at, acceleration);
  }
#endif

  #pragma unroll
  for (uint b = 0; b < BODIES; ++b) {
    float x[VECTOR], y[VECTOR], z[VECTOR];
    JOIN(store, VECTOR)(acceleration[b].x, x);
    JOIN(store, VECTOR)(acceleration[b].y, y);
    JOIN(store, VECTOR)(acceleration[b].z, z);
    #pragma unroll
    for (uint e = 0; e < VECTOR; ++e) {
      const uint body = BODY(b, e);
      if (body >= n) continue;
      float4 velocity = velocities[body];
      velocity.x += kick * x[e];
      velocity.y += kick * y[e];
      velocity.z += kick * z[e];
      velocities[body] = velocity;
      float4 position = bodies[body];
      position.x += drift * velocity.x;
      position.y += drift * velocity.y;
      position.z += drift * velocity.z;
      moved[body] = position;
    }
  }
}
