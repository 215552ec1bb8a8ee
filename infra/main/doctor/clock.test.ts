import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { pino } from 'pino';
import type { NodeStatus } from '../../../contracts/fleet/protocol.ts';
import { toId, type NodeId } from '../../../contracts/ids.ts';
import { loadConfig } from '../../config/index.ts';
import { fleetMigrations } from '../../fleet/control-plane/registry.ts';
import { connectPostgres, migrate, type Postgres } from '../../postgres/index.ts';
import { freshDatabase, type TestDatabase } from '../../verification/testbed/index.ts';
import { openRegistry } from '../composition/stores.ts';
import { clock } from './stores.ts';

describe('the doctor, about clocks', () => {
  const config = loadConfig({ MASTER_KEY: Buffer.alloc(32, 7).toString('base64') });
  let database: TestDatabase;
  let postgres: Postgres;
  beforeEach(async () => {
    database = await freshDatabase();
    postgres = connectPostgres({ url: database.url, logger: pino({ level: 'silent' }) });
    await migrate(postgres.pool, fleetMigrations);
  });
  afterEach(async () => {
    await postgres.close();
    await database.drop();
  });

  const examined = () => clock({ config, pool: () => postgres.pool });
  const beats = async (aheadMs?: number, node_id = toId('node', randomUUID())): Promise<NodeId> => {
    const status: NodeStatus = { driver: 'simulated', capacity: 1, sessions: [], draining: false };
    const sentAt = aheadMs === undefined ? [] : [new Date(Date.now() + aheadMs)];
    const beat = { node_id, url: 'http://node.test', status };
    await openRegistry(config, postgres.pool).heartbeat(beat, 'a credential', ...sentAt);
    return node_id;
  };

  it('finds nothing where they agree, or a node of an earlier release says nothing of its own', async () => {
    await beats(0);
    await beats();
    const { state, says } = await examined();
    expect(state).to.equal('well');
    expect(says).to.match(/^\d+ ms (ahead of|behind) that of Postgres$/);
  });

  it('names each node whose clock is off, and how far', async () => {
    await beats(0);
    const [ahead, behind] = [await beats(30_000), await beats(-30_000)];
    const { state, says } = await examined();
    expect(state).to.equal('ill');
    expect(says).to.match(new RegExp(`that of ${ahead} is (29|30)\\d{3} ms ahead of it`));
    expect(says).to.match(new RegExp(`that of ${behind} is 3\\d{4} ms behind it`));
    expect(says.match(/nod_/g)).to.have.length(2);
  });

  it('does not take a heartbeat that was long on its way for a clock that is behind', async () => {
    const node = await beats(0);
    for (let times = 0; times < 2; times += 1) await beats(-60_000, node);
    expect((await examined()).state).to.equal('well');
    await beats(-60_000, node);
    expect((await examined()).says).to.include(`that of ${node} is`);
  });
});
