const share = Number(process.env.BENCH_SCALE ?? 1);
if (!(share > 0 && share <= 1))
  throw new Error('BENCH_SCALE is a share of the full sizes, above 0 and up to 1.');

/** Scales a count of a subject of the whole system; `BENCH_SCALE=0.05` is for a shared machine. */
export const scaled = (count: number, least = 1): number => Math.max(least, Math.round(count * share));
