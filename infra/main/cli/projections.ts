import type { ServiceCommand } from './command.ts';
import {
  listParked,
  projectionStatus,
  projections,
  rebuildProjection,
  retryParked,
  rollbackProjection,
  verifyProjection,
  type ReadModelStatus,
  type Verdict,
} from '../../../projections/index.ts';
import type { Operator } from './operator.ts';
import { progressBar } from './progress-bar.ts';
import { headedTable, listAnswer, type Answer, type Json } from './output.ts';

const names = projections.map(({ name }) => name).join(', ');

/** `service projections …` */
export function projectionCommands(program: ServiceCommand): void {
  const group = program
    .command('projections')
    .description('maintain the read models; reads are served meanwhile');
  const command = (name: string, description: string) => group.command(name).description(description);
  const onOne = (name: string, description: string, work: OnOne) =>
    command(name, description).argument('<name>', names).operates('value', work);

  command('status', 'list the read models with their progress and their parked rows').operates(
    'value',
    status,
  );
  onOne(
    'rebuild',
    'build a read model from the event log beside the live one, compare the two, and swap them',
    comparing(rebuildProjection, 'rebuilt and swapped in'),
  );
  command(
    'verify',
    'compare one read model, or all of them, with the event log; exit status 1 if they differ',
  )
    .argument('[name]', names)
    .operates('value', verify);
  onOne('rollback', 'restore the table that the last rebuild, or rollback, replaced', rollback);
  command('parked', 'list the events that a read model could not apply, with the reason').operates(
    'value',
    parked,
  );
  command('retry', 'apply the parked events again, in order').operates('value', retry);
}

type OnOne = (operator: Operator, name: string, options: Json) => Promise<Answer>;

async function status(operator: Operator): Promise<Answer> {
  const value = await projectionStatus(operator);
  const lines = headedTable(value, {
    ...{ projection: 'projection', rows: 'rows', parked: 'parked' },
    version: ({ version }) => version ?? 'unknown',
    '': stateOf,
  });
  return { value, lines };
}

function stateOf({ version, wanted_version, building, behind }: ReadModelStatus): string {
  const copy = building === null ? '' : `, a copy is ${Math.floor(building.fraction * 100)} % built`;
  if (version !== wanted_version) return `outdated: this release has ${wanted_version}${copy}`;
  return `${behind ? 'behind' : 'up to date'}${copy}`;
}

const comparing =
  (work: typeof rebuildProjection, done: string) =>
  async ({ store, pool }: Operator, name: string, { json }: Json) => {
    const bar = progressBar(json);
    const verdict = await work(name, { store, pool, onProgress: bar.update }).finally(bar.stop);
    return { value: verdict, lines: [`${name} ${done}: ${words(verdict)}`], failed: !verdict.matches };
  };

const verifyOne = comparing(verifyProjection, 'compared');

async function verify(operator: Operator, name: string | undefined, options: Json): Promise<Answer> {
  if (name !== undefined) return verifyOne(operator, name, options);
  const answers: Awaited<ReturnType<typeof verifyOne>>[] = [];
  for (const { name: each } of projections) answers.push(await verifyOne(operator, each, options));
  return {
    value: answers.map(({ value }) => value),
    lines: answers.flatMap(({ lines }) => lines),
    failed: answers.some(({ failed }) => failed),
  };
}

const words = ({ live, rebuilt, matches }: Verdict) =>
  matches
    ? `${live.rows} rows, the same as in a rebuild from the event log`
    : `the live table had ${live.rows} rows (${live.hash}), a rebuild from the event log has ${rebuilt.rows} (${rebuilt.hash})`;

const rollback: OnOne = async ({ store, pool }, name) => {
  await rollbackProjection(name, { store, pool });
  const value = { projection: name, rolled_back: true };
  return { value, lines: [`${name}: the table that the last rebuild, or rollback, replaced is restored`] };
};

const parked = async ({ pool }: Operator): Promise<Answer> =>
  listAnswer(await listParked(pool), 'Nothing is parked.', {
    ...{ projection: 'projection', row: 'row', event: 'eventType' },
    ...{ tries: 'attempts', reason: 'reason' },
  });

async function retry({ store, pool }: Operator): Promise<Answer> {
  const { applied, stillParked } = await retryParked({ store, pool });
  return {
    value: { applied, still_parked: stillParked },
    lines: [`${applied} applied, ${stillParked} rows still parked`],
    failed: stillParked > 0,
  };
}
