import { request } from 'undici';
import type { Config } from '../../config/index.ts';
import type { Check } from '../../metrics/index.ts';

/** Where the other roles are: given, or on this machine at their own ports. */
export const writeUrl = ({ WRITE_URL, WRITE_PORT }: Config) => WRITE_URL ?? `http://127.0.0.1:${WRITE_PORT}`;
export const readUrl = ({ READ_URL, READ_PORT }: Config) => READ_URL ?? `http://127.0.0.1:${READ_PORT}`;

const LIMIT_MS = 1_500;

/** Ready when the process at this address says it is. With the token it says what is failing, wherever it is. */
export const peerCheck =
  (address: string, token?: string): Check =>
  async () => {
    const { statusCode, body } = await request(`${address}/readyz`, {
      signal: AbortSignal.timeout(LIMIT_MS),
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(text);
  };
