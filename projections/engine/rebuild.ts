import type pg from 'pg';
import type { Position } from '../../infra/event-store/client/types.ts';
import { withoutTimeouts } from '../../infra/postgres/index.ts';
import { applyBatch } from './apply-batch.ts';
import { projectionNamed } from '../catalogue.ts';
import {
  checksum,
  createShadow,
  dropShadow,
  hasPrevious,
  promote,
  sameRows,
  type Checksum,
} from './copies.ts';
import { isAfter } from '../../infra/event-store/client/position.ts';
import { prefixesOf, type Projection } from './projection.ts';
import { replay, type ReplayOptions } from './replay.ts';
import { createIndexes, versionOf } from './table.ts';
import { recordedVersions } from './recorded-versions.ts';
import {
  copyOf,
  live,
  loadCheckpoint,
  lockCheckpoint,
  moveCheckpoint,
  readCheckpoint,
  storeOutdated,
  type Target,
} from './checkpoint.ts';

export interface RebuildOptions extends ReplayOptions {
  readonly pool: pg.Pool;
}

export interface Verdict {
  readonly projection: string;
  /** Log position of the comparison. */
  readonly position: Position;
  readonly live: Checksum;
  readonly rebuilt: Checksum;
  /** True if the live table equals the one made from the log. */
  readonly matches: boolean;
}

/**
 * Rebuilds the table from the log beside the live one, compares the two, and swaps them. The live projector and readers continue
 * meanwhile; for the swap the projector is blocked while the last few events are applied. A difference does not prevent the swap:
 * it is the reason to rebuild. The replaced table is kept for `rollbackProjection`.
 */
export const rebuildProjection = (name: string, options: RebuildOptions): Promise<Verdict> =>
  alone(options.pool, name, async (client) => {
    const projection = projectionNamed(name);
    await assertCurrent(client, projection);
    const verdict = await buildShadow(client, projection, options);
    await swap(client, projection, 'shadow', options);
    return verdict;
  });

/** The same comparison without the swap. The live table is only read. */
export const verifyProjection = (name: string, options: RebuildOptions): Promise<Verdict> =>
  alone(options.pool, name, async (client) => {
    const projection = projectionNamed(name);
    await assertCurrent(client, projection);
    const verdict = await buildShadow(client, projection, options);
    await dropShadow(client, name);
    return verdict;
  });

/** Restores the table replaced by the last rebuild (or rollback), after bringing it up to date. */
export const rollbackProjection = (name: string, options: RebuildOptions): Promise<void> =>
  alone(options.pool, name, async (client) => {
    const projection = projectionNamed(name);
    if (!(await hasPrevious(client, name)))
      throw new Error(`There is no previous table of "${name}" to go back to.`);
    if ((await recordedVersions(client, 'previous')).get(name) !== versionOf(projection.table))
      throw new Error(`The previous table of "${name}" is of another version: only its release can use it.`);
    await swap(client, projection, 'previous', options);
  });

/**
 * Builds the table of this code's version beside an outdated live one, and swaps them. Only for the projector: it must hold the
 * projectors' lock as `builder`, and not apply anything to the live table meanwhile.
 */
export const replaceTable = (
  projection: Projection,
  builder: string,
  signal: AbortSignal,
  options: RebuildOptions,
): Promise<void> =>
  alone(options.pool, projection.name, async (client) => {
    const end = () => void client.end();
    signal.addEventListener('abort', end);
    try {
      signal.throwIfAborted();
      await createShadow(client, projection);
      await catchUp(
        client,
        copyOf(projection.name, 'shadow'),
        projection,
        await readCheckpoint(client, live),
        options,
      );
      await client.query(createIndexes(projection.table, 'shadow'));
      await swap(client, projection, 'shadow', options, builder);
    } finally {
      signal.removeEventListener('abort', end);
    }
  });

/**
 * Throws for an outdated table, which this code must not compare or replace: the projector of its release may still write to it.
 */
