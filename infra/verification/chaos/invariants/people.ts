import { grouped, type Evidence, type LogEvent } from '../evidence/index.ts';
import type { Exchange } from '../history.ts';
import { wasPostgresDown } from './answers.ts';

export type Caused = (exchange: Exchange, type: string) => LogEvent | undefined;

/** Events by the id of their request. */
export function causedIn(log: readonly LogEvent[]): Caused {
  const caused = grouped(log, ({ requestId }) => requestId ?? '');
  return ({ id }, type) => caused.get(id)?.find((event) => event.type === type);
}

/** Requests that succeeded, according to their answer or, without one, to the log. */
export function servedIn({ history, log }: Evidence): readonly Exchange[] {
  const left = new Set(log.map(({ requestId }) => requestId));
  return history.filter(({ id, answer }) => answer.kind === 'done' || left.has(id));
}

/** Readers learn of a change to an account from Postgres: a crash before that may permit a read. Writes decide on the log. */
export const mayBeRead = (evidence: Evidence, from: number, { target, answeredAt }: Exchange): boolean =>
  target.startsWith('GET ') && wasPostgresDown(evidence, from, answeredAt ?? Infinity);
