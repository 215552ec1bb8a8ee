import { Call, type Answer } from './call.ts';
import { answerOf, type Connection } from './connection.ts';
import { AbortError } from './errors.ts';
import type { IntentResult, MessageAnswer, ShownIntent } from './generated/types.ts';
import type { Limit } from './limit.ts';
import type { Operation } from './operation.ts';
import type { HttpResponse } from './options.ts';
import type { Sent } from './request.ts';
import { broken, errorOf, refused, verdictOf, waitBefore, type Failure } from './retry.ts';
import { randomUuid } from './uuid.ts';

/** A step of a turn: progress, then each intent with its result, then the answer. */
export type TurnStep =
  | { readonly kind: 'working'; readonly at: string }
  | {
      readonly kind: 'intent';
      readonly index: number;
      readonly intent: ShownIntent;
      readonly result: IntentResult;
    }
  | { readonly kind: 'answer'; readonly answer: MessageAnswer };

/** Default timeout of a turn, in milliseconds. */
const usualMs = 15 * 60_000;

/**
 * A message's turn: await it for its answer, `withResponse()` for the headers as well, or iterate over its steps.
 * Leaving the loop early stops waiting (`AbortError` for awaiters), not the turn.
 *
 * It is requested as a stream, so that no proxy cuts it for silence. A broken stream is requested again with the same
 * idempotency key, so nothing is done twice.
 */
export class Turn implements Promise<MessageAnswer>, AsyncIterable<TurnStep> {
  readonly [Symbol.toStringTag] = 'Turn';
  readonly #call: Call<MessageAnswer>;
  readonly #steps: TurnStep[] = [];
  readonly #limit: Limit;
  #changed: () => void = () => undefined;
  #change = this.#nextChange();
  #isOver = false;

  constructor(connection: Connection, operation: Operation, sent: Sent) {
    this.#limit = connection.limitOf(operation, sent, usualMs);
    const keyed = { ...sent, idempotencyKey: sent.idempotencyKey ?? randomUuid() };
    const answer = this.#ask(connection, operation, keyed).finally(() => {
      this.#limit.end();
      this.#isOver = true;
      this.#push();
    });
    this.#call = new Call(answer);
  }

  then<R = MessageAnswer, E = never>(
    fulfilled?: ((answer: MessageAnswer) => R | PromiseLike<R>) | null,
    rejected?: ((error: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    return this.#call.then(fulfilled, rejected);
  }

  catch<E = never>(rejected?: ((error: unknown) => E | PromiseLike<E>) | null): Promise<MessageAnswer | E> {
    return this.#call.catch(rejected);
  }

  finally(ended?: (() => void) | null): Promise<MessageAnswer> {
    return this.#call.finally(ended);
  }

  withResponse(): Promise<Answer<MessageAnswer>> {
    return this.#call.withResponse();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TurnStep, void, undefined> {
    // For a caller that only iterates, the loop throws the failure.
    this.#call.catch(() => undefined);
    try {
      for (let next = 0; ; next += 1) {
        while (next >= this.#steps.length && !this.#isOver) await this.#change;
        const step = this.#steps[next];
        if (step === undefined) break;
        yield step;
      }
      await this.#call;
    } finally {
      if (!this.#isOver) this.#limit.stop(new AbortError('The loop over the steps was left.'));
    }
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => (this.#changed = resolve));
  }

  #push(...steps: readonly TurnStep[]): void {
    this.#steps.push(...steps);
    const wake = this.#changed;
    this.#change = this.#nextChange();
    wake();
  }

  async #ask(connection: Connection, operation: Operation, sent: Sent): Promise<Answer<MessageAnswer>> {
    for (let breaks = 1; ;) {
      const response = await connection.attempt(operation, sent, this.#limit, (each) => each);
      const outcome = await this.#read(connection, operation, response);
      if ('answer' in outcome) return answerOf(response, this.#finish(outcome.answer));
      this.#limit.throwIfAborted();
      this.#limit.inDoubt = outcome.mayHaveHappened ?? this.#limit.inDoubt;
      const { error, passing } = outcome;
      const isInFlight = error.is('conflict');
      const isLast = !passing || breaks > mostBreaks;
      if (isLast || !(await this.#limit.wait(waitBefore(breaks, outcome))))
        throw verdictOf(outcome, operation, sent.idempotencyKey, this.#limit.inDoubt);
      // While the first request is running, breaks are not counted.
      if (!isInFlight) breaks += 1;
    }
  }

  #finish(answer: MessageAnswer): MessageAnswer {
    if (answer.kind === 'plan-executed')
      for (const [index, result] of answer.results.entries())
        this.#push({ kind: 'intent', index, intent: answer.intents[index] ?? result.intent, result });
    this.#push({ kind: 'answer', answer });
    return answer;
  }

  /** Reads the answer from the stream, or classifies the failure. */
  async #read(connection: Connection, operation: Operation, response: HttpResponse): Promise<Outcome> {
    try {
      if (response.headers.get('content-type')?.includes('event-stream') !== true)
        return { answer: JSON.parse(await connection.text(response, this.#limit)) as MessageAnswer };
      for await (const { event, data } of connection.events(response, this.#limit)) {
        if (event === 'heartbeat') this.#push({ kind: 'working', at: data });
        if (event === 'response') return framed(operation, response, data);
      }
      return broken(new Error('The stream ended without an answer.'), response);
    } catch (cause) {
      return broken(this.#limit.reason() ?? cause, response);
    }
  }
}

type Outcome = { readonly answer: MessageAnswer } | Failure;

/** Maximum broken streams of one turn. */
const mostBreaks = 5;

/** The last frame of a stream: the status and body of the answer without streaming. */
function framed(operation: Operation, response: HttpResponse, data: string): Outcome {
  const { status, body } = JSON.parse(data) as { status: number; body: unknown };
  if (status < 400) return { answer: body as MessageAnswer };
  const error = errorOf(response, JSON.stringify(body), status);
  const failure = refused(error, operation);
  // The answer of an admitted message, which the same key gets again.
  return error.is('model-unavailable') ? { ...failure, passing: false, mayHaveHappened: false } : failure;
}
