import { expect } from 'chai';
import type { AccountId } from '../../contracts/ids.ts';
import { isAfter } from '../../infra/event-store/client/position.ts';
import type { EventStore, Position, RecordedEvent } from '../../infra/event-store/client/types.ts';
import { systemClock, type Clock } from '../../infra/platform/clock.ts';
import { buildPast, inPastSchema, projections, rebuildProjection, type Moment } from '../index.ts';
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
import { minuteOf } from '../read-models/committed-minute.ts';
import { story, storyAccount, tell } from '../testing/story.ts';

describe('the read models of a past', () => {
  let side: ReadSide;
  beforeEach(async () => (side = await startReadSide()));
  afterEach(() => side.close());

  const tablesOf = async (schema: string) => {
    const rows: Record<string, unknown> = {};
    for (const { name } of projections) {
      const where = name === 'profiles' ? "where status <> 'purged'" : '';
      rows[name] = await side.rows(`select * from ${schema}.${name} as each ${where} order by each::text`);
    }
    return rows;
  };
  const pastAt = <T>(
    moment: Moment,
    work: (schema: string) => Promise<T>,
    { account, ...ports }: { account?: AccountId; clock?: Clock; store?: EventStore } = {},
  ) =>
    inPastSchema(side.postgres.pool, async (client, schema) => {
      const { signal } = new AbortController();
      const options = { store: side.store, clock: systemClock, signal, account, batchEvents: 16, ...ports };
      const reached = await buildPast(client, schema, moment, options);
      return { reached, found: await work(schema) };
    });
  const schemas = async () =>
    (await side.rows(`select nspname as name from pg_namespace where nspname like 'as\\_of\\_%'`)).map(
      ({ name }) => name,
    );
  /** The same log with other commit times: `at` returns the time of the event with the number. */
  const committed = (at: (event: RecordedEvent, number: number) => Date): EventStore => ({
    ...side.store,
    readAll: async function* (options) {
      let number = 0;
      for await (const event of side.store.readAll(options)) yield { ...event, created: at(event, number++) };
    },
  });
  const headOf = async (): Promise<Position> => {
    const head = await side.store.head();
    if (head === undefined) throw new Error('The log is empty.');
    return head;
  };

  it('equal the live ones of that moment, by position and by time', async () => {
    side.project();
    const half = story.length / 2;
    await tell(side, story.slice(0, half));
    await side.caughtUp();
    const [live, position] = [await tablesOf('read_model'), await headOf()];
    const minute = new Date(minuteOf({ created: new Date() }));
    const session = aSession();
    await side.append(sessionStream(session), [requested(session, storyAccount)], by(storyAccount));
    await tell(side, story.slice(half));
    await side.caughtUp();

    const byPosition = await pastAt(position, tablesOf);
    expect(byPosition.found).to.deep.equal(live);
    expect(byPosition.reached.position).to.deep.equal(position);
    const soon = (date: Date) => new Date(date.getTime() + 120_000);
    const store = committed(({ created, position: of }) => (isAfter(of, position) ? soon(created) : created));
    const ahead = { now: () => soon(new Date()) };
    const byTime = await pastAt(minute, tablesOf, { clock: ahead, store });
    expect(byTime).to.deep.equal({ reached: { position, at: minute }, found: live });
  });

  it('end at the position that the table of minutes has for a time, like the past of a single resource', async () => {
    await tell(side, story.slice(0, 3));
    const began = Date.parse('2026-03-03T09:00:30Z');
    // Minutes with two events, some with an earlier time than the previous event.
    const store = committed((_, number) => new Date(began + 60_000 * (number >> 1) - 45_000 * (number % 2)));
    const now = new Date();
    const ports = { store, clock: { now: () => now } };
    const at = (moment: Moment) => pastAt(moment, async () => undefined, ports);
    const { found: minutes } = await pastAt(
      await headOf(),
      (schema) => side.rows(`select * from ${schema}.committed_minutes order by minute`),
      ports,
    );
    expect(minutes.length).to.be.greaterThan(2);
    for (const [index, { minute, commit_position, prepare_position }] of minutes.entries()) {
      const position = { commit: BigInt(String(commit_position)), prepare: BigInt(String(prepare_position)) };
      const [time, next] = [minute as Date, minutes[index + 1]?.minute as Date | undefined];
      const lastMoment = new Date((next?.getTime() ?? now.getTime()) - 1);
      const moment = index % 2 === 0 ? time : lastMoment;
      expect((await at(moment)).reached).to.deep.equal({ position, at: moment });
      expect((await at(position)).reached).to.deep.equal({ position, at: next ?? now });
    }
  });

  it('contain one account if they are built for one', async () => {
    await tell(side, story);
    const other = anAccount();
    const session = aSession();
    await side.append(
      sessionStream(session),
      [requested(session, other), ready(session), destroyed(session)],
      by(other),
    );
    const head = await headOf();
    const now = new Date();
    const ports = { clock: { now: () => now } };
    const rowsOf = (schema: string, account: AccountId) =>
      Promise.all(
        projections
          .filter(({ table }) => 'account_id' in table.columns)
          .map(({ name }) =>
            side.rows(`select * from ${schema}.${name} as each where account_id = $1 order by each::text`, [
              account,
            ]),
          ),
      );
    const whole = await pastAt(head, (schema) => rowsOf(schema, storyAccount), ports);
    const own = await pastAt(head, (schema) => rowsOf(schema, storyAccount), {
      account: storyAccount,
      ...ports,
    });
    expect(own).to.deep.equal(whole);
    const foreign = await pastAt(head, (schema) => rowsOf(schema, other), { account: storyAccount });
    expect(foreign.found.flat()).to.deep.equal([]);
  });

  it('do not contain a profile that was purged since', async () => {
    side.project();
    const purged = story.find(
      ({ category, types }) => category === 'profile' && types.includes('ProfilePurged'),
    );
    if (purged === undefined) throw new Error('No profile of the story is purged.');
    await tell(side, [{ ...purged, types: ['ProfileCreated'] }]);
    const position = await headOf();
    const profiles = (schema: string) => side.rows(`select id from ${schema}.profiles`);
    expect((await pastAt(position, profiles)).found).to.have.length(1);
    await tell(side, [{ ...purged, types: ['ProfileTrashed', 'ProfilePurged'] }]);
    await side.caughtUp();
    expect((await pastAt(position, profiles)).found).to.deep.equal([]);
  });

  it('assign a profile that was transferred since to its current account', async () => {
    side.project();
    const given = story.find(({ types }) => types.includes('ProfileTransferred'));
    if (given === undefined) throw new Error('No profile of the story is given away.');
    await tell(side, [{ ...given, types: ['ProfileCreated'] }]);
    await side.caughtUp();
    const owners = (schema: string) => side.rows(`select id, account_id from ${schema}.profiles`);
    const [position, [before]] = [await headOf(), await owners('read_model')];
    await tell(side, [{ ...given, types: ['ProfileTransferred'] }]);
    await side.caughtUp();
    const { found } = await pastAt(position, owners);
    expect(found).to.deep.equal(await owners('read_model'));
    expect(found).not.to.deep.equal([before]);
  });

  it('follow a table of now that is replaced, and do not hold the former one', async () => {
    side.project();
    const given = story.find(({ types }) => types.includes('ProfileTransferred'));
    if (given === undefined) throw new Error('No profile of the story is given away.');
    await tell(side, [{ ...given, types: ['ProfileCreated'] }]);
    await side.caughtUp();
    const owners = (schema: string) => side.rows(`select id, account_id from ${schema}.profiles`);
    await pastAt(await headOf(), async (schema) => {
      const options = { store: side.store, pool: side.postgres.pool };
      for (let times = 0; times < 2; times += 1) await rebuildProjection('profiles', options);
      await tell(side, [{ ...given, types: ['ProfileTransferred'] }]);
      await side.caughtUp();
      expect(await owners(schema)).to.deep.equal(await owners('read_model'));
    });
  });

  it('are dropped with their process or, if it was killed, by the next one; those of running ones stay', async () => {
    await tell(side, story.slice(0, 2));
    const { pool } = side.postgres;
    await pool.query('create schema as_of_0123456789ab; create table as_of_0123456789ab.sessions (id text)');
    const target = ['as_of_0123456789ab', 1, 1];
    await pool.query(
      'insert into runtime.checkpoints (name, commit_position, prepare_position) values ($1, $2, $3)',
      target,
    );
    await pastAt(await headOf(), async (first) => {
      expect(await schemas()).to.deep.equal([first]);
      await pastAt(await headOf(), async (second) => {
        expect(await schemas()).to.have.members([first, second]);
      });
      expect(await schemas()).to.deep.equal([first]);
    });
    expect(await schemas()).to.deep.equal([]);
    expect(await side.rows('select name from runtime.checkpoints')).to.deep.equal([]);
  });

  it('are refused for a moment in the future, or before the log', async () => {
    const refused = async (moment: Moment) => {
      try {
        await pastAt(moment, async () => undefined);
      } catch (error) {
        return error instanceof Error ? error.message : undefined;
      }
      return 'built';
    };
    expect(await refused(new Date())).to.equal('The log has no events.');
    await tell(side, story.slice(0, 1));
    const { commit, prepare } = await headOf();
    const tomorrow = new Date(Date.now() + 86_400_000);
    expect(await refused(tomorrow)).to.equal(`${tomorrow.toISOString()} is in the future.`);
    expect(await refused({ commit: commit + 1n, prepare })).to.equal(`The log ends at ${commit}/${prepare}.`);
    expect(await refused(new Date(0))).to.match(/^The first event of the log is of 20\d\d-/);
    expect(await schemas()).to.deep.equal([]);
  });
});
