import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { dayOf, keepDays } from '../../infra/postgres/index.ts';
import { applyBatch } from '../engine/apply-batch.ts';
import { live } from '../engine/checkpoint.ts';
import { rebuildProjection, rollbackProjection, verifyProjection } from '../index.ts';
import { anAccount, aSession, by, ready, recorded, sessionStream } from '../testing/index.ts';
import { startReadSide, type ReadSide } from '../testing/index.ts';
import { causes } from './cause.ts';

describe('the table of causes', () => {
  let side: ReadSide;
  beforeEach(async () => (side = await startReadSide()));
  afterEach(() => side.close());

  const rows = () =>
    side.rows('select * from read_model.causes order by commit_position, prepare_position, id');
  const event = (day: number, metadata: Partial<RecordedEvent['metadata']> = {}): RecordedEvent => ({
    ...recorded(sessionStream(aSession()), ready(aSession()), metadata),
    created: new Date(day * 86_400_000),
  });
  let commit = 0n;
  /** Applies batches in log order. */
  async function apply(...batches: readonly (readonly RecordedEvent[])[]): Promise<void> {
    const client = await side.postgres.pool.connect();
    try {
      for (const batch of batches) {
        const placed = batch.map((each) => ({
          ...each,
          position: { commit: (commit += 1n), prepare: commit },
        }));
        await applyBatch(client, live, [causes], placed);
      }
    } finally {
      client.release();
    }
  }
  const days = async () => (await rows()).map(({ day }) => day);

  it('keeps the days of the store, even if its clock goes back before dropped days', async () => {
    await keepDays(side.postgres.pool, 2);
    await apply([event(100), event(101)], [event(102)], [event(103)]);
    expect(await days()).to.deep.equal([101, 102, 103]);
    await apply([event(100), event(103), event(99)]);
    expect(await days()).to.deep.equal([101, 102, 103, 100, 103, 99]);
  });

  it('keeps the days before today, even if an event is dated far ahead', async () => {
    const today = dayOf(new Date());
    await keepDays(side.postgres.pool, 2);
    await apply([event(today - 1)], [event(today)], [event(today + 400)]);
    expect(await days()).to.deep.equal([today - 1, today, today + 400]);
  });

  it('has the known parts of events of earlier releases, whose cause may be a text', async () => {
    const cause = randomUUID();
    const [old, sentence] = [
      event(100, { correlation_id: 'root-of-old', causation_id: cause }),
      event(100, { correlation_id: 'root-of-old', causation_id: 'attempt 1 of a delivery' }),
    ];
    await apply([old, sentence]);
    expect((await rows()).map(({ root, cause: named, by: ran }) => [root, named, ran])).to.deep.equal([
      ['root-of-old', cause, null],
      ['root-of-old', null, null],
    ]);
  });

  it('is the same after a rebuild and after its rollback, and continues', async () => {
    const { store } = side;
    const options = { store, pool: side.postgres.pool };
    side.project();
    const account = anAccount();
    const goOn = async () => {
      await side.append(sessionStream(aSession()), [ready(aSession())], by(account));
      await side.caughtUp();
      return rows();
    };
    const before = await goOn();
    await rebuildProjection(causes.name, options);
    expect(await rows()).to.deep.equal(before);
    const after = await goOn();
    expect(after).to.have.length(before.length + 1);
    await rollbackProjection(causes.name, options);
    expect(await rows()).to.deep.equal(after);
    expect(await goOn()).to.have.length(after.length + 1);
    expect(await verifyProjection(causes.name, options)).to.include({ matches: true });
    const today = dayOf(new Date());
    expect(new Set(await days())).to.deep.equal(new Set([today]));
  });
});
