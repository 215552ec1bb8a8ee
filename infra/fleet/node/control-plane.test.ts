import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import pino from 'pino';
import { toId } from '../../../contracts/ids.ts';
import { startSilentHost } from '../testing/silent-host.ts';
import { createControlPlane } from './control-plane.ts';

describe('a node whose control plane cannot be reached', () => {
  it('gives up a heartbeat after its own limit, which includes the connection', async () => {
    const [url, close] = await startSilentHost();
    const logger = pino({ level: 'silent' });
    const controlPlane = createControlPlane({ url, logger, joinToken: 'a', credential: 'b', callMs: 100 });
    const status = { driver: 'simulated', capacity: 1, sessions: [], draining: false } as const;
    const beat = { node_id: toId('node', randomUUID()), url: 'http://node.test', status };
    const startedAt = performance.now();
    const failure: unknown = await controlPlane.heartbeat(beat).catch((error: unknown) => error);
    expect(String(failure)).to.include('TimeoutError');
    expect(performance.now() - startedAt).to.be.lessThan(5_000);
    await controlPlane.close();
    await close();
  });
});
