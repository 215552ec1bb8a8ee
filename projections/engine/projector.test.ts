import { expect } from 'chai';
import { isAfter } from '../../infra/event-store/client/position.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import {
  aSession,
  anAccount,
  at,
  by,
  destroyed,
  ready,
  requested,
  sessionStream,
  startReadSide,
  type ReadSide,
} from '../testing/index.ts';
import { applyBatch, projections, projectionStatus } from '../index.ts';
import { live, readCheckpoint } from './checkpoint.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';

describe('the projector', () => {
  let side: ReadSide;
  beforeEach(async () => (side = await startReadSide()));
  afterEach(() => side.close());

  const statusOf = async (id: string) =>
    (await side.rows('select status from read_model.sessions where id = $1', [id]))[0]?.status;

  it('shows a session in the state its events left it in', async () => {
    const [session, account] = [aSession(), anAccount()];
    await side.append(sessionStream(session), [requested(session, account), ready(session)], by(account));
    side.project();
    await side.caughtUp();

    const [row] = await side.rows('select * from read_model.sessions where id = $1', [session]);
    expect(row).to.include({ account_id: account, status: 'ready', label: 'a label' });
    expect(row?.metadata).to.deep.equal({ team: 'blue' });
    expect(row?.created_at).to.deep.equal(new Date(at));
  });

  it('stores text unchanged, whatever it contains, even after later events', async () => {
    const labels = ['"quoted"', 'back\\slash', 'NULL', '', '{a,b}', "it's", 'línea\n\t🙂', null];
    const account = anAccount();
    const ids = labels.map(aSession);
    for (const [i, id] of ids.entries()) {
      const metadata = { text: labels[i], nested: [{ deep: '\\"' }] };
      await side.append(
        sessionStream(id),
        [requested(id, account, { label: labels[i], metadata })],
        by(account),
      );
    }
    side.project();
    await side.caughtUp();
    for (const id of ids) await side.append(sessionStream(id), [ready(id)], by(account));
    await side.caughtUp();
    for (const [i, id] of ids.entries()) {
      const [row] = await side.rows(
        'select label, metadata, created_at from read_model.sessions where id = $1',
        [id],
      );
      const metadata = { text: labels[i], nested: [{ deep: '\\"' }] };
      expect(row).to.deep.equal({ label: labels[i], metadata, created_at: new Date(at) });
    }
  });

  it('starts timers when they are set, and drops them when they are obsolete', async () => {
    const [session, account] = [aSession(), anAccount()];
    const lease = '2026-01-02T03:05:00.000Z';
    side.project();
    const reserved = { accountId: account, sessionId: session, profileId: null, leaseExpiresAt: lease, at };
    await side.append(
      `account_slots-${account.slice(4)}`,
      [{ type: 'SlotReserved', data: reserved }],
      by(account),
    );
    await side.caughtUp();
    const kinds = async () =>
      (await side.rows('select kind from read_model.timers order by kind')).map((row) => row.kind);
    expect(await kinds()).to.deep.equal(['slot_lease']);

    await side.append(
      sessionStream(session),
      [requested(session, account, { expiresAt: lease })],
      by(account),
    );
    await side.caughtUp();
    expect(await kinds()).to.deep.equal(['creation_lease', 'duration_cap']);

    await side.append(sessionStream(session), [ready(session), destroyed(session)], by(account));
    await side.caughtUp();
    expect(await kinds()).to.deep.equal([]);
  });

  it('leaves everything as it is if events are redelivered', async () => {
    const [session, account] = [aSession(), anAccount()];
    await side.append(
      sessionStream(session),
      [requested(session, account), ready(session), destroyed(session)],
      by(account),
    );
    side.project();
    await side.caughtUp();
    const before = await everything(side);

    const events: RecordedEvent[] = [];
    for await (const event of side.store.readAll()) events.push(event);
    const client = await side.postgres.pool.connect();
    await applyBatch(client, live, projections, events.slice(0, 2));
    await applyBatch(client, live, projections, events);
    client.release();

    expect(await everything(side)).to.deep.equal(before);
  });

  it('lets one projector work; the other stands by and takes over', async () => {
    const first = side.project({ standbyMs: 20 });
    await until(() => first.working());
    const second = side.project({ standbyMs: 20 });
    const [session, account] = [aSession(), anAccount()];
    await side.append(sessionStream(session), [requested(session, account)], by(account));
    await side.caughtUp();
    expect([first.working(), second.working()]).to.deep.equal([true, false]);

    await first.close();
    await side.append(sessionStream(session), [ready(session)], by(account));
    await side.caughtUp();
    expect(second.working()).to.equal(true);
    expect(await statusOf(session)).to.equal('ready');
  });

  it('loses and repeats nothing when its connection is cut in the middle of batches', async () => {
    const account = anAccount();
    const ids = Array.from({ length: 60 }, aSession);
    side.project({ batchEvents: 7, batchWindowMs: 2, standbyMs: 20 });
    for (const id of ids) {
      await side.append(sessionStream(id), [requested(id, account), ready(id)], by(account));
      if (ids.indexOf(id) % 10 === 5) {
        await side.rows(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where pid <> pg_backend_pid() and datname = current_database()`,
        );
      }
    }
    await side.caughtUp();
    const rows = await side.rows("select count(*)::int as n from read_model.sessions where status = 'ready'");
    expect(rows).to.deep.equal([{ n: 60 }]);
    const audit = await side.rows(
      'select count(*)::int as n, max(sequence) as last from read_model.audit_log',
    );
    expect(audit).to.deep.equal([{ n: 60, last: 60 }]);
  });

  it('is not behind if the log ends with foreign events', async () => {
    const [session, account] = [aSession(), anAccount()];
    const status = async () => (await projectionStatus({ store: side.store, pool: side.postgres.pool }))[0];
    const projector = side.project();
    await side.append(sessionStream(session), [requested(session, account)], by(account));
    await side.caughtUp();
    await side.append(`tenant-${session.slice(4)}`, [ready(session)]);
    await side.store.setStreamMetadata(sessionStream(session), { maxCount: 1000 });
    expect(await status()).to.include({ behind: false });

    await projector.close();
    await side.append(sessionStream(session), [ready(session)], by(account));
    expect(await status()).to.include({ behind: true });
  });

  it('does not read foreign events behind its last own event again', async () => {
    const [session, account] = [aSession(), anAccount()];
    const first = side.project();
    const own = await side.append(sessionStream(session), [requested(session, account)], by(account));
    await side.caughtUp();
    // During a catch-up the checkpoint of a subscription lags behind its search: more events may follow until it has passed.
    let end = own;
    await until(async () => {
      const others = Array.from({ length: 400 }, () => ready(session));
      end = await side.append(`tenant-${session.slice(4)}`, others);
      return isAfter(await readCheckpoint(side.postgres.pool, live), own);
    });
    await first.close();
    const reached = await readCheckpoint(side.postgres.pool, live);
    expect(isAfter(reached, end)).to.equal(false);

    const from: unknown[] = [];
    const subscribe: typeof side.store.subscribe = (options) => {
      from.push(options.from);
      return side.store.subscribe(options);
    };
    const second = side.project({ store: { ...side.store, subscribe } });
    await until(() => from.length > 0);
    expect(from).to.deep.equal([reached]);
    const late = await side.append(sessionStream(session), [ready(session)], by(account));
    await side.caughtUp(late);
    expect(await statusOf(session)).to.equal('ready');
    await second.close();
  });

  it('moves its checkpoint past foreign events only once every event before them is applied', async () => {
    const account = anAccount();
    const ids = Array.from({ length: 40 }, aSession);
    const positions: bigint[] = [];
    for (const id of ids) {
      const requestedAt = await side.append(sessionStream(id), [requested(id, account)], by(account));
      positions.push(requestedAt.commit);
      await side.append(
        `tenant-${id.slice(4)}`,
        Array.from({ length: 40 }, () => ready(id)),
      );
    }
    side.project({ batchEvents: 3, batchWindowMs: 1 });
    const wrong: unknown[] = [];
    await until(async () => {
      const [seen] = await side.rows(
        `select (select count(*)::int from read_model.sessions) as shown,
           commit_position as reached
         from runtime.checkpoints where name = 'read_model'`,
      );
      const due = ids.filter((_, i) => BigInt(String(seen?.reached)) >= (positions[i] ?? 0n)).length;
      if (Number(seen?.shown) < due) wrong.push(seen);
      return seen?.shown === ids.length;
    });
    expect(wrong).to.deep.equal([]);
  });

  it('keeps its checkpoint at the last event it applied', async () => {
    const [session, account] = [aSession(), anAccount()];
    side.project();
    const position = await side.append(sessionStream(session), [requested(session, account)], by(account));
    await side.caughtUp();
    expect(await readCheckpoint(side.postgres.pool, live)).to.deep.equal(position);
  });
});

const everything = async (side: ReadSide) => ({
  sessions: await side.rows('select * from read_model.sessions'),
  audit: await side.rows('select * from read_model.audit_log order by sequence'),
  timers: await side.rows('select * from read_model.timers'),
  checkpoint: await readCheckpoint(side.postgres.pool, live),
});
