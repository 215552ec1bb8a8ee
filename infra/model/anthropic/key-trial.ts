import { Agent, request } from 'undici';
import type { LlmKeyFailure } from '../../../contracts/events/own-llm-key.ts';
import { lookupOf } from '../../outbound/checked-lookup.ts';
import { OutboundRefused, type OutboundGuard } from '../../outbound/guard.ts';
import { within } from '../../platform/timeout.ts';

export interface LlmProviderOptions {
  readonly guard: OutboundGuard;
  /** An absolute http or https address; `/v1/models` comes after it. */
  readonly baseUrl: string;
  /** For everything together, milliseconds. */
  readonly timeoutMs?: number;
}

/** The version of the provider's interface that we speak. */
const apiVersion = '2023-06-01';

/**
 * Asks a model provider for its list of models with a key, and says why it gave none; null when it accepted the key. Nothing
 * of the answer but its status is read, a redirect is not followed, and the key goes nowhere but into the request's headers.
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
  const url = guard.checkUrl(`${baseUrl.replace(/\/+$/, '')}/v1/models`);
  const lookup = lookupOf(await guard.resolve(url.hostname, null));
  const dispatcher = new Agent({ connect: { lookup }, headersTimeout: 0, bodyTimeout: 0 });
  try {
    const headers = {
      'x-api-key': apiKey,
      authorization: `Bearer ${apiKey}`,
      'anthropic-version': apiVersion,
    };
    const { statusCode, body } = await request(url, { dispatcher, headers, signal });
    // Whatever is left of the answer ends with its connection, which is no error of ours.
    body.on('error', () => undefined).destroy();
    return statusCode;
  } finally {
    await dispatcher.destroy();
  }
}
