import { parseId, type Id, type IdKind } from '../../contracts/ids.ts';
import { refuse, type Refusal } from '../../contracts/problems.ts';
import { fieldNames, type Static, type TObject } from '../../contracts/schema.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { roleTooLow, roleSuffices, type Reply, type RequestFacts } from '../../infra/http/index.ts';
import { timeOf } from '../../infra/http/time.ts';
import { openRows, type Opening } from '../../infra/personal/text.ts';
import { accountSuspended } from '../../infra/credentials/judge.ts';
import { origin, parsePosition } from '../../infra/event-store/client/position.ts';
import type { Credentials, Reader } from './credentials.ts';
import { behind, type FreshReads } from './fresh-reads.ts';
import type { OneParameters } from '../../projections/queries/lists.ts';
import type { ActorFacts, Statement } from '../../projections/queries/fresh-statement.ts';

/** The parts of a call that every read needs. */
export interface ReadCall {
  readonly caller: Reader;
  readonly request: RequestFacts;
}

/** Headers about the freshness of a reply. */
export type Freshness = Pick<Reply, 'headers' | 'position'>;

type Row = { readonly id: string };
export type Read = <P, R extends Row>(
  call: ReadCall,
  statement: Statement<P, R>,
  parameters: P,
) => Promise<{
  readonly rows: readonly R[];
  readonly freshness: Freshness;
  /** True for stale rows: a missing row may exist. */
  readonly stale: boolean;
}>;

/** The refusal for a missing row: 404 after a fresh read, 503 after a stale one. */
export const notFound = (stale: boolean): Refusal => (stale ? behind() : refuse('not-found'));

/**
 * One read for a handler: fresh enough for the caller's own writes and for the requested position, and returned only if the
 * credential was valid at its account's last write. The read itself detects a suspension, even one whose position was never
 * recorded because its process was killed. A reply that could not be fresh within the wait has `X-Service-Stale: true`; every
 * reply has its log position.
 *
 * Data of an owner's account is returned only if the read's own snapshot contains the caller's membership: a stale read is
 * refused, because the membership may have ended. Opens sealed fields of the rows.
 */
export const createRead =
  (reads: FreshReads, credentials: Credentials, vault: Opening): Read =>
  async ({ caller, request }, statement, parameters) => {
    const { accountId } = caller;
    const actorId = caller.actorId === accountId ? undefined : caller.actorId;
    const atLeast = minPosition(request.header('x-service-min-position'));
    const found = await reads.read(statement, parameters, { atLeast, actorId });
    const { rows, reached, lastWrite, suspended, actor, stale } = found;
    if (actor !== undefined) assertOnTeam(actor, request, stale);
    if (suspended && !request.ungated.includes('suspension')) throw accountSuspended();
    await credentials.confirm(caller, request, actor?.lastWrite ?? lastWrite);
    const headers: Record<string, string> = stale ? { 'X-Service-Stale': 'true' } : {};
    const opened = await openRows(vault, rows);
    return {
      rows: opened,
      stale,
      freshness: { headers, ...(reached.commit >= 0n && { position: reached }) },
    };
  };

function assertOnTeam({ role, suspended }: ActorFacts, request: RequestFacts, stale: boolean): void {
  if (stale) throw behind();
  if (suspended) throw accountSuspended();
  if (role === null) throw refuse('not-found');
  if (!roleSuffices(role, request.role)) throw roleTooLow();
}

/** The answer with one row; throws `not-found` without. */
export async function readOne<P, R extends Row, Shown>(
  read: Read,
  call: ReadCall,
  statement: Statement<P, R>,
  parameters: P,
  show: (row: R) => Shown,
): Promise<Freshness & { readonly body: Awaited<Shown> }> {
  const { rows, stale, freshness } = await read(call, statement, parameters);
  const [row] = rows;
  if (row === undefined) throw notFound(stale);
  return { body: await show(row), ...freshness };
}

/** Handles a route that shows the caller's resource named by `{id}`. */
export const showOne = <R extends Row, Shown>(
  read: Read,
  kind: IdKind,
  statement: Statement<OneParameters, R>,
  show: (row: R) => Shown,
) => ({
  run: (call: ReadCall & { readonly params: { readonly id: string } }) => {
    const { accountId } = call.caller;
    return readOne(read, call, statement, { accountId, id: idOf(kind, call.params.id) }, show);
  },
});

/** The `exists` of a list below the caller's resource named by `{id}`: its id; throws `not-found` without it. */
export const listBelow =
  <Known extends string>(
    read: Read,
    idIn: (text: string) => Known,
    statement: Statement<OneParameters, Row>,
  ) =>
  async (caller: Reader, params: { readonly id: string }, request: RequestFacts): Promise<Known> => {
    const id = idIn(params.id);
    await readOne(read, { caller, request }, statement, { accountId: caller.accountId, id }, () => undefined);
    return id;
  };

/** Parses an id of a path. An invalid one is refused like an unknown one. */
export function idOf<K extends IdKind>(kind: K, text: string): Id<K> {
  const id = parseId(kind, text);
  if (id === undefined) throw refuse('not-found');
  return id;
}

/** The resource in a row, which has its fields under the same names, among others. */
export const resourceIn = <S extends TObject>(schema: S, row: Static<S>): Static<S> => {
  const fields: Readonly<Record<string, unknown>> = row;
  return Object.fromEntries(fieldNames(schema).map((name) => [name, fields[name]])) as Static<S>;
};

/** A time of the query; null if absent. */
export const queryTime = (name: string, text: string | undefined): Date | null =>
  text === undefined ? null : timeOf(`/query/${name}`, text);

function minPosition(header: string | undefined): Position {
  if (header === undefined) return origin;
  const position = parsePosition(header);
  if (position === undefined) {
    throw refuse(
      'bad-request',
      'X-Service-Min-Position takes `<commit>/<prepare>`: send an X-Service-Position back as it came.',
    );
  }
  return position;
}
