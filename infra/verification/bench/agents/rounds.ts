import { percentile } from '../latency.ts';
import { atMost, type CheckSubject } from '../subject.ts';
import { scaled } from '../system/system-scale.ts';
import { onAgents, turnsOn, type AgentsUnderTest } from './on-agents.ts';

const bars = { pass: 20, stretch: 12 };
const mostCpuMs = 12;
/** Rounds of a turn: the maximum of the service. */
const rounds = 12;
const sessions = scaled(6, 1);
const turnsEach = scaled(10, 1);

/** Measures turns with `count` rounds: milliseconds of each, and CPU milliseconds per turn. */
async function measured(agents: AgentsUnderTest, ids: readonly string[], count: number) {
  agents.providerTakesRounds(count);
  const took: number[] = [];
  const cpuBefore = agents.cpuMs();
  for (const id of ids) took.push(...(await turnsOn(agents, id, turnsEach)));
  return { p50: percentile(took, 0.5), cpu: (agents.cpuMs() - cpuBefore) / took.length };
}

/**
 * Time of a turn of twelve rounds beyond one of one round, divided by the further rounds; provider and browser answer at once.
 */
export const agentRounds: CheckSubject = {
  kind: 'check',
  id: 'agents-rounds',
  long: true,
  title: `own share of each further round of a turn, p50 (at most ${mostCpuMs} ms of CPU over all processes)`,
  bars,
  unit: 'ms',
  check: (bench) =>
    onAgents(bench, async (agents) => {
      const ids = await agents.open(sessions);
      // Code that V8 has not compiled yet takes twice as long.
      await measured(agents, ids, rounds);
      const [one, many] = [await measured(agents, ids, 1), await measured(agents, ids, rounds)];
      const each = (what: 'p50' | 'cpu') => (many[what] - one[what]) / (rounds - 1);
      const figures = { cpu_ms_each: each('cpu'), one_round_ms: one.p50, twelve_rounds_ms: many.p50 };
      const found = atMost(bars, each('p50'), figures);
      return { ...found, passed: found.passed && figures.cpu_ms_each <= mostCpuMs };
    }),
};

const tokenBars = { pass: 1.3, stretch: 1.15 };

/** Characters sent to the model in each round of one turn, including instructions and tool. */
export const agentRoundTokens: CheckSubject = {
  kind: 'check',
  id: 'agents-round-tokens',
  long: true,
  title: 'what a model is sent in the longest of the later rounds of a turn / in the first, by characters',
  bars: tokenBars,
  unit: 'x',
  check: (bench) =>
    onAgents(bench, async (agents) => {
      const [id = ''] = await agents.open(1);
      const sizes: number[] = [];
      agents.providerTakesRounds(rounds, ({ system, tools, messages }) => {
        sizes.push(JSON.stringify([system, tools, messages]).length);
      });
      await agents.say(id);
      const [first = Number.NaN, ...later] = sizes;
      const most = Math.max(...later);
      return atMost(tokenBars, most / first, { first, most, rounds: sizes.length });
    }),
};

const eventBars = { pass: 39, stretch: 30 };

export const agentRoundEvents: CheckSubject = {
  kind: 'check',
  id: 'agents-round-events',
  long: true,
  title: `events that a turn of ${rounds} rounds adds to the stream of its session`,
  bars: eventBars,
  unit: 'events',
  check: (bench) =>
    onAgents(bench, async (agents) => {
      const [id = ''] = await agents.open(1);
      const before = await agents.eventsOf(id);
      agents.providerTakesRounds(rounds);
      await agents.say(id);
      return atMost(eventBars, (await agents.eventsOf(id)) - before, { before });
    }),
};
