import { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import {
  listParked,
  projectionStatus,
  projections,
  rebuildProjection,
  retryParked,
  rollbackProjection,
  verifyProjection,
  type Progress,
  type ReadModelStatus,
  type Verdict,
} from '../../../projections/index.ts';
import { asOperator, type Operator } from './operator.ts';
import { show, tableOf, type Json } from './output.ts';

const names = projections.map(({ name }) => name).join(', ');

/** `service projections …` */
export function projectionCommands(program: Command): void {
  const group = program
    .command('projections')
    .description('look after the read models; readers are served meanwhile');
  const command = (name: string, description: string) =>
    group.command(name).description(description).option('--json', 'print one JSON value');
  const onOne = (name: string, description: string) => command(name, description).argument('<name>', names);

  command('status', 'how far each read model is, and what is parked').action(status);
  onOne('rebuild', 'build it anew from the record beside the live one, compare, swap').action(
    (name: string, options: Json) => compare(name, options, rebuildProjection, 'rebuilt and swapped in'),
  );
  onOne('verify', 'compare it with the record; exit status 1 when they differ').action(
    (name: string, options: Json) => compare(name, options, verifyProjection, 'compared'),
  );
  onOne('rollback', 'take the table that the last rebuild replaced back into service').action(rollback);
  command('parked', 'events that no read model could apply, with the reason').action(parked);
  command('retry', 'apply the parked events again, in order').action(retry);
}

function status({ json }: Json): Promise<void> {
  return asOperator(async (operator) => {
    const rows = await projectionStatus(operator);
    const lines = rows.map((row) => [
      row.projection,
      row.rows,
      row.parked,
      row.version ?? 'unknown',
      stateOf(row),
    ]);
    show(json, rows, tableOf([['projection', 'rows', 'parked', 'version', ''], ...lines]));
  });
}

function stateOf({ version, wanted_version, building, behind }: ReadModelStatus): string {
  const copy = building === null ? '' : `, a copy is ${Math.floor(building.fraction * 100)} % built`;
  if (version !== wanted_version) return `outdated: this release has ${wanted_version}${copy}`;
  return `${behind ? 'behind' : 'up to date'}${copy}`;
}

function compare(name: string, { json }: Json, work: typeof rebuildProjection, done: string): Promise<void> {
  return asOperator(async ({ store, pool }) => {
    const bar = progressBar(json);
    const verdict = await work(name, { store, pool, onProgress: bar.update }).finally(bar.stop);
    show(json, verdict, [`${name} ${done}: ${words(verdict)}`]);
    if (!verdict.matches) process.exitCode = 1;
  });
}

const words = ({ live, rebuilt, matches }: Verdict) =>
  matches
    ? `${live.rows} rows, the same as the record says`
    : `the live table had ${live.rows} rows (${live.hash}), the record says ${rebuilt.rows} (${rebuilt.hash})`;

function progressBar(json: boolean | undefined) {
  if (json || !process.stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  const bar = new SingleBar({
    format: '{projection} [{bar}] {percentage}%  {rate} events/s  {left} s left',
    stream: process.stderr,
    hideCursor: true,
  });
  bar.start(1000, 0, { projection: '', rate: 0, left: '-' });
  return {
    update: ({ projection, fraction, eventsPerSecond, secondsLeft }: Progress) =>
      bar.update(Math.round(fraction * 1000), {
        projection,
        rate: Math.round(eventsPerSecond),
        left: Math.round(secondsLeft),
      }),
    stop: () => bar.stop(),
  };
}

function rollback(name: string, { json }: Json): Promise<void> {
  return asOperator(async ({ store, pool }) => {
    await rollbackProjection(name, { store, pool });
    show(json, { projection: name, rolled_back: true }, [
      `${name} is the table it was before the last rebuild`,
    ]);
  });
}

function parked({ json }: Json): Promise<void> {
  return asOperator(async ({ pool }: Operator) => {
    const events = await listParked(pool);
    const rows = events.map((event) => [
      event.projection,
      event.row,
      event.eventType,
      event.attempts,
      event.reason,
    ]);
    const lines =
      events.length === 0
        ? ['Nothing is parked.']
        : tableOf([['projection', 'row', 'event', 'tries', 'reason'], ...rows]);
    show(json, events, lines);
  });
}

function retry({ json }: Json): Promise<void> {
  return asOperator(async ({ store, pool }) => {
    const { applied, stillParked } = await retryParked({ store, pool });
    show(json, { applied, still_parked: stillParked }, [
      `${applied} applied, ${stillParked} rows still parked`,
    ]);
    if (stillParked > 0) process.exitCode = 1;
  });
}
