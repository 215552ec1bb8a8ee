import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { pino } from 'pino';
import type { NodeStatus } from '../../../contracts/fleet/protocol.ts';
import { toId } from '../../../contracts/ids.ts';
import { connectPostgres } from '../../postgres/index.ts';
import { freshDatabase } from '../../verification/testbed/index.ts';
import { createNodeRegistry, fleetMigrations } from './registry.ts';

describe('the registry of nodes', () => {
  it('has when a node that is being stopped ends its browsers, until a heartbeat says nothing of it', async () => {
    const database = await freshDatabase(fleetMigrations);
    const postgres = connectPostgres({ url: database.url, logger: pino({ level: 'silent' }) });
    const registry = createNodeRegistry({ pool: postgres.pool, sealingKeys: [Buffer.alloc(32, 7)] });
    const status: NodeStatus = { driver: 'simulated', capacity: 1, sessions: [], draining: true };
    const beat = { node_id: toId('node', randomUUID()), url: 'http://a.test', status };
    const leavesIn = async () => (await registry.list())[0]?.leavesInMs;
    await registry.heartbeat(beat, 'credential', new Date(), 60_000);
    expect(await leavesIn()).to.be.within(30_000, 60_000);
    await registry.heartbeat(beat, 'credential', new Date());
    expect(await leavesIn()).to.equal(null);
    await postgres.close();
    await database.drop();
  });

  it('returns the URL of the heartbeat before, which another process may have received', async () => {
    const database = await freshDatabase(fleetMigrations);
    const postgres = connectPostgres({ url: database.url, logger: pino({ level: 'silent' }) });
    const started = () => createNodeRegistry({ pool: postgres.pool, sealingKeys: [Buffer.alloc(32, 7)] });
    const [one, other] = [started(), started()];
    const node_id = toId('node', randomUUID());
    const status: NodeStatus = { driver: 'simulated', capacity: 1, sessions: [], draining: false };
    const beat = (url: string) => ({ node_id, url, status });
    const former = [
      await one.heartbeat(beat('http://a.test'), 'credential'),
      await other.heartbeat(beat('http://b.test'), 'credential'),
      await one.heartbeat(beat('http://b.test'), 'credential'),
      await one.heartbeat({ ...beat('http://c.test'), node_id: toId('node', randomUUID()) }, 'credential'),
    ];
    expect(former).to.deep.equal([undefined, 'http://a.test', 'http://b.test', undefined]);
    await postgres.close();
    await database.drop();
  });
});
