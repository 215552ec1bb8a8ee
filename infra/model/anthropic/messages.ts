import { nullable, Type, type Static } from '../../../contracts/schema.ts';
import { OutboundRefused, type OutboundGuard } from '../../outbound/guard.ts';
import { pauseMs, type BackOff } from '../../platform/back-off.ts';
import { systemPause } from '../../platform/clock.ts';
import { AnswerTooLong } from '../../platform/read-at-most.ts';
import { lazyValidator } from '../intents.ts';
import { ModelNotServed, ProviderKeyRefused, ProviderUnavailable, RequestNotTaken } from '../port.ts';
import { asChat } from './chat-span.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import type { AskMessages, UsageTally } from './usage.ts';

export interface MessagesOptions {
  readonly guard: OutboundGuard;
  /** Base URL, http or https; `/v1/messages` is appended. */
  readonly baseUrl: string;
  readonly backOff?: BackOff;
}

const retries = 2;
const usualBackOff: BackOff = { firstMs: 500, longestMs: 4000, jitter: 0.5 };
/** Maximum `Retry-After` of the provider that is waited for; a longer one is passed on to the client. */
const longestPauseMs = 20_000;
/** Default `Retry-After` in seconds if the provider names none. */
const usualRetryAfter = 5;
/** The signal of a call limits it; the SDK's own timeout must not fire first. */
const noTimeoutMs = 2 ** 31 - 1;

const loadSdk = () => import('./sdk.ts');
type Sdk = Awaited<ReturnType<typeof loadSdk>>;

const Tokens = Type.Integer({ minimum: 0 });
/** The used parts of an answer; others may be anything. */
const Answer = Type.Object({
  model: Type.String(),
  content: Type.Array(
    Type.Object({
      type: Type.String(),
      text: Type.Optional(Type.String()),
      id: Type.Optional(Type.String()),
      name: Type.Optional(Type.String()),
    }),
  ),
  stop_reason: nullable(Type.String()),
  usage: Type.Object({
    input_tokens: Tokens,
    output_tokens: Tokens,
    cache_creation_input_tokens: Type.Optional(nullable(Tokens)),
    cache_read_input_tokens: Type.Optional(nullable(Tokens)),
  }),
});
const isAnswer = lazyValidator<Static<typeof Answer>>(Answer);

/**
 * Calls of `POST /v1/messages`. Transient failures (429, 529, 5xx, a broken connection, an invalid answer) are retried twice
 * within the call's signal. Throws `ProviderKeyRefused` and `ProviderUnavailable`, of which `ModelNotServed` and `RequestNotTaken` are
 * kinds. Their texts contain nothing of an answer or a key.
 */
export const createMessages = (options: MessagesOptions): AskMessages =>
  asChat(createCalls(options), options.baseUrl);

function createCalls({ guard, baseUrl, backOff = usualBackOff }: MessagesOptions): AskMessages {
  const fetch = createGuardedFetch(guard);
  let client: InstanceType<Sdk['Anthropic']> | undefined;
  // Each option has an environment variable, which must not replace it.
  const clientOf = ({ Anthropic }: Sdk) =>
    (client ??= new Anthropic({
      apiKey: 'sent with each call',
      authToken: null,
      webhookKey: null,
      baseURL: baseUrl,
      maxRetries: 0,
      timeout: noTimeoutMs,
      logLevel: 'off',
      openTelemetry: false,
      fetch,
    }));
  return async ({ apiKey, signal }, given, tally) => {
    const sdk = await loadSdk();
    const { messages } = clientOf(sdk);
    const params = { ...given, messages: wellFormed(given.messages) };
    const options = { signal, headers: { authorization: `Bearer ${apiKey}` } };
    for (let tries = 0; ; tries += 1) {
      try {
        const message = await messages.create(params, options);
        if (!isAnswer()(message)) throw new NoMessage();
        tally.add(message.model, message.usage);
        return message;
      } catch (error) {
        const failure = failureOf(sdk, error, params.model);
        if (failure.keyLacks !== undefined) throw new ProviderKeyRefused(failure.reason, failure.keyLacks);
        const waitMs = Math.max(pauseMs(backOff, tries), (failure.retryAfter ?? 0) * 1000);
        if (signal.aborted || !failure.mayPass || tries === retries || waitMs > longestPauseMs)
          throw unavailable(signal, failure, tally);
        await systemPause(waitMs, signal).catch(() => {
          throw unavailable(signal, failure, tally);
        });
      }
    }
  };
}

/**
 * The same values with U+FFFD in place of half a character, as a cut in the middle of an emoji leaves it: JSON that has one is invalid to providers.
 */
const wellFormed = <T>(values: T): T =>
  JSON.parse(
    JSON.stringify(values, (_key, value: unknown) =>
      typeof value === 'string' ? value.toWellFormed() : value,
    ),
  ) as T;

/** A successful status with an invalid body. */
class NoMessage extends Error {}

interface Failure {
  readonly reason: string;
  readonly mayPass: boolean;
  readonly keyLacks?: ProviderKeyRefused['lacks'] | undefined;
  readonly isNotTaken?: boolean;
  readonly isModelMissing?: boolean;
  /** In seconds. */
  readonly retryAfter?: number;
}

/** What a key lacks, by the status of the answer. */
const keyLacks: Readonly<Record<number, ProviderKeyRefused['lacks']>> = {
  401: 'validity',
  402: 'credit',
  403: 'validity',
};

function failureOf({ APIError }: Sdk, error: unknown, model: string): Failure {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof OutboundRefused)
    return { reason: 'The address of the model provider is not allowed.', mayPass: false };
  if (cause instanceof AnswerTooLong)
    return { reason: 'The answer of the model provider is too long.', mayPass: false };
  if (error instanceof NoMessage || error instanceof SyntaxError)
    return { reason: 'The answer of the model provider is none.', mayPass: true };
  if (!(error instanceof APIError) || typeof error.status !== 'number')
    return { reason: 'The model provider cannot be reached.', mayPass: true };
  const status = error.status;
  const retryAfter = secondsOf(headerOf(error.headers, 'retry-after'));
  return {
    reason: `The model provider answered ${status}.`,
    mayPass: status === 429 || status >= 500,
    keyLacks: keyLacks[status],
    isNotTaken: [400, 413, 422].includes(status),
    // Without the model's name it may as well be a wrong base URL.
    isModelMissing: status === 404 && error.type === 'not_found_error' && error.message.includes(model),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

const headerOf = (headers: unknown, name: string): string | null =>
  headers instanceof Headers ? headers.get(name) : null;

/** `Retry-After` in seconds, given as a number or a date; undefined if it is neither. */
function secondsOf(value: string | null, now = Date.now()): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - now) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function unavailable(
  signal: AbortSignal,
  { reason, retryAfter, isNotTaken = false, isModelMissing = false }: Failure,
  tally: UsageTally,
): ProviderUnavailable {
  const text = signal.aborted ? 'The model provider did not answer in time.' : reason;
  const notTaken = isNotTaken && tally.known === null ? RequestNotTaken : ProviderUnavailable;
  const of = isModelMissing ? ModelNotServed : notTaken;
  return new of(text, Math.max(1, retryAfter ?? usualRetryAfter), tally.known);
}
