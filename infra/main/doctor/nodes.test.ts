import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { pino } from 'pino';
import { toId } from '../../../contracts/ids.ts';
import { loadConfig } from '../../config/index.ts';
import { fleetMigrations } from '../../fleet/control-plane/registry.ts';
import { connectPostgres, migrate, type Postgres } from '../../postgres/index.ts';
import { freshDatabase, type TestDatabase } from '../../verification/testbed/index.ts';
import { openRegistry } from '../composition/stores.ts';
import { nodes } from './parts.ts';
import type { Patient } from './patient.ts';

describe('the doctor, about nodes', () => {
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

  const examined = () => nodes({ config, pool: () => postgres.pool } as Patient);
  const beats = (draining: boolean) =>
    openRegistry(config, postgres.pool).heartbeat(
      {
        ...{ node_id: toId('node', randomUUID()), url: 'http://node.test' },
        status: { driver: 'simulated', capacity: 1, sessions: [], draining },
      },
      'a credential',
    );

  it('advises to start a node where there is none, and to undrain one where all drain', async () => {
    expect((await examined()).advice).to.match(/^Start a node: /);
    await beats(true);
    const { state, says, advice } = await examined();
    expect([state, says]).to.deep.equal(['ill', '1 of 1 node live, room for 0 sessions: all drain']);
    expect(advice).to.match(/^Run `service nodes undrain`.*: npm start -- --roles node/);
    await beats(false);
    expect((await examined()).state).to.equal('well');
  });
});
