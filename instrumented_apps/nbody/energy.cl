// The kinetic and the potential energy of each body at the moment of its position. Its velocity is half a step older,
// so it is first advanced by `kick` times the acceleration. Pairs are computed in single precision and added up in
// Real, double where the device has it. The sum over all bodies counts each pair twice, therefore the potential's
// half.

#if HAS_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double Real;
#else
typedef float Real;
#endif

__kernel void energy(const uint n, const float kick, const float softening2, __global const float4* restrict bodies,
                     __global const float4* restrict velocities, __global float* restrict energies) {
  const uint i = get_global_id(0);
  if (i >= n) return;
  const float4 self = bodies[i];
  Real x = 0, y = 0, z = 0, potential = 0;
  for (uint j = 0; j < n; ++j) {
    const float4 other = bodies[j];
    const float dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
    const float inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening2);
    const float weight = other.w * inverse * inverse * inverse;
    x += weight * dx;
    y += weight * dy;
    z += weight * dz;
    if (j != i) potential -= other.w * inverse;
  }
  const float4 velocity = velocities[i];
  const Real vx = velocity.x + kick * x, vy = velocity.y + kick * y, vz = velocity.z + kick * z;
  energies[2 * i] = (float)(self.w * (vx * vx + vy * vy + vz * vz) / 2);
  energies[2 * i + 1] = (float)(self.w * potential / 2);
}
