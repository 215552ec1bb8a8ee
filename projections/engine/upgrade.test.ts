import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { migrate, postgresMigrations } from '../../infra/postgres/index.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import {
  aSession,
  anAccount,
  by,
  ready,
  requested,
  sessionStream,
  startReadSide,
  type ReadSide,
} from '../testing/index.ts';
import { gatedReads } from '../testing/gated-reads.ts';
import { counting, toCome } from '../testing/next-release.ts';
import { readRelease, restore } from '../testing/release.ts';
import { story, tell } from '../testing/story.ts';
import {
  listParked,
  projectionMigrations,
  projectionStatus,
  projections,
  rebuildProjection,
  retryParked,
  rollbackProjection,
  verifyProjection,
} from '../index.ts';
import type { Projection } from './projection.ts';
import { recordedVersions } from './recorded-versions.ts';
import { sessions } from '../read-models/session.ts';
import { replaceTable } from './rebuild.ts';
import { versionOf } from './table.ts';
import { live, loadCheckpoint } from './checkpoint.ts';
import { markOutdated } from './upgrade.ts';

const account = anAccount();
const fast = { standbyMs: 10, maxBackoffMs: 20, batchWindowMs: 1 };

describe('a database of an earlier release', () => {
  for (const release of readdirSync(new URL('../testing/releases/', import.meta.url))) {
    describe(release, () => {
      let side: ReadSide;
      const written = readRelease(release);
      before(async () => {
        side = await startReadSide((stores) => restore(written, stores));
        side.project(fast);
        await side.caughtUp();
        await until(async () => {
          const versions = await recordedVersions(side.postgres.pool, 'read_model');
          return projections.every(({ name, table }) => versions.get(name) === versionOf(table));
        });
      });
      after(() => side.close());

      for (const { name, table } of projections) {
        it(`serves ${name} as this release would have made it`, async () => {
          const verdict = await verifyProjection(name, { store: side.store, pool: side.postgres.pool });
          expect(verdict.matches).to.equal(true);
          const rows = written.tables[`read_model.${name}`];
          const isBuiltAnew =
            rows === undefined || (await recordedVersions(side.postgres.pool, 'previous')).has(name);
          // A table that this release builds anew may have more rows, of events that had none before.
          if (isBuiltAnew) expect(verdict.live.rows).to.be.at.least(rows?.length ?? 0);
          else expect(verdict.live.rows).to.equal(rows.length);
          const versions = await recordedVersions(side.postgres.pool, 'read_model');
          expect(versions.get(name)).to.equal(versionOf(table));
        });
      }

      it('leaves events parked that could not be applied', async () => {
        const parked = await listParked(side.postgres.pool);
        expect(parked.map(({ eventId }) => eventId)).to.have.members(
          written.tables['runtime.parked']?.map(({ event_id }) => event_id) ?? [],
        );
      });

      it('continues where the earlier release stopped', async () => {
        const session = aSession();
        await side.append(sessionStream(session), [requested(session, account)], by(account));
        await side.caughtUp();
        expect(await side.rows('select id from read_model.sessions where id = $1', [session])).to.have.length(
          1,
        );
      });
    });
  }
});

