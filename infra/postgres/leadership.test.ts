import { once } from 'node:events';
import { expect } from 'chai';
import { pino } from 'pino';
import { freshDatabase, gate, until } from '../verification/testbed/index.ts';
import { connectPostgres } from './index.ts';
import { leadInTerms } from './leadership.ts';

describe('a leader', () => {
  it('counts as working no longer once its connection is lost, even if its work has not ended', async () => {
    const logger = pino({ level: 'silent' });
    const database = await freshDatabase();
    const postgres = connectPostgres({ url: database.url, logger });
    const { pool } = postgres;
    const blocked = gate();
    let terms = 0;
    const candidate = { pool, logger, lock: 'projector', standbyMs: 20, maxBackoffMs: 20 } as const;
    const leader = leadInTerms(candidate, async ({ client, signal }) => {
      terms += 1;
      if (terms === 1) {
        await client.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
        await blocked.pass();
      } else await once(signal, 'abort');
    });
    await until(() => terms === 1 && !leader.working());
    blocked.open();
    await until(() => terms === 2 && leader.working());
    await leader.close();
    expect(leader.working()).to.equal(false);
    await postgres.close();
    await database.drop();
  });

  it('allows any number of listeners to the end of a term, without a warning of Node', async () => {
    const logger = pino({ level: 'silent' });
    const database = await freshDatabase();
    const postgres = connectPostgres({ url: database.url, logger });
    const warnings: string[] = [];
    const note = ({ name }: Error) => void warnings.push(name);
    process.on('warning', note);
    let ended = 0;
    const candidate = {
      pool: postgres.pool,
      logger,
      lock: 'projector',
      standbyMs: 50,
      maxBackoffMs: 50,
    } as const;
    const leader = leadInTerms(candidate, async ({ signal }) => {
      const parts = Array.from(
        { length: 40 },
        () =>
          new Promise<void>((resolve) => {
            signal.addEventListener('abort', () => resolve());
          }),
      );
      await Promise.all(parts.map((part) => part.then(() => (ended += 1))));
    });
    await until(() => leader.working());
    await leader.close();
    // Warnings are emitted in the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect([ended, warnings]).to.deep.equal([40, []]);
    await postgres.close();
    await database.drop();
  });
});
