import { expect } from 'chai';
import type pg from 'pg';
import { sessionList } from '../../projections/queries/session.ts';
import { anAccount } from '../../projections/testing/index.ts';
import { createFreshReads } from './fresh-reads.ts';

/** Read models whose checkpoint is behind the account's last write until they were asked that often. */
function lateFor(attempts: number) {
  let asked = 0;
  const facts = { id: null, outdated: null, owner_suspended: false };
  const lastWrite = { last_write_commit: '2', last_write_prepare: '2' };
  const query = () => {
    asked += 1;
    const reached = asked > attempts ? '2' : '1';
    const row = { ...facts, ...lastWrite, reached_commit: reached, reached_prepare: reached };
    return Promise.resolve({ rows: [row] });
  };
  return { pool: { query } as unknown as pg.Pool, asked: () => asked };
}

describe('a read that waits for the read models', () => {
  const parameters = { accountId: anAccount(), beforeTime: 'infinity', beforeId: '', limit: 2 };
  const waitedFor = async (attempts: number, maxWaitMs: number) => {
    const { pool, asked } = lateFor(attempts);
    const { stale } = await createFreshReads({ pool, maxWaitMs }).read(sessionList, parameters);
    return { stale, asked: asked() };
  };

  it('is fresh as soon as they have what it needs', async () => {
    expect(await waitedFor(0, 1000)).to.deep.equal({ stale: false, asked: 1 });
    expect(await waitedFor(3, 10_000)).to.deep.equal({ stale: false, asked: 4 });
  });

  it('asks ever less often, so that reads do not add to the load of read models that are far behind', async () => {
    const { stale, asked } = await waitedFor(Infinity, 500);
    expect(stale).to.equal(true);
    expect(asked).to.be.within(2, 20);
  });
});
