import { Agent, request } from 'undici';
import type { LlmKeyFailure } from '../../../contracts/events/own-llm-key.ts';
import { lookupOf } from '../../outbound/checked-lookup.ts';
import { OutboundRefused, type OutboundGuard } from '../../outbound/guard.ts';
import { within } from '../../platform/timeout.ts';

export interface LlmProviderOptions {
  readonly guard: OutboundGuard;
  /** Base URL, http or https; `/v1/models` is appended. */
  readonly baseUrl: string;
  /** Total timeout, in milliseconds. */
  readonly timeoutMs?: number;
}

/** The used version of the provider's API. */
const apiVersion = '2023-06-01';

/**
 * Requests a provider's list of models with a key, and returns why it was refused; null if the key was accepted. Only the
 * answer's status is read, redirects are not followed, and the key is sent only in the request's headers.
 */
export const createKeyTrial =
  ({ guard, baseUrl, timeoutMs = 10_000 }: LlmProviderOptions) =>
  async (apiKey: string): Promise<LlmKeyFailure | null> => {
    const late = new AbortController();
    try {
      const status = within(timeoutMs, modelsStatus(guard, baseUrl, apiKey, late.signal), tookTooLong);
      return failureOf(await status);
    } catch (error) {
      if (error instanceof TookTooLong) return 'timeout';
      return error instanceof OutboundRefused ? 'egress_blocked' : 'unreachable';
    } finally {
      late.abort();
    }
  };

class TookTooLong extends Error {}
const tookTooLong = () => new TookTooLong();

function failureOf(status: number): LlmKeyFailure | null {
  if (status >= 200 && status < 300) return null;
  return status === 401 || status === 403 ? 'rejected' : 'provider_error';
}

async function modelsStatus(
  guard: OutboundGuard,
  baseUrl: string,
  apiKey: string,
  signal: AbortSignal,
): Promise<number> {
  const url = guard.checkUrl(`${baseUrl}/v1/models`);
  const lookup = lookupOf(await guard.resolve(url.hostname, null));
  const dispatcher = new Agent({ connect: { lookup }, headersTimeout: 0, bodyTimeout: 0 });
  try {
    const headers = {
      'x-api-key': apiKey,
      authorization: `Bearer ${apiKey}`,
      'anthropic-version': apiVersion,
    };
    const { statusCode, body } = await request(url, { dispatcher, headers, signal });
    // The rest of the answer ends with its connection, without an error.
    body.on('error', () => undefined).destroy();
    return statusCode;
  } finally {
    await dispatcher.destroy();
  }
}
