import { expect } from 'chai';
import type { RecordedEvent } from '../../../infra/event-store/client/types.ts';
import { Progress } from './progress.ts';

const event = (place: bigint): RecordedEvent => ({
  id: '0197f1a0-0000-7000-8000-000000000001',
  stream: 'session-0197f1a0-0000-7000-8000-000000000002',
  category: 'session',
  type: 'SessionReady',
  revision: place,
  position: { commit: place, prepare: place },
  data: {},
  metadata: {
    correlation_id: '0197f1a0-0000-7000-8000-000000000001',
    causation_id: '0197f1a0-0000-7000-8000-000000000001',
    actor: { kind: 'system', account_id: null },
    occurred_at: '2026-01-05T12:00:00.000Z',
    schema_version: 1,
    request_id: null,
  },
  created: new Date('2026-01-05T12:00:00.000Z'),
});

describe('the position up to which every reaction has taken effect', () => {
  it('never goes back, even if events are redelivered', async () => {
    const progress = new Progress({ atWork: 10, waiting: () => 0 });
    const reached: (bigint | undefined)[] = [];
    for (const place of [100n, 200n, 100n, 200n, 300n]) {
      await progress.start(event(place), () => Promise.resolve());
      await progress.settled();
      reached.push(progress.reached?.commit);
    }
    expect(reached).to.deep.equal([100n, 200n, 200n, 200n, 300n]);
  });

  it('passes foreign events once every earlier reaction is done', async () => {
    const progress = new Progress({ atWork: 10, waiting: () => 0 });
    progress.pass({ commit: 50n, prepare: 50n });
    expect(progress.reached?.commit).to.equal(50n);

    let end: () => void = () => undefined;
    await progress.start(event(100n), () => new Promise((resolve) => (end = resolve)));
    await progress.start(event(200n), () => Promise.resolve());
    progress.pass({ commit: 300n, prepare: 300n });
    progress.pass({ commit: 400n, prepare: 400n });
    expect(progress.reached?.commit).to.equal(50n);
    end();
    await progress.settled();
    expect(progress.reached?.commit).to.equal(400n);
  });

  it('is reached within a moment after one that held back hundreds of thousands', async () => {
    const progress = new Progress({ atWork: 10, waiting: () => 0 });
    let end: () => void = () => undefined;
    const last = 300_000n;
    await progress.start(event(0n), () => new Promise((resolve) => (end = resolve)));
    for (let place = 1n; place <= last; place += 1n)
      await progress.start(event(place), () => Promise.resolve());
    expect(progress.reached).to.equal(undefined);
    const before = process.cpuUsage();
    end();
    await progress.settled();
    expect(progress.reached?.commit).to.equal(last);
    expect(process.cpuUsage(before).user).to.be.below(1_000_000);
  });
});
