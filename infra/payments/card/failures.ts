import type { Logger } from 'pino';
import type Stripe from 'stripe';
import { refuse, type Refusal } from '../../../contracts/problems.ts';
import { within } from '../../platform/timeout.ts';

/** An error of the SDK. */
interface CallError {
  readonly type?: string;
  readonly code?: string;
  readonly statusCode?: number;
  readonly requestId?: string;
}

interface AskingOptions {
  readonly logger: Logger;
  readonly timeoutMs?: number;
}

/** `Retry-After` in seconds for a failed call. */
const retryAfterSeconds = 5;

/**
 * Runs calls with a total timeout: the SDK's own is one of silence, which a dripping answer never triggers. A failure is thrown
 * as the refusal `payments-unavailable`, and logged with its cause.
 */
export function asking(client: () => Promise<Stripe>, { logger, timeoutMs = 8000 }: AskingOptions) {
  const call = async <T>(run: (stripe: Stripe) => Promise<T>): Promise<T> => {
    const stripe = await client();
    return within(timeoutMs, run(stripe));
  };
  const refusalOf = (error: unknown): Refusal => {
    const { type, code, statusCode, requestId } = error as CallError;
    const about = { type, code, status: statusCode, request_id: requestId };
    if (isOurs(error as CallError)) {
      logger.error(about, 'The card processor refuses our requests: check its key and its prices.');
      return refuse(
        'payments-unavailable',
        'The payment processor refused the request. The operator has been notified.',
      );
    }
    logger.warn({ ...about, reason: String(error) }, 'The card processor did not answer.');
    return refuse('payments-unavailable', 'The payment processor does not answer. Try again later.', {
      retry_after_seconds: retryAfterSeconds,
    });
  };
  const ask = async <T>(run: (stripe: Stripe) => Promise<T>): Promise<T> => {
    try {
      return await call(run);
    } catch (error) {
      throw refusalOf(error);
    }
  };
  /** The same, but undefined for unknown ids. */
  const orNothing = async <T>(run: (stripe: Stripe) => Promise<T>): Promise<T | undefined> => {
    try {
      return await call(run);
    } catch (error) {
      if (isMissing(error as CallError)) return undefined;
      throw refusalOf(error);
    }
  };
  return Object.assign(ask, { orNothing });
}

const isMissing = ({ statusCode, code }: CallError): boolean =>
  statusCode === 404 || code === 'resource_missing';

/** A retry would fail too. */
const isOurs = ({ statusCode }: CallError): boolean =>
  statusCode !== undefined && statusCode >= 400 && statusCode < 500 && ![408, 409, 429].includes(statusCode);
