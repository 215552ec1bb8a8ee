import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { pino } from 'pino';
import { toId, uuidOf } from '../../../contracts/ids.ts';
import { anAccount, at, by, startReadSide, type ReadSide } from '../../../projections/testing/index.ts';
import { loadConfig } from '../../config/index.ts';
import { fleetMigrations } from '../../fleet/control-plane/registry.ts';
import { connectPostgres, migrate, type Postgres } from '../../postgres/index.ts';
import { runService } from '../../verification/testbed/service.ts';
import { openRegistry } from '../composition/stores.ts';
import { operatorOf } from './testing.ts';

describe('service nodes revoke', () => {
  let side: ReadSide;
  let postgres: Postgres;
  before(async () => {
    side = await startReadSide();
    postgres = connectPostgres({ url: side.url, logger: pino({ level: 'silent' }) });
    await migrate(postgres.pool, fleetMigrations);
  });
  after(async () => {
    await postgres.close();
    await side.close();
  });

  it('withdraws a node from placement at once, without waiting for its next heartbeat', async () => {
    const environment = operatorOf(side);
    const registry = openRegistry(loadConfig(environment), postgres.pool);
    const nodeId = toId('node', randomUUID());
    const registered = { type: 'NodeRegistered', data: { nodeId, name: 'one', credentialHash: 'hash', at } };
    await side.append(`node-${uuidOf(nodeId)}`, [registered], by(anAccount()));
    const status = { driver: 'simulated' as const, capacity: 1, sessions: [], draining: false };
    await registry.heartbeat({ node_id: nodeId, url: 'http://node.test', status }, 'a credential');
    const { status: exit, stdout } = await runService(['nodes', 'revoke', nodeId], environment);
    expect([exit, stdout]).to.deep.equal([0, `${nodeId}: revoke done\n`]);
    expect(await registry.list()).to.deep.equal([]);
  });
});
