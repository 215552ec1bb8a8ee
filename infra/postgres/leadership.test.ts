import { expect } from 'chai';
import { pino } from 'pino';
import { freshDatabase, until } from '../verification/testbed/index.ts';
import { connectPostgres } from './index.ts';
import { leadInTerms } from './leadership.ts';

describe('a leader', () => {
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