describe('a read model of another version', () => {
  let side: ReadSide;
  beforeEach(async () => {
    side = await startReadSide();
    await tell(side, story);
  });
  afterEach(() => side.close());

  const version = async (schema: 'read_model' | 'previous' = 'read_model') =>
    (await recordedVersions(side.postgres.pool, schema)).get('sessions');
  const isOf = ({ table }: Projection) => until(async () => (await version()) === versionOf(table));
  const options = () => ({ store: side.store, pool: side.postgres.pool });
  const status = async (name: string) =>
    (await projectionStatus(options())).find(({ projection }) => projection === name);
  const wrong = () =>
    side.rows('select id from read_model.sessions where events is null or events < 1 or events > 8');
  /** Closes the first release's projector at the end of the log. */
  const firstRelease = async () => {
    const projector = side.project(fast);
    await side.caughtUp();
    await projector.close();
  };

  it('is served unchanged while its replacement is built; all other tables continue', async () => {
    await firstRelease();
    const before = await side.rows('select id, label, status from read_model.sessions order by id');
    const gate = gatedReads(side.store);
    side.project({ ...fast, store: gate.store, projections: toCome });
    await gate.reached;

    const late = aSession();
    await side.append(sessionStream(late), [requested(late, account), ready(late)], by(account));
    await side.caughtUp();
    expect(await side.rows('select id, label, status from read_model.sessions order by id')).to.deep.equal(
      before,
    );
    expect(
      await side.rows('select id from read_model.audit_log where account_id = $1', [account]),
    ).to.have.length(1);
    expect(await status('sessions')).to.deep.include({ behind: true, rows: before.length });
    expect((await status('sessions'))?.building?.fraction).to.be.within(0, 1);
    expect(await status('audit_log')).to.include({ behind: false, building: null });

    gate.open();
    await isOf(counting);
    const now = await side.rows(
      'select id, label, status from read_model.sessions where id <> $1 order by id',
      [late],
    );
    expect(now).to.deep.equal(before);
    expect(await side.rows('select events from read_model.sessions where id = $1', [late])).to.deep.equal([
      { events: 2 },
    ]);
    expect(await wrong()).to.deep.equal([]);
    expect((await loadCheckpoint(side.postgres.pool, live)).outdated.size).to.equal(0);
    expect(await version('previous')).to.equal(versionOf(sessions.table));
  });

  it('is rebuilt by the earlier release too, when that is started again', async () => {
    const later = side.project({ ...fast, projections: toCome });
    await isOf(counting);
    await later.close();
    side.project(fast);
    await isOf(sessions);
    await side.caughtUp();
    expect((await verifyProjection('sessions', options())).matches).to.equal(true);
  });

  it('is never written to by the projector of the release before', async () => {
    const [earlier, later] = [side.project(fast), side.project({ ...fast, projections: toCome })];
    await until(() => earlier.working() || later.working());
    for (let i = 0; i < 4; i += 1) {
      const session = aSession();
      await side.append(sessionStream(session), [requested(session, account), ready(session)], by(account));
      await side.caughtUp();
      await side.rows(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where pid <> pg_backend_pid() and datname = current_database()`,
      );
    }
    await earlier.close();
    await isOf(counting);
    await side.caughtUp();
    await until(async () => (await loadCheckpoint(side.postgres.pool, live)).outdated.size === 0);
    expect(await wrong()).to.deep.equal([]);
    expect(await listParked(side.postgres.pool)).to.deep.equal([]);
  });

  it('is not replaced by a builder whose projector has lost its lock to another', async () => {
    await firstRelease();
    const gate = gatedReads(side.store);
    const client = await side.postgres.pool.connect();
    await markOutdated(client, toCome, 'one');
    const { signal } = new AbortController();
    const replacing = replaceTable(counting, 'one', signal, { ...options(), store: gate.store }).catch(
      String,
    );
    await gate.reached;
    await markOutdated(client, toCome, 'two');
    gate.open();
    expect(await replacing).to.contain('has taken over');
    expect(await version()).to.equal(versionOf(sessions.table));

    await replaceTable(counting, 'two', signal, options());
    expect(await version()).to.equal(versionOf(counting.table));
    client.release();
  });

  it('is replaced in the end, wherever the build and the swap are interrupted', async () => {
    await firstRelease();
    // The first try fails at its first DDL statement, the next one at its second, and so on.
    await side.rows(`
      create sequence defined;
      create function cut_off() returns event_trigger language plpgsql as $$
      declare n bigint := nextval('defined');
      begin
        if exists (select from generate_series(1, 16) as tries where n = tries * (tries + 1) / 2) then
          perform pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid();
          perform pg_terminate_backend(pg_backend_pid());
        end if;
      end $$;
      create event trigger cut_off on ddl_command_start execute function cut_off();`);
    side.project({ ...fast, projections: toCome });
    await until(async () => (await version()) === versionOf(counting.table), { limitMs: 15_000 });
    await until(async () => (await loadCheckpoint(side.postgres.pool, live)).outdated.size === 0);
    const [cuts] = await side.rows('select last_value::integer as n from defined');
    expect(cuts?.n).to.be.greaterThan(10);
    expect(await wrong()).to.deep.equal([]);
    expect(await listParked(side.postgres.pool)).to.deep.equal([]);
  });

  it('is not touched by commands of the other release, and neither are its parked events', async () => {
    const poisoned = aSession();
    await side.append(sessionStream(poisoned), [ready(poisoned)], by(account));
    const later = side.project({ ...fast, projections: toCome });
    await isOf(counting);
    await side.caughtUp();
    await later.close();
    const parked = await listParked(side.postgres.pool);
    expect(parked.map(({ row }) => row)).to.deep.equal([poisoned]);

    const refused = `its projector builds it anew`;
    expect(await rebuildProjection('sessions', options()).catch(String)).to.contain(refused);
    expect(await verifyProjection('sessions', options()).catch(String)).to.contain(refused);
    expect(await retryParked(options())).to.deep.equal({ applied: 0, stillParked: 1 });
    expect(await listParked(side.postgres.pool)).to.deep.equal(parked);
    expect(await status('sessions')).to.include({
      version: versionOf(counting.table),
      wanted_version: versionOf(sessions.table),
    });
  });

  it('cannot be rolled back to', async () => {
    const later = side.project({ ...fast, projections: toCome });
    await isOf(counting);
    await later.close();
    side.project(fast);
    await isOf(sessions);
    expect(await rollbackProjection('sessions', options()).catch(String)).to.contain('of another version');
  });

  it('takes the version of this release when it has none, the same columns and indexes, and its first handlers', async () => {
    const [first] = projections.filter(({ table }) => table.handlers === 1);
    if (first === undefined) throw new Error('Every read model has had other handlers.');
    const recorded = (schema: 'read_model' | 'previous') => recordedVersions(side.postgres.pool, schema);
    await firstRelease();
    await side.rows(`comment on table read_model.${first.name} is null`);
    side.project(fast);
    await until(async () => (await recorded('read_model')).get(first.name) === versionOf(first.table));
    expect((await recorded('previous')).has(first.name)).to.equal(false);
  });

  for (const change of [
    'alter table read_model.sessions drop column label',
    'alter table read_model.sessions alter column label type varchar',
    'alter table read_model.sessions add column more text',
    'create index on read_model.sessions (label)',
  ]) {
    it(`is built anew when it has no version, after ${change}`, async () => {
      await firstRelease();
      await side.rows(`comment on table read_model.sessions is null; ${change}`);
      side.project(fast);
      await isOf(sessions);
      expect(await version('previous')).to.equal(null);
      expect((await verifyProjection('sessions', options())).matches).to.equal(true);
    });
  }

  it('is filled from the start of the log when it is new', async () => {
    await firstRelease();
    const expected = await side.rows('select * from read_model.nodes order by id');
    await side.rows(
      `drop table read_model.nodes; delete from runtime.migrations where id = 'projections/nodes-1'`,
    );
    await migrate(side.postgres.pool, [...postgresMigrations, ...projectionMigrations]);
    expect(await status('nodes')).to.include({ rows: 0, checkpoint: null, behind: true });
    side.project(fast);
    await until(async () => (await status('nodes'))?.behind === false);
    expect(await side.rows('select * from read_model.nodes order by id')).to.deep.equal(expected);
  });
});
