import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, type SessionId } from '../../contracts/ids.ts';
import type { NodeCommands } from '../../commands/node/index.ts';
import { createCredential, hashCredential, nodeIdOf } from '../../infra/fleet/control-plane/credential.ts';
import type { NodeRow } from '../../infra/fleet/control-plane/registry.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { answerHeartbeats } from './node-heartbeat.ts';

const credential = createCredential();
const [node, hash] = [nodeIdOf(credential), hashCredential(credential)];
const [known, fresh] = [toId('session', randomUUID()), toId('session', randomUUID())];
const row = { nodeId: node, draining: false } as NodeRow;

interface Surroundings {
  /** Whether a session is orphaned, by the log. */
  readonly isOrphan?: (id: SessionId) => Promise<boolean>;
  /** By the log. */
  readonly authenticate?: NodeCommands['authenticate'];
  /** The last heartbeats. */
  readonly rows?: () => readonly NodeRow[];
}

const answering = ({
  isOrphan = () => Promise.resolve(false),
  authenticate = () => Promise.reject(new Error('away')),
  rows = () => [],
}: Surroundings) =>
  answerHeartbeats(
    { authenticate, register: () => Promise.resolve() },
    { sessionsToDestroy: async (_node, [id]) => (id !== undefined && (await isOrphan(id)) ? [id] : []) },
    {
      list: async () => rows(),
      address: async (id) =>
        rows().some(({ nodeId }) => nodeId === id) ? { url: 'http://node.test', credential } : undefined,
    },
  );

describe('the answer to a heartbeat', () => {
  it('names orphans that are known while the log is silent about others, and those once it has answered', async () => {
    let answer: (isOrphan: boolean) => void = () => undefined;
    const silent = new Promise<boolean>((resolve) => (answer = resolve));
    const { sessionsToDestroy } = answering({
      isOrphan: (id) => (id === known ? Promise.resolve(true) : silent),
    });
    const startedAt = performance.now();
    expect(await sessionsToDestroy(node, [known, fresh])).to.deep.equal([known]);
    // A node waits 5 s.
    expect(performance.now() - startedAt).to.be.below(3_000);
    answer(true);
    expect(await sessionsToDestroy(node, [known, fresh])).to.deep.equal([known, fresh]);
  });

  it('comes while the log cannot be read', async () => {
    let isAway = true;
    const { sessionsToDestroy } = answering({
      isOrphan: async () => {
        if (isAway) throw new Error('away');
        return true;
      },
    });
    expect(await sessionsToDestroy(node, [fresh])).to.deep.equal([]);
    isAway = false;
    await until(async () => (await sessionsToDestroy(node, [fresh])).length === 1);
  });
});

describe('the status of a node that is not cached', () => {
  const asked = ({ nodes }: ReturnType<typeof answering>, presented = hash) =>
    nodes.authenticate(node, presented).catch((error: unknown) => String(error));

  it('is the one with which it was admitted last, while the log cannot be read', async () => {
    expect(await asked(answering({ rows: () => [row] }))).to.equal('active');
    expect(await asked(answering({ rows: () => [{ ...row, draining: true }] }))).to.equal('draining');
    const silent = () => new Promise<never>(() => undefined);
    expect(await asked(answering({ authenticate: silent, rows: () => [row] }))).to.equal('active');
  });

  it('is unavailable then to another credential, and for a node without a heartbeat', async () => {
    expect(await asked(answering({ rows: () => [row] }), hashCredential('another'))).to.equal('Error: away');
    expect(await asked(answering({}))).to.equal('Error: away');
  });

  it('is that of the log, however late, for a node without a heartbeat', async () => {
    let answer: (status: 'revoked') => void = () => undefined;
    const late = new Promise<'revoked'>((resolve) => (answer = resolve));
    let isLookedUp = false;
    const rows = () => {
      isLookedUp = true;
      return [];
    };
    const { nodes } = answering({ authenticate: () => late, rows });
    const status = nodes.authenticate(node, hash);
    await until(() => isLookedUp);
    answer('revoked');
    expect(await status).to.equal('revoked');
  });
});
