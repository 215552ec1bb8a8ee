import { refuse, type Refusal } from '../../contracts/problems.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import type { RequestFacts } from '../../infra/http/index.ts';
import { origin } from '../../infra/event-store/client/position.ts';
import type { Credentials, Reader } from './credentials.ts';
import type { FreshReads } from './fresh-reads.ts';
import type { Statement } from '../../projections/queries/fresh-statement.ts';

/** What a reply says about its age. */
export interface Freshness {
  readonly headers: Readonly<Record<string, string>>;
  readonly position?: Position;
}

export type Read = <P, Row extends { readonly id: string }>(
  call: { readonly caller: Reader; readonly request: RequestFacts },
  statement: Statement<P, Row>,
  parameters: P,
) => Promise<{
  readonly rows: readonly Row[];
  readonly freshness: Freshness;
  /** The rows are older than they were to be: what is not among them may be there. */
  readonly stale: boolean;
}>;

/** Seconds after which a read that came too early may be tried again. */
const retryAfterSeconds = 1;

/** The answer to asking for what was not found: only a fresh read knows that it is not there. */
export const notFound = (stale: boolean): Refusal => (stale ? behind() : refuse('not-found'));

export const accountSuspended = (): Refusal => refuse('forbidden', 'The account is suspended.');

export const behind = (): Refusal =>
  refuse('feature-unavailable', 'Reads are behind what was written. This one may be sent again.', {
    retry_after_seconds: retryAfterSeconds,
  });

/**
 * One read for a handler: fresh enough for the caller's own writes and for the position it asks for, and given out only
 * after the key was found good at the account's last write. A suspension is seen by the read itself, also one whose write
 * nobody noted because the process that made it was killed. A reply that could not be fresh within the wait carries
 * `X-Service-Stale: true`; every reply carries the position it stands at.
 */
export const createRead =
  (reads: FreshReads, credentials: Credentials): Read =>
  async ({ caller, request }, statement, parameters) => {
    const atLeast = minPosition(request.header('x-service-min-position'));
    const { rows, reached, noted, suspended, stale } = await reads.read(statement, parameters, atLeast);
    if (suspended) throw accountSuspended();
    await credentials.confirm(caller, noted);
    const headers: Record<string, string> = stale ? { 'X-Service-Stale': 'true' } : {};
    return { rows, stale, freshness: { headers, ...(reached.commit >= 0n && { position: reached }) } };
  };

/** Unsigned 63-bit numbers, as the log counts. */
const positionShape = /^(\d{1,18})\/(\d{1,18})$/;

function minPosition(header: string | undefined): Position {
  if (header === undefined) return origin;
  const [, commit, prepare] = positionShape.exec(header) ?? [];
  if (commit === undefined || prepare === undefined) {
    throw refuse(
      'bad-request',
      'X-Service-Min-Position takes `<commit>/<prepare>`: send an X-Service-Position back as it came.',
    );
  }
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}
