/** How long something took at a size; both above 0. */
export interface Sized {
  readonly size: number;
  readonly time: number;
}

/**
 * The exponent `k` of `time = c * size^k` that fits best: the slope of the least-squares line through the logarithms.
 * 0 is a time that does not grow, 1 one that grows as the size does.
 */
export function logLogSlope(points: readonly Sized[]): number {
  const logs = points.map(({ size, time }) => ({ x: Math.log(size), y: Math.log(time) }));
  const mean = (of: (point: { x: number; y: number }) => number) =>
    logs.reduce((sum, point) => sum + of(point), 0) / logs.length;
  const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)];
  return mean(({ x, y }) => (x - meanX) * (y - meanY)) / mean(({ x }) => (x - meanX) ** 2);
}
