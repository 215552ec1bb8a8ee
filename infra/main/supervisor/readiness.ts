import { setTimeout as delay } from 'node:timers/promises';
import type { InternalTls } from '../../internal-tls/index.ts';
import { messageOf } from '../../platform/error-message.ts';
import { request } from '../../platform/request.ts';

export interface WaitOptions {
  readonly signal: AbortSignal;
  /** Makes each report its failing checks, even from other machines. */
  readonly token?: string | undefined;
  readonly tls?: InternalTls | undefined;
  /** Milliseconds after which `onLate` is called with the missing ones, and again when these change. */
  readonly patienceMs: number;
  readonly onLate: (missing: readonly string[]) => void;
}

const POLL_MS = 100;
const ASK_LIMIT_MS = 5_000;

/** Resolves once every URL answers `/readyz` with 200. */
export async function allReady(
  addresses: Readonly<Record<string, string>>,
  options: WaitOptions,
): Promise<void> {
  const late = performance.now() + options.patienceMs;
  let reported = '';
  for (;;) {
    options.signal.throwIfAborted();
    const missing = await notReady(addresses, options);
    if (missing.length === 0) return;
    if (performance.now() > late && missing.join() !== reported) {
      reported = missing.join();
      options.onLate(missing);
    }
    await delay(POLL_MS);
  }
}

async function notReady(
  addresses: Readonly<Record<string, string>>,
  asked: Pick<WaitOptions, 'token' | 'tls'>,
): Promise<string[]> {
  const answers = await Promise.all(
    Object.entries(addresses).map(async ([name, address]) => {
      const complaint = await complaintOf(address, asked);
      return complaint === null ? null : `${name}: ${complaint}`;
    }),
  );
  return answers.filter((answer) => answer !== null);
}

/** Null if ready, else the process's failing checks. */
export async function complaintOf(
  address: string,
  { token, tls }: Pick<WaitOptions, 'token' | 'tls'>,
): Promise<string | null> {
  try {
    const { statusCode, body } = await request(`${address}/readyz`, {
      signal: AbortSignal.timeout(ASK_LIMIT_MS),
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...(tls && { dispatcher: tls.agent }),
    });
    const { failing } = (await body.json()) as { failing?: Record<string, string> };
    if (statusCode === 200) return null;
    return Object.entries(failing ?? {})
      .map(([part, complaint]) => `${part} (${complaint})`)
      .join(', ');
  } catch (error) {
    return messageOf(error);
  }
}
