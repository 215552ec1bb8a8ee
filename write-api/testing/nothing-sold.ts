import type { WriteApiOptions } from '../index.ts';

/** No processor is configured. */
export const nothingSold: WriteApiOptions['orders'] = {
  payments: undefined,
  ipnSecret: undefined,
  products: {},
  windowMs: 3_600_000,
  sweepAfterMs: 86_400_000,
};
