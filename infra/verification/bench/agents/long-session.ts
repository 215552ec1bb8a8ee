import { percentile } from '../latency.ts';
import { atMost, type CheckSubject } from '../subject.ts';
import { scaled } from '../system/system-scale.ts';
import { onAgents, turnsOn } from './on-agents.ts';

const bars = { pass: 1.5, stretch: 1.2 };
const long = scaled(1000, 50);
const early = 10;
const samples = scaled(60, 5);

/**
 * Whether a turn costs more in a long session. Alternates between the long one and one at its tenth turn, so that drift
 * of the machine affects both.
 */
export const longAgentSession: CheckSubject = {
  kind: 'check',
  id: 'agents-long-session',
  long: true,
  title: `a turn p50 after ${long} turns / the tenth of its session`,
  bars,
  unit: 'x',
  check: (bench) =>
    onAgents(bench, async (agents) => {
      const [longOne = ''] = await agents.open(1);
      await turnsOn(agents, longOne, long - 1);
      const [late, tenth]: [number[], number[]] = [[], []];
      for (const id of await agents.open(samples)) {
        await turnsOn(agents, id, early - 2);
        late.push(await agents.say(longOne));
        tenth.push(await agents.say(id));
      }
      const [late_ms, tenth_ms] = [percentile(late, 0.5), percentile(tenth, 0.5)];
      return atMost(bars, late_ms / tenth_ms, { tenth_ms, late_ms, turns: long + samples });
    }),
};
