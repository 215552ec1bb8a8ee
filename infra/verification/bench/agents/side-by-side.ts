import { percentile, timed } from '../latency.ts';
import { inFlight } from '../load.ts';
import { atLeast, type CheckSubject } from '../subject.ts';
import { scaled } from '../system/system-scale.ts';
import { onAgents, turnsOn } from './on-agents.ts';

const bars = { pass: 0.9, stretch: 0.97 };
const sessions = scaled(200, 10);
/** Turns of each session, in sequence. */
const turns = 5;
const providerMs = 1000;
const alone = 100;

/**
 * Many agent sessions at once that mostly wait for their provider. Compares turns per second with the ideal: each turn
 * takes the provider's time plus the overhead of a turn on an idle service.
 */
export const agentsSideBySide: CheckSubject = {
  kind: 'check',
  id: 'agents-side-by-side',
  long: true,
  title: `turns a second of ${sessions} agent sessions at once, with a provider that takes ${providerMs} ms / of as many on their own`,
  bars,
  unit: 'x',
  check: (bench) =>
    onAgents(bench, async (agents) => {
      const ids = await agents.open(sessions);
      const [first = ''] = ids;
      await turnsOn(agents, first, alone);
      const ownMs = percentile(await turnsOn(agents, first, alone), 0.5);
      agents.providerTakes(providerMs);
      const took: number[] = [];
      const cpuBefore = agents.cpuMs();
      const elapsedMs = await timed(() =>
        inFlight(sessions, sessions, async (index) => {
          took.push(...(await turnsOn(agents, ids[index] ?? '', turns)));
        }),
      );
      const perSecond = (1000 * sessions * turns) / elapsedMs;
      const wanted = (1000 * sessions) / (providerMs + ownMs);
      return atLeast(bars, perSecond / wanted, {
        turns_per_second: perSecond,
        own_share_alone_ms: ownMs,
        cpu_ms_each: (agents.cpuMs() - cpuBefore) / took.length,
        turn_p50_ms: percentile(took, 0.5),
        turn_p99_ms: percentile(took, 0.99),
      });
    }),
};
