import { expect } from 'chai';
import {
  aSession,
  anAccount,
  by,
  destroyed,
  ready,
  requested,
  sessionStream,
  startReadSide,
  type ReadSide,
} from '../testing/index.ts';
import { listParked, projections, rebuildProjection, retryParked } from '../index.ts';
import { countParked, type Parked } from './parking.ts';

describe('an event that cannot be applied', () => {
  let side: ReadSide;
  beforeEach(async () => (side = await startReadSide()));
  afterEach(() => side.close());

  const account = anAccount();
  const parkedSessions = async () =>
    (await listParked(side.postgres.pool)).filter(({ projection }) => projection === 'sessions');
  const sessionIds = async () => (await side.rows('select id from read_model.sessions')).map(({ id }) => id);

  it('is parked with its reason; later ones of its row wait in order; everything else goes on', async () => {
    const [poisoned, sound] = [aSession(), aSession()];
    const reported: Parked[] = [];
    await side.append(sessionStream(poisoned), [ready(poisoned), destroyed(poisoned)], by(account));
    await side.append(sessionStream(sound), [requested(sound, account)], by(account));
    side.project({ observer: { parked: (each) => reported.push(each) } });
    await side.caughtUp();

    const parked = await parkedSessions();
    expect(parked.map(({ eventType }) => eventType)).to.deep.equal(['SessionReady', 'SessionDestroyed']);
    expect(parked[0]?.reason).to.contain('not there');
    expect(parked[1]?.reason).to.contain('waits behind');
    expect(await sessionIds()).to.deep.equal([sound]);
    expect(reported.filter(({ projection }) => projection === 'sessions')).to.have.length(2);
  });

  it('is found among the good events of its batch if Postgres refuses it', async () => {
    const sessions = Array.from({ length: 9 }, aSession);
    for (const [i, id] of sessions.entries()) {
      const changes = i === 4 ? { at: 'no time at all' } : {};
      await side.append(sessionStream(id), [requested(id, account, changes)], by(account));
    }
    side.project();
    await side.caughtUp();
    expect(await parkedSessions()).to.have.length(1);
    expect(await sessionIds()).to.have.members(sessions.filter((_, i) => i !== 4));
  });

  it('keeps later events of its row waiting across batches and restarts', async () => {
    const poisoned = aSession();
    const first = side.project();
    await side.append(sessionStream(poisoned), [ready(poisoned)], by(account));
    await side.caughtUp();
    await first.close();
    side.project();
    await side.append(sessionStream(poisoned), [destroyed(poisoned)], by(account));
    await side.caughtUp();
    expect((await parkedSessions()).map(({ eventType }) => eventType)).to.deep.equal([
      'SessionReady',
      'SessionDestroyed',
    ]);
  });

  it('is applied with all that waited, in order, once its problem is fixed', async () => {
    const id = aSession();
    const broken = projections.map((each) =>
      each.name === 'sessions' ? failingOn(each, 'SessionReady') : each,
    );
    const projector = side.project({ projections: broken });
    await side.append(sessionStream(id), [requested(id, account), ready(id), destroyed(id)], by(account));
    await side.caughtUp();
    expect(await parkedSessions()).to.have.length(2);
    await projector.close();

    expect(await retryParked({ store: side.store, pool: side.postgres.pool })).to.deep.equal({
      applied: 2,
      stillParked: 0,
    });
    expect(await parkedSessions()).to.deep.equal([]);
    const [row] = await side.rows(
      'select status, ready_at is not null as was_ready from read_model.sessions',
    );
    expect(row).to.deep.equal({ status: 'destroyed', was_ready: true });
  });

  it('stays parked, with everything behind it, when it fails again', async () => {
    const id = aSession();
    side.project();
    await side.append(sessionStream(id), [ready(id), destroyed(id)], by(account));
    await side.caughtUp();
    await retryParked({ store: side.store, pool: side.postgres.pool });
    expect((await parkedSessions()).map(({ attempts }) => attempts)).to.deep.equal([2, 1]);
  });

  it('counts no more once its table is replaced by one that has it, and is kept for a rollback', async () => {
    const id = aSession();
    const broken = projections.map((each) =>
      each.name === 'sessions' ? failingOn(each, 'SessionReady') : each,
    );
    const projector = side.project({ projections: broken });
    await side.append(sessionStream(id), [requested(id, account), ready(id), destroyed(id)], by(account));
    await side.caughtUp();
    const { pool } = side.postgres;
    expect([...(await countParked(pool))]).to.deep.equal([['sessions', 2]]);
    await projector.close();

    await rebuildProjection('sessions', { store: side.store, pool });
    expect(await parkedSessions()).to.deep.equal([]);
    expect([...(await countParked(pool))]).to.deep.equal([]);
    const kept = await side.rows("select schema from runtime.parked where projection = 'sessions'");
    expect(kept).to.deep.equal([{ schema: 'previous' }, { schema: 'previous' }]);
  });
});

/** The projection with a bug in one of its handlers. */
function failingOn(projection: (typeof projections)[number], type: string): (typeof projections)[number] {
  return {
    ...projection,
    open: async (client, schema, events) => {
      const fold = await projection.open(client, schema, events);
      return {
        ...fold,
        apply(event) {
          if (event.type === type) throw new Error('a mistake in the handler');
          fold.apply(event);
        },
      };
    },
  };
}
