import { expect } from 'chai';
import type { EventStore, Position, RecordedEvent } from '../../infra/event-store/client/types.ts';
import { rebuildProjection } from '../index.ts';
import {
  anAccount,
  aSession,
  ready,
  recorded,
  requested,
  startReadSide,
  type ReadSide,
} from '../testing/index.ts';
import { applyBatch } from '../engine/apply-batch.ts';
import { live } from '../engine/checkpoint.ts';
import { committedMinutes } from './committed-minute.ts';

const at = (time: string): Date => new Date(`2026-03-03T${time}Z`);

describe('the table of committed minutes', () => {
  let side: ReadSide;
  beforeEach(async () => (side = await startReadSide()));
  afterEach(() => side.close());

  const event = (commit: bigint, created: Date): RecordedEvent => ({
    ...recorded(`session-${aSession().slice(4)}`, ready(aSession())),
    position: { commit, prepare: commit },
    created,
  });
  async function applied(...batches: readonly (readonly RecordedEvent[])[]): Promise<unknown[]> {
    const client = await side.postgres.pool.connect();
    try {
      for (const batch of batches) await applyBatch(client, live, [committedMinutes], batch);
    } finally {
      client.release();
    }
    const rows = await side.rows(
      'select minute, commit_position from read_model.committed_minutes order by minute',
    );
    return rows.map(({ minute, commit_position }) => [
      (minute as Date).toISOString().slice(11, 16),
      Number(commit_position),
    ]);
  }

  it('has the last position committed by each minute', async () => {
    const times = ['09:00:00.001', '09:00:30.000', '09:00:58.999', '09:01:10.000', '09:30:00.000'];
    expect(await applied(times.map((time, index) => event(BigInt(index), at(time))))).to.deep.equal([
      ['09:01', 2],
      ['09:02', 3],
      ['09:31', 4],
    ]);
  });

  it('assigns an event just before a full minute to the next one: it may not have been committed yet', async () => {
    expect(await applied([event(1n, at('09:00:59.000')), event(2n, at('09:00:59.001'))])).to.deep.equal([
      ['09:01', 1],
      ['09:02', 2],
    ]);
  });

  it('never goes back with a clock, within a batch and over several', async () => {
    const [early, late] = [at('09:00:00'), at('09:10:30')];
    const batches = [[event(1n, early), event(2n, late), event(3n, early)], [event(4n, early)]];
    expect(await applied(...batches)).to.deep.equal([
      ['09:01', 1],
      ['09:11', 4],
    ]);
  });

  it('is the same after a rebuild', async () => {
    const [session, account] = [aSession(), anAccount()];
    side.project();
    for (const each of [requested(session, account), ready(session)])
      await side.append(`session-${session.slice(4)}`, [each]);
    await side.caughtUp();
    const rows = () => side.rows('select * from read_model.committed_minutes order by minute');
    const before = await rows();
    const [last] = await lastOf(side.store);
    expect(before.at(-1)).to.include({ commit_position: String(last?.commit) });
    await rebuildProjection(committedMinutes.name, { store: side.store, pool: side.postgres.pool });
    expect(await rows()).to.deep.equal(before);
  });
});

async function lastOf(store: EventStore): Promise<Position[]> {
  const positions: Position[] = [];
  for await (const { position } of store.readAll({
    direction: 'backwards',
    limit: 1,
    prefixes: ['session-'],
  }))
    positions.push(position);
  return positions;
}
