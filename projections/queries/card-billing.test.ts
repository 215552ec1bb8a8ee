import { expect } from 'chai';
import { uuidOf } from '../../contracts/ids.ts';
import { createCardChecks } from '../../infra/ephemeral/index.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { anAccount, at, by, logger, startReadSide, type ReadSide } from '../testing/index.ts';
import { cardChecksDue, cardChecksWanted } from './card-billing.ts';

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const now = Date.parse(at);

describe('the checks with the card processor', () => {
  let side: ReadSide;
  const account = anAccount();
  before(async () => {
    side = await startReadSide();
    side.project();
    const created = { type: 'CardCustomerCreated', data: { accountId: account, customerId: 'cus_1', at } };
    await side.append(`subscription-${uuidOf(account)}`, [created], by(account));
    await side.caughtUp();
  });
  after(() => side.close());
  beforeEach(() => side.postgres.pool.query('delete from ephemeral.card_checks'));

  const checksAt = (time: number) =>
    createCardChecks({ pool: side.postgres.pool, clock: { now: () => new Date(time) }, logger });
  const answered = (time: number) => checksAt(time).answered(account, new Date(time));
  const asked = (time: number) => ({
    ...{ now: new Date(time), before: new Date(time - minuteMs), limit: 10 },
  });
  const wanted = (time: number) => cardChecksWanted(side.postgres.pool, asked(time));
  const due = (time: number) => cardChecksDue(side.postgres.pool, asked(time), new Date(time - dayMs));
  const want = async (time: number) => {
    checksAt(time).want(account);
    const mark = 'select 1 from ephemeral.card_checks where wanted_at = $1';
    await until(async () => (await side.rows(mark, [new Date(time)])).length === 1);
  };

  it('are due once a day, and wanted at most once a minute', async () => {
    expect(await due(now)).to.deep.equal([account]);
    await answered(now);
    await want(now + minuteMs);
    expect([await due(now + dayMs), await wanted(now + minuteMs)]).to.deep.equal([[], []]);
    expect(await due(now + dayMs + 1)).to.deep.equal([account]);
    expect(await wanted(now + minuteMs + 1)).to.deep.equal([account]);
  });

  it('are due, once, after a clock that was ahead is set back', async () => {
    await answered(now + hourMs);
    expect(await due(now)).to.deep.equal([account]);
    await answered(now);
    expect(await due(now + 2 * minuteMs)).to.deep.equal([]);
  });

  it('are wanted, once, after a clock that was ahead is set back', async () => {
    await want(now + hourMs);
    await answered(now + hourMs);
    await want(now);
    expect(await wanted(now)).to.deep.equal([account]);
    await answered(now);
    expect(await wanted(now + 2 * minuteMs)).to.deep.equal([]);
  });

  it('that were wanted by a clock that was ahead are made once', async () => {
    await want(now + hourMs);
    expect(await wanted(now)).to.deep.equal([account]);
    await answered(now);
    expect(await wanted(now + 2 * minuteMs)).to.deep.equal([]);
  });

  it('keep the latest of two answers', async () => {
    await answered(now);
    await checksAt(now).answered(account, new Date(now - hourMs));
    const [row] = await side.rows('select asked_at, answered_at from ephemeral.card_checks');
    expect(row).to.deep.equal({ asked_at: new Date(now), answered_at: new Date(now) });
  });
});
