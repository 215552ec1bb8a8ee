import { grouped, type Evidence, type LogEvent } from '../evidence/index.ts';
import type { Exchange } from '../history.ts';
import { forgotten } from './answers.ts';

export type Caused = (exchange: Exchange, type: string) => LogEvent | undefined;

/** The events of a request, by its id. */
export function causedIn(log: readonly LogEvent[]): Caused {
  const caused = grouped(log, ({ requestId }) => requestId ?? '');
  return ({ id }, type) => caused.get(id)?.find((event) => event.type === type);
}

/** Requests that were served, by their answer or, where that is not known, by what they left in the log. */
export function servedIn({ history, log }: Evidence): readonly Exchange[] {
  const left = new Set(log.map(({ requestId }) => requestId));
  return history.filter(({ id, answer }) => answer.kind === 'done' || left.has(id));
}

/**
 * Readers find out that an account has changed by what was recorded of it in Postgres: a crash between the two may let a read through.
 * Writes decide on the log.
 */
export const mayBeRead = (evidence: Evidence, from: number, { target, answeredAt }: Exchange): boolean =>
  target.startsWith('GET ') && forgotten(evidence, from, answeredAt ?? Infinity);