async function assertCurrent(client: pg.ClientBase, { name, table }: Projection): Promise<void> {
  const { outdated } = await loadCheckpoint(client, live);
  const recorded = (await recordedVersions(client, live.schema)).get(name);
  if (!outdated.has(name) && recorded === versionOf(table)) return;
  throw new Error(
    `"${name}" is of version ${recorded ?? 'unknown'}, and this release has ${versionOf(table)}: its projector builds it anew.`,
  );
}

async function buildShadow(
  client: pg.ClientBase,
  projection: Projection,
  options: RebuildOptions,
): Promise<Verdict> {
  const { name, table } = projection;
  const shadow = copyOf(name, 'shadow');
  await createShadow(client, projection);
  await catchUp(client, shadow, projection, await readCheckpoint(client, live), options);
  const [{ position, sum }] = await Promise.all([
    withRebuildConnection(options.pool, (other) => liveSnapshot(other, projection)),
    client.query(createIndexes(table, 'shadow')),
  ]);
  await catchUp(client, shadow, projection, position, options);
  const rebuilt = await checksum(client, 'shadow', table);
  return { projection: name, position, live: sum, rebuilt, matches: sameRows(sum, rebuilt) };
}

/** The live rows and their position, in one snapshot and without locks. */
async function liveSnapshot(
  client: pg.ClientBase,
  { table }: Projection,
): Promise<{ position: Position; sum: Checksum }> {
  await client.query('begin isolation level repeatable read read only');
  const position = await readCheckpoint(client, live);
  const sum = await checksum(client, 'read_model', table);
  await client.query('commit');
  return { position, sum };
}

async function catchUp(
  client: pg.ClientBase,
  target: Target,
  projection: Projection,
  upTo: Position,
  { nested = false, ...options }: ReplayOptions & { readonly nested?: boolean },
): Promise<void> {
  const after = await readCheckpoint(client, target);
  if (!isAfter(upTo, after)) return;
  await replay(replayed(projection), { after, upTo }, options, async (events) => {
    await applyBatch(client, target, [projection], events, { nested });
  });
  // Positions in between are of foreign streams and need not be read again.
  await moveCheckpoint(client, target, upTo);
}

const replayed = (projection: Projection) => ({ name: projection.name, prefixes: prefixesOf(projection) });

/** Applies the last events and renames, while the live checkpoint is locked, so that nothing comes in between. */
async function swap(
  client: pg.ClientBase,
  projection: Projection,
  from: 'shadow' | 'previous',
  options: RebuildOptions,
  builder?: string,
): Promise<void> {
  const { name } = projection;
  const target = copyOf(name, from);
  await catchUp(client, target, projection, await readCheckpoint(client, live), options);
  await client.query("begin; set local synchronous_commit = on; set local lock_timeout = '10s'");
  const { position: upTo, outdated } = await lockCheckpoint(client, live);
  const replaced = outdated.get(name);
  if (replaced?.builder !== builder)
    throw new Error(`A projector of another version has taken over "${name}".`);
  await catchUp(client, target, projection, upTo, { ...options, nested: true });
  await promote(client, name, from, replaced?.position ?? upTo);
  await storeOutdated(client, new Map([...outdated].filter(([other]) => other !== name)));
  await client.query('commit');
}

/** Runs `work` unless the projection is being rebuilt, verified or rolled back by another process. */
const alone = <T>(pool: pg.Pool, name: string, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  withRebuildConnection(pool, async (client) => {
    const { rows } = await client.query<{ taken: boolean }>(
      "select pg_try_advisory_lock(hashtextextended('rebuild ' || $1, 0)) as taken",
      [name],
    );
    if (!rows[0]?.taken)
      throw new Error(`"${name}" is being rebuilt, verified or rolled back by someone else.`);
    return work(client);
  });

/**
 * Runs `work` on a connection for a rebuild. Commits do not wait for the disk: after a crash the rebuild starts over. Each
 * statement is planned anew: a plan cached while the table was empty scans it for every batch, which made the end of a million
 * events four times slower.
 */
export const withRebuildConnection = <T>(
  pool: pg.Pool,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> =>
  withoutTimeouts(pool, async (client) => {
    await client.query('set synchronous_commit = off; set plan_cache_mode = force_custom_plan');
    return work(client);
  });
