import { setTimeout as delay } from 'node:timers/promises';
import { inFlight } from '../load.ts';
import { atMost, type CheckSubject, type Finding } from '../subject.ts';
import { total, usedBy } from './system-processes.ts';
import { onSystem, type SystemUnderTest } from './system-stack.ts';
import { onSite, webKit } from './system-webkit.ts';

/** By then a stack has finished its work after the start. */
const settleMs = 10_000;
const idleBars = { pass: 600, stretch: 450 };
const sessionBars = { pass: 160, stretch: 120 };
const browsers = 4;

/** Everything that `npm start` runs, without sessions or a pool. */
export const idleMemory: CheckSubject = {
  kind: 'check',
  id: 'memory-idle',
  title: 'memory of the idle stack, proportional',
  bars: idleBars,
  unit: 'MB',
  check: (bench) =>
    onSystem(bench, {}, async ({ stack }) => {
      await delay(settleMs);
      const used = usedBy(stack.processes);
      const figures = Object.fromEntries(Object.entries(used).map(([name, { pssMb }]) => [name, pssMb]));
      return atMost(idleBars, total(used).pssMb, figures);
    }),
};

/** Memory that each WebKit session on a small page adds to its node, with its share of the display. */
export const sessionMemory: CheckSubject = {
  kind: 'check',
  id: 'memory-session',
  title: `memory of a WebKit session, proportional, ${browsers} at once`,
  bars: sessionBars,
  unit: 'MB',
  check: (bench) =>
    onSite((site) => onSystem(bench, webKit({ waiting: 0 }), (system) => perSession(system, site))),
};

async function perSession({ stack, client }: SystemUnderTest, site: string): Promise<Finding> {
  const { node } = stack.processes;
  if (node === undefined) throw new Error('The stack has no node.');
  const before = total(usedBy({ node }));
  await inFlight(browsers, 1, async () => {
    const session = await client.create();
    await client.call('POST', `/v1/sessions/${session}/navigate`, { url: `${site}/` });
  });
  await delay(settleMs);
  const after = total(usedBy({ node }));
  return atMost(sessionBars, (after.pssMb - before.pssMb) / browsers, {
    node_before_mb: before.pssMb,
    node_after_mb: after.pssMb,
    processes_each: (after.processes - before.processes) / browsers,
  });
}
