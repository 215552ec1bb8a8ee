import { request } from 'undici';
import type { Check } from '../../metrics/index.ts';

const LIMIT_MS = 1_500;

/** Ready when the process at this address says it is. */
export const peerCheck =
  (address: string): Check =>
  async () => {
    const { statusCode, body } = await request(`${address}/readyz`, {
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(text);
  };
