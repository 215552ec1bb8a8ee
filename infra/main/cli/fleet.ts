import { InvalidArgumentError, Option } from 'commander';
import { dayMs } from '../../../contracts/durations.ts';
import { demandBetween, type Demand } from '../../../projections/index.ts';
import { policies, type Policy } from '../../fleet/control-plane/placement.ts';
import { whatIf, type Loss, type WhatIf, type Window } from '../../fleet/what-if.ts';
import type { ServiceCommand } from './command.ts';
import { asOperator, type Operator } from './operator.ts';
import { factTable, section, type Answer, type Json } from './output.ts';
import { time } from './parse.ts';
import { progressBar } from './progress-bar.ts';

/** `service fleet …` */
export function fleetCommands(program: ServiceCommand): void {
  program
    .command('fleet')
    .description('all nodes together')
    .command('what-if')
    .description('simulate another fleet with the recorded sessions of a time window; changes nothing')
    .requiredOption('--from <time>', 'start of the window', time)
    .requiredOption('--to <time>', 'end of the window', time)
    .requiredOption('--nodes <fleet>', '<count>x<slots>, several separated by commas: 4x8,2x16', fleet)
    .addOption(
      new Option('--policy <policy>', 'how sessions are placed').choices(policies).default('least-loaded'),
    )
    .option(
      '--loss <nodes@time>',
      'number of nodes that are lost at that time and do not return; may be repeated',
      losses,
      [],
    )
    .answers('object', (options: WhatIfOptions) => {
      const window = windowOf(options, Date.now());
      return asOperator((operator) => tried(operator, window, options));
    });
}

interface WhatIfOptions extends Json {
  readonly from: string;
  readonly to: string;
  readonly nodes: readonly number[];
  readonly policy: Policy;
  readonly loss: readonly Loss[];
}

async function tried({ store, pool }: Operator, window: Window, options: WhatIfOptions): Promise<Answer> {
  const { nodes: capacities, policy, loss: losses } = options;
  const bar = progressBar(options.json);
  const demand = await demandBetween(pool, window, { store, onProgress: bar.update }).finally(bar.stop);
  const { occupancy, ...found } = whatIf(demand.arrivals, { capacities, policy, losses }, window);
  const value = {
    ...found,
    occupancy: occupancy.map(({ hour, ...of }) => ({ hour: isoOf(hour), ...of })),
  };
  return { value, lines: [...summary(value, options, demand), ...byHour(value.occupancy)] };
}

const longestDays = 366;

/**
 * Clamps the end to now.
 *
 * @throws for an invalid window or loss
 */
function windowOf({ from, to, nodes, loss }: WhatIfOptions, now: number): Window {
  const window = { from: Date.parse(from), to: Math.min(Date.parse(to), now) };
  if (window.from >= now) throw new Error(`--from: ${from} is in the future.`);
  if (window.from >= window.to) throw new Error(`--from: ${from} is not before --to, ${to}.`);
  if (window.to - window.from > longestDays * dayMs)
    throw new Error(`The window must not be longer than ${longestDays} days.`);
  for (const { at } of loss)
    if (at < window.from || at >= window.to)
      throw new Error(`--loss: ${isoOf(at)} is not in the window, ${from} to ${isoOf(window.to)}.`);
  const lost = loss.reduce((sum, each) => sum + each.nodes, 0);
  if (lost > nodes.length)
    throw new Error(`--loss: ${lost} nodes cannot be lost, since the fleet has only ${nodes.length}.`);
  return window;
}

const isoOf = (at: number): string => new Date(at).toISOString();

function summary(
  { sessions, refused, lost }: Omit<WhatIf, 'occupancy'>,
  { nodes, policy }: WhatIfOptions,
  { refused: unknown, assumedMs }: Demand,
): readonly string[] {
  const facts = {
    ...{ sessions, nodes: nodes.length, slots: nodes.reduce((sum, each) => sum + each, 0), policy },
    ...Object.fromEntries(Object.entries(refused).map(([reason, count]) => [`refused_${reason}`, count])),
    lost,
  };
  const assumed =
    assumedMs === null ? 'until the end of the window' : `${Math.round(assumedMs / 1000)} s, the median`;
  return [
    ...factTable(facts),
    ...(unknown === 0
      ? []
      : [
          `${unknown} of the sessions were refused at the time because no node had room; they are assumed to last ${assumed}.`,
        ]),
  ];
}

const byHour = (hours: readonly { readonly hour: string; readonly used: number; readonly slots: number }[]) =>
  section(hours, {
    ...{ hour: 'hour', 'most at once': 'used', slots: 'slots' },
    '': ({ used, slots }) => (slots === 0 ? '' : `${Math.round((100 * used) / slots)} %`),
  });

const mostNodes = 10_000;

/** `4x8,2x16`: the number and the capacity of nodes. */
function fleet(text: string): readonly number[] {
  const capacities = text.split(',').flatMap((part) => {
    const [, count, slots] = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(part.trim()) ?? [];
    if (count === undefined || slots === undefined)
      throw new InvalidArgumentError('Expected <count>x<slots>, such as 4x8, or several: 4x8,2x16.');
    return Array.from({ length: Number(count) }, () => Number(slots));
  });
  if (capacities.length > mostNodes) throw new InvalidArgumentError(`Expected at most ${mostNodes} nodes.`);
  return capacities;
}

function losses(text: string, before: readonly Loss[]): readonly Loss[] {
  const [, nodes, at] = /^([1-9]\d{0,4})@(.+)$/.exec(text) ?? [];
  if (nodes === undefined || at === undefined)
    throw new InvalidArgumentError('Expected <nodes>@<time>, such as 1@2026-01-05T12:00:00Z.');
  return [...before, { nodes: Number(nodes), at: Date.parse(time(at)) }];
}
