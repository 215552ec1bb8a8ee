import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccountId } from '../../../contracts/ids.ts';

/** A call or command, its sender, its times and its answer. Times are milliseconds since the epoch. */
export interface Exchange {
  /** Sent as `X-Request-Id` with each of its tries, and so the `request_id` of every event it caused. */
  readonly id: string;
  readonly actor: string;
  readonly account: AccountId;
  /** The owner whose account it acts on, if that is not the sender's. */
  readonly on?: AccountId;
  /** Id of the exchange whose answer contained the web session it was sent with. */
  readonly session?: string;
  /** The entry of the table of actions that sent it. */
  readonly action: string;
  /** `METHOD /path`, or the operator's command. */
  readonly target: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly sentAt: number;
  /** Absent while the exchange is in progress. */
  readonly answeredAt?: number;
  readonly answer: Answer;
}

/** The typed client's result of a call. `unknown`: no answer, or one that leaves the outcome open. */
export type Answer = Tried & (Unknown | Known);

interface Tried {
  /** How often the client sent it. */
  readonly tries?: number;
}

interface Unknown {
  readonly kind: 'unknown';
  readonly why: string;
  readonly status?: number;
  readonly text?: string;
  /** The client says that nothing was changed. Without a status, nothing was sent either, or it was a read. */
  readonly isUnchanged?: true;
  /** Idempotency key with which a repeated call returns the outcome. */
  readonly openKey?: string;
}

interface Known {
  readonly kind: 'done' | 'refused' | 'failed';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The idempotency key that it was sent with, if known: the client generates keys, too. */
export const keyOf = ({ key, answer }: Exchange): string | undefined =>
  key ?? (answer.kind === 'unknown' ? answer.openKey : undefined);

export type Question = Omit<Exchange, 'answer' | 'answeredAt' | 'sentAt'>;

/** All exchanges of the clients, including those that never ended. */
export class History {
  readonly #exchanges: Exchange[] = [];

  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  async record(question: Question, ask: () => Promise<Answer>): Promise<Exchange> {
    const sentAt = Date.now();
    const place = this.#exchanges.push({ ...question, sentAt, answer: unanswered }) - 1;
    const answer = await ask();
    const exchange = { ...question, sentAt, answeredAt: Date.now(), answer };
    this.#exchanges[place] = exchange;
    return exchange;
  }
}

const unanswered: Answer = { kind: 'unknown', why: 'under way' };

/** A field of the answer's JSON body; undefined if there is none. */
export function answered(exchange: Exchange, field: string): unknown {
  const { text } = exchange.answer;
  if (text?.startsWith('{') !== true) return undefined;
  return (JSON.parse(text) as Record<string, unknown>)[field];
}

/** Writes the history beside the data of a run that will be inspected. */
export const keepHistory = (dataDir: string, history: readonly Exchange[]): void =>
  writeFileSync(join(dataDir, 'history.jsonl'), linesOf(history));

export const linesOf = (items: readonly unknown[]): string =>
  items.map((item) => `${JSON.stringify(item, plain)}\n`).join('');

const plain = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
