import type { Failure } from '../../../domain/agent-session/commands.ts';
import { refuse } from '../../../contracts/problems.ts';
import { after, isBefore } from '../../../domain/kit/time.ts';
import type { Position } from '../../../infra/event-store/client/types.ts';
import {
  ModelNotServed,
  ProviderKeyRefused,
  ProviderUnavailable,
  type ModelUsage,
} from '../../../infra/model/port.ts';
import { now } from '../../engine/context.ts';
import { credentialOf, giveBack, type Credential } from './credential.ts';
import type { RunningTurn } from './running-turn.ts';
import { firstSignal } from '../../../infra/platform/first-signal.ts';

/** The outcome of a call of a model. */
export type Asked<T> =
  | { readonly outcome: 'answered'; readonly answer: T }
  /** The provider does not serve the key: it is not valid, has no credit, or may not use the model. */
  | { readonly outcome: 'key_refused'; readonly lacks: ProviderKeyRefused['lacks'] | 'model' }
  /** `usage`: tokens that were used nevertheless. */
  | {
      readonly outcome: 'unavailable';
      readonly retryAfterSeconds: number;
      readonly usage: ModelUsage | null;
    };

/** Tokens that the call has used, whatever its outcome; null if unknown. */
export const usageIn = (asked: Asked<{ readonly usage: ModelUsage }>): ModelUsage | null => {
  if (asked.outcome === 'answered') return asked.answer.usage;
  return asked.outcome === 'unavailable' ? asked.usage : null;
};

/** Created once: an abort without a reason would create an error with a stack each time. */
const turnGoesOn = new Error('The call of the model is over.');

/**
 * Runs `work`, which may call a model with the turn's credential. However it ends, the counted use of the bundled
 * model is refunded unless the provider has reported use.
 */
export async function withModel(
  turn: RunningTurn,
  work: (calls: ModelCalls) => Promise<void>,
): Promise<void> {
  const calls = new ModelCalls(turn, await credentialOf(turn));
  try {
    await work(calls);
  } finally {
    if (!calls.isUsed) await giveBack(turn, calls.credential);
  }
}

interface Deadline {
  /** ISO 8601. */
  readonly at: string;
  /** Aborted then. */
  readonly signal: AbortSignal;
}

/** The model calls of one turn, with a shared deadline that counts from the first one. */
export class ModelCalls {
  readonly credential: Credential;
  readonly #turn: RunningTurn;
  #deadline: Deadline | null = null;
  #isUsed = false;

  constructor(turn: RunningTurn, credential: Credential) {
    this.#turn = turn;
    this.credential = credential;
  }

  /** ISO 8601; null before the first call. */
  get deadline(): string | null {
    return this.#deadline?.at ?? null;
  }

  get isOverdue(): boolean {
    if (this.#deadline === null) return false;
    const { at, signal } = this.#deadline;
    return signal.aborted || !isBefore(now(this.#turn.ports), at);
  }

  /** Whether the provider has reported any use. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /**
   * Makes one call. A moment after a change of control, the call is aborted, and the turn ends: here, or with the step in which
   * the caller records what the call has used. Rethrows errors that come neither from the provider nor from the deadline.
   */
  async ask<T extends { readonly usage: ModelUsage }>(
    name: string,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<Asked<T>> {
    const deadline = (this.#deadline ??= this.#deadlineFromNow()).signal;
    const over = new AbortController();
    const lost = new AbortController();
    const watching = this.#watchControl(over.signal, lost);
    try {
      const signal = firstSignal(deadline, lost.signal);
      const answer = await Promise.race([call(signal), abortionOf(signal)]);
      this.#count(answer.usage);
      return { outcome: 'answered', answer };
    } catch (error) {
      const usage = error instanceof ProviderUnavailable ? error.usage : null;
      this.#count(usage);
      if (lost.signal.aborted && usage === null) await this.#turn.proceed(name);
      if (error instanceof ProviderKeyRefused) return { outcome: 'key_refused', lacks: error.lacks };
      // Which models the service's own key may use is the operator's business.
      if (error instanceof ModelNotServed && this.credential.kind === 'own_key')
        return { outcome: 'key_refused', lacks: 'model' };
      if (error instanceof ProviderUnavailable)
        return { outcome: 'unavailable', retryAfterSeconds: error.retryAfterSeconds, usage };
      if (deadline.aborted) return { outcome: 'unavailable', retryAfterSeconds: 1, usage: null };
      throw error;
    } finally {
      over.abort(turnGoesOn);
      await watching;
    }
  }

  #deadlineFromNow(): Deadline {
    const { turnDeadlineMs } = this.#turn.ports.settings;
    return {
      at: after(now(this.#turn.ports), turnDeadlineMs),
      signal: AbortSignal.timeout(turnDeadlineMs),
    };
  }

  #count(usage: ModelUsage | null): void {
    this.#isUsed ||= usage !== null && usage.inputTokens !== null;
  }

  async #watchControl(over: AbortSignal, lost: AbortController): Promise<void> {
    const { pause, settings, logger } = this.#turn.ports;
    const isInControl = async (): Promise<boolean> => {
      for (;;) {
        try {
          return await this.#turn.isInControl();
        } catch (error) {
          logger.debug({ err: error }, 'A turn could not read whether control has changed; retrying.');
          await pause(settings.controlCheckMs, over);
        }
      }
    };
    try {
      let since = await this.#changedAfter(this.#turn.position, over);
      while (await isInControl()) since = await this.#changedAfter(since, over);
      await pause(settings.lastWordsMs, over);
      lost.abort();
    } catch {
      // The call ended before that.
    }
  }

  /** Resolves with the position of the next event of the agent session. Rejects when the signal ends the wait. */
  async #changedAfter(position: Position | undefined, over: AbortSignal): Promise<Position | undefined> {
    const { ports, order } = this.#turn;
    const since = position ?? (await ports.store.head());
    return since && ports.controlWatch.changed(order.found.id, since, over);
  }
}

/** Milliseconds in which an aborted call ends by itself: only its own error has the tokens of its earlier tries. */
const endsWithinMs = 250;

/** Rejects some time after the signal is aborted, for calls that ignore it. */
const abortionOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const giveUp = () => reject(new Error('The call of the model was given up.'));
    const abort = () => {
      setTimeout(giveUp, endsWithinMs);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });

/** Fails the turn for an unavailable model. */
export async function failWithout(
  turn: RunningTurn,
  credential: Credential,
  asked: Exclude<Asked<unknown>, { outcome: 'answered' }>,
): Promise<never> {
  if (asked.outcome === 'key_refused') {
    const whose = credential.kind === 'bundled' ? 'the service’s own key' : 'the key';
    const refuses = keyRefused[asked.lacks];
    if (credential.kind === 'bundled') turn.ports.logger.error(`The model provider ${refuses} LLM_API_KEY.`);
    const detail = `The model provider ${refuses} ${whose}.`;
    return turn.fail(refuse('byok-llm-required', detail, { reason: 'rejected' }));
  }
  const { retryAfterSeconds } = asked;
  const detail = 'The model provider did not answer in time, or cannot answer now. Nothing was done.';
  const refusal = refuse('model-unavailable', detail, { retry_after_seconds: retryAfterSeconds });
  return turn.fail(refusal, modelUnavailable);
}

const keyRefused = {
  validity: 'does not accept',
  credit: 'has no credit left for',
  model: 'does not offer the model to',
} as const;

export const modelUnavailable: Failure = {
  code: 'model_unavailable',
  severity: 'error',
  summary: 'The model provider could not be asked.',
  detail: null,
  customerActionable: false,
  retryable: true,
};
