import { expect } from 'chai';
import { live, lockCheckpoint, storeOutdated } from '../engine/checkpoint.ts';
import {
  aSession,
  anAccount,
  by,
  requested,
  sessionStream,
  startReadSide,
  type ReadSide,
} from '../testing/index.ts';
import { hasAccountEventsUpTo } from './account-event.ts';

describe('a query of the feed', () => {
  let side: ReadSide;
  before(async () => (side = await startReadSide()));
  after(() => side.close());

  it('is not answered as complete while its table has another version', async () => {
    const [account, session] = [anAccount(), aSession()];
    const position = await side.append(sessionStream(session), [requested(session, account)], by(account));
    const projector = side.project();
    await side.caughtUp();
    await projector.close();
    const { pool } = side.postgres;
    expect(await hasAccountEventsUpTo(pool, account, position)).to.equal(true);

    const client = await pool.connect();
    await lockCheckpoint(client, live);
    await storeOutdated(client, new Map([['sessions', { position, builder: null }]]));
    expect(await hasAccountEventsUpTo(pool, account, position)).to.equal(true);
    await storeOutdated(client, new Map([['account_events', { position, builder: null }]]));
    client.release();
    expect(await hasAccountEventsUpTo(pool, account, position)).to.equal(false);
  });
});
