/** A time at a size; both above 0. */
export interface Sized {
  readonly size: number;
  readonly time: number;
}

/**
 * The exponent `k` of the best fit `time = c * size^k`: the slope of the least-squares line through the logarithms. 0
 * means constant time, 1 proportional growth.
 */
export function logLogSlope(points: readonly Sized[]): number {
  const logs = points.map(({ size, time }) => ({ x: Math.log(size), y: Math.log(time) }));
  const mean = (of: (point: { x: number; y: number }) => number) =>
    logs.reduce((sum, point) => sum + of(point), 0) / logs.length;
  const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)];
  return mean(({ x, y }) => (x - meanX) * (y - meanY)) / mean(({ x }) => (x - meanX) ** 2);
}
