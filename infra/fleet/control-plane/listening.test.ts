import { expect } from 'chai';
import { pino } from 'pino';
import { connectPostgres } from '../../postgres/index.ts';
import { freshDatabase, until } from '../../verification/testbed/index.ts';
import { keepListening } from './listening.ts';
import { createNodeRegistry, fleetMigrations } from './registry.ts';

describe('an ingress that records that it listens', () => {
  it('does so only while the log can be read, but records its presence at all times', async () => {
    const logger = pino({ level: 'silent' });
    const database = await freshDatabase(fleetMigrations);
    const postgres = connectPostgres({ url: database.url, logger });
    const registry = createNodeRegistry({ pool: postgres.pool, sealingKeys: [Buffer.alloc(32, 7)] });
    let isAway = true;
    let asked = 0;
    const ping = async () => {
      asked += 1;
      if (isAway) throw new Error('away');
    };
    const options = { registry, instance: 'one', heartbeatMs: 50, ping, logger };
    const listening = keepListening(options);
    await until(() => asked > 1);
    await until(async () => (await registry.instances()).includes('one'));
    expect(await registry.listeningForMs()).to.equal(0);

    isAway = false;
    await until(async () => (await registry.listeningForMs()) > 0);
    isAway = true;
    await until(async () => (await registry.listeningForMs()) === 0);
    listening.close();
    await postgres.close();
    await database.drop();
  });
});
