import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, type NodeId, type SessionId } from '../../contracts/ids.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { answerHeartbeats } from './node-heartbeat.ts';

const node: NodeId = toId('node', randomUUID());
const [known, fresh] = [toId('session', randomUUID()), toId('session', randomUUID())];

describe('the answer to a heartbeat', () => {
  /** Says of each session whether it is orphaned, as the log does. */
  const logged = (ask: (id: SessionId) => Promise<boolean>) =>
    answerHeartbeats(
      { register: () => Promise.resolve(), authenticate: () => Promise.resolve('active') },
      { sessionsToDestroy: async (_node, [id]) => (id !== undefined && (await ask(id)) ? [id] : []) },
    );

  it('names orphans that are known while the log is silent about others, and those once it has answered', async () => {
    let answer: (isOrphan: boolean) => void = () => undefined;
    const silent = new Promise<boolean>((resolve) => (answer = resolve));
    const { sessionsToDestroy } = logged((id) => (id === known ? Promise.resolve(true) : silent));
    const startedAt = performance.now();
    expect(await sessionsToDestroy(node, [known, fresh])).to.deep.equal([known]);
    // A node gives up after 5 s.
    expect(performance.now() - startedAt).to.be.below(2_500);
    answer(true);
    expect(await sessionsToDestroy(node, [known, fresh])).to.deep.equal([known, fresh]);
  });

  it('comes while the log cannot be read', async () => {
    let isAway = true;
    const { sessionsToDestroy } = logged(async () => {
      if (isAway) throw new Error('away');
      return true;
    });
    expect(await sessionsToDestroy(node, [fresh])).to.deep.equal([]);
    isAway = false;
    await until(async () => (await sessionsToDestroy(node, [fresh])).length === 1);
  });
});
