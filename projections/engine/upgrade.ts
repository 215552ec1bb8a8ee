import type pg from 'pg';
import { waitBackOff } from '../../infra/platform/back-off.ts';
import type { Projection } from './projection.ts';
import type { ProjectorOptions } from './projector-options.ts';
import { replaceTable } from './rebuild.ts';
import { isCurrent, recordedVersions } from './recorded-versions.ts';
import { live, lockCheckpoint, storeOutdated } from './checkpoint.ts';

/**
 * Marks live tables that are not of this code's version as outdated, in the name of `builder`: from then on nothing is applied to
 * them, and no earlier builder can swap. The caller's connection must hold the projectors' lock.
 */
export async function markOutdated(
  client: pg.ClientBase,
  projections: readonly Projection[],
  builder: string,
): Promise<Projection[]> {
  await client.query('begin');
  const { position, outdated } = await lockCheckpoint(client, live);
  const recorded = await recordedVersions(client, live.schema);
  const marked = new Map(outdated);
  const found: Projection[] = [];
  for (const projection of projections) {
    const { name, table } = projection;
    const known = outdated.get(name);
    if (known === undefined && (await isCurrent(client, table, recorded.get(name)))) continue;
    found.push(projection);
    marked.set(name, { position: known?.position ?? position, builder });
  }
  if (found.length > 0) await storeOutdated(client, marked);
  await client.query('commit');
  return found;
}

/** Replaces the tables one by one, retrying until the signal. Never rejects. */
export async function replaceTables(
  { store, pool, logger, batchEvents, maxBackoffMs = 5000 }: ProjectorOptions,
  outdated: readonly Projection[],
  builder: string,
  signal: AbortSignal,
): Promise<void> {
  const isAborted = (): boolean => signal.aborted;
  for (const projection of outdated) {
    const about = { projection: projection.name };
    logger.info(
      about,
      'A read model of another version is being rebuilt; the old table is served meanwhile.',
    );
    for (let failures = 0; !isAborted(); failures += 1) {
      try {
        await replaceTable(projection, builder, signal, { store, pool, ...(batchEvents && { batchEvents }) });
        logger.info(about, 'The read model was replaced.');
        break;
      } catch (error) {
        if (isAborted()) return;
        logger.warn({ ...about, err: error }, 'The read model could not be replaced; retrying.');
        await waitBackOff({ firstMs: 50, longestMs: maxBackoffMs }, failures, { signal }).catch(
          () => undefined,
        );
      }
    }
  }
}
