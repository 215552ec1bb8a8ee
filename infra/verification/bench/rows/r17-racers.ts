import { Agent } from 'undici';
import { startStoreProcess } from '../store-process.ts';
import { atMost, type CheckSubject } from '../subject.ts';
import { createSessions, instantFleet, post, startWriteSide } from '../write-side.ts';

const racers = 200;
const sessionCount = 20;
/** Longer than all racers take to arrive, so that all but the first of a session must be refused. */
const operateMs = 2000;

/** 200 racers on 20 sessions: 20 succeed, 180 get a 409, and the node gets 20 operations. */
export const racersOnSessions: CheckSubject = {
  kind: 'check',
  id: 'R17',
  title: '200 racers on 20 claimable sessions',
  bars: { pass: 0, stretch: 0 },
  unit: 'wrong outcomes',
  async check({ directory, logger }) {
    const process = await startStoreProcess(directory);
    const agent = new Agent({ connections: racers });
    const { fleet, dispatches } = instantFleet(operateMs);
    const side = await startWriteSide(process.url, fleet, logger);
    try {
      const sessions = await createSessions(agent, side.base, side.token, sessionCount);
      const navigate = (id: string) =>
        post(agent, `${side.base}/v1/sessions/${id}/navigate`, side.token, { url: 'http://sim.test/' });
      const alone = await timed(() => Promise.all(sessions.map(navigate)));
      dispatches.length = 0;
      const raced = await timed(() =>
        Promise.all(Array.from({ length: racers / sessionCount }, () => sessions.map(navigate)).flat()),
      );
      const count = (status: number) => raced.result.filter((answer) => answer.status === status).length;
      const figures = {
        wins: count(200),
        conflicts: count(409),
        dispatches: dispatches.length,
        uncontended_ms: Math.round(alone.milliseconds),
        raced_ms: Math.round(raced.milliseconds),
      };
      const wrong =
        Math.abs(figures.wins - sessionCount) +
        Math.abs(figures.conflicts - (racers - sessionCount)) +
        Math.abs(figures.dispatches - new Set(dispatches).size) +
        Math.abs(figures.dispatches - sessionCount);
      const finding = atMost({ pass: 0, stretch: 0 }, wrong, figures);
      return { ...finding, stretched: finding.passed && raced.milliseconds <= 3 * alone.milliseconds };
    } finally {
      await agent.close();
      await side.close();
      await process.stop();
    }
  },
};

async function timed<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly milliseconds: number }> {
  const startedAt = performance.now();
  return { result: await work(), milliseconds: performance.now() - startedAt };
}
