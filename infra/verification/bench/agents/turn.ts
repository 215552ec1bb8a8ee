import { percentile } from '../latency.ts';
import { atMost, type CheckSubject } from '../subject.ts';
import { scaled } from '../system/system-scale.ts';
import { onAgents, turnsOn } from './on-agents.ts';

const bars = { pass: 25, stretch: 15 };
const worstP99 = 100;
/** Turns of one session; `long-session.ts` measures more. */
const perSession = 50;
/** Warm-up: code that V8 has not compiled yet takes twice as long. */
const warmUp = scaled(6, 1);
const measured = scaled(8, 1);

/** Consecutive turns through the gateway. Provider and browser answer at once; their time is included. */
export const agentTurn: CheckSubject = {
  kind: 'check',
  id: 'agents-turn',
  long: true,
  title: `a turn of one step, of which provider and browser take nothing, p50 (p99 at most ${worstP99} ms)`,
  bars,
  unit: 'ms',
  check: (bench) =>
    onAgents(bench, async (agents) => {
      for (const id of await agents.open(warmUp)) await turnsOn(agents, id, perSession);
      const took: number[] = [];
      const ids = await agents.open(measured);
      const cpuBefore = agents.cpuMs();
      for (const id of ids) took.push(...(await turnsOn(agents, id, perSession)));
      const [p50, p99] = [percentile(took, 0.5), percentile(took, 0.99)];
      const cpu_ms = (agents.cpuMs() - cpuBefore) / took.length;
      const found = atMost(bars, p50, { p50_ms: p50, p99_ms: p99, cpu_ms, turns: took.length });
      return { ...found, passed: found.passed && p99 <= worstP99 };
    }),
};
