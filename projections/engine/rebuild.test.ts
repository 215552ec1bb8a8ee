import { expect } from 'chai';
import { categories as contracts } from '../../contracts/events/index.ts';
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
import {
  listParked,
  projections,
  rebuildProjection,
  rollbackProjection,
  verifyProjection,
} from '../index.ts';
import type { Progress } from './replay.ts';
import { committedMinutes } from '../read-models/committed-minute.ts';
import { story, tell } from '../testing/story.ts';

describe('a rebuild', () => {
  let side: ReadSide;
  beforeEach(async () => (side = await startReadSide()));
  afterEach(() => side.close());

  const account = anAccount();
  const addSessions = async (count: number) => {
    for (let i = 0; i < count; i += 1) {
      const id = aSession();
      await side.append(sessionStream(id), [requested(id, account), ready(id)], by(account));
    }
  };
  const options = () => ({ store: side.store, pool: side.postgres.pool, batchEvents: 16 });
  const count = async (table: string) =>
    Number((await side.rows(`select count(*) as n from ${table}`))[0]?.n);

  it('finds that the live table equals the log', async () => {
    side.project();
    await tell(side, story);
    await side.caughtUp();
    expect(await listParked(side.postgres.pool)).to.deep.equal([]);
    for (const { name } of projections) {
      const verdict = await verifyProjection(name, options());
      expect(verdict).to.include({ projection: name, matches: true });
      expect(verdict.live.rows, name).to.be.greaterThan(0);
    }
  });

  // The table of committed minutes ignores events' data.
  it('is tested with every event type that a read model uses', () => {
    const covered = new Set(
      story.flatMap(({ category, types }) => types.map((type) => `${category} ${type}`)),
    );
    // `causes` makes the same row of each.
    const used = projections
      .filter((each) => each !== committedMinutes && each.name !== 'causes')
      .flatMap(({ categories, types }) =>
        categories.flatMap((category) =>
          Object.keys(contracts[category]?.types ?? {})
            .filter((type) => types.has(type))
            .map((type) => `${category} ${type}`),
        ),
      );
    expect([...covered]).to.include.members(used);
  });

  it('finds a damaged table, and repairs it', async () => {
    side.project();
    await addSessions(10);
    await side.caughtUp();
    await side.rows(
      "update read_model.sessions set label = 'damaged' where id in (select id from read_model.sessions limit 1)",
    );
    expect((await verifyProjection('sessions', options())).matches).to.equal(false);

    await rebuildProjection('sessions', options());
    expect((await verifyProjection('sessions', options())).matches).to.equal(true);
  });

  it('serves readers and keeps projecting while it runs, and loses nothing', async () => {
    side.project({ batchWindowMs: 1 });
    await addSessions(60);
    await side.caughtUp();

    const done = new AbortController();
    const seen: number[] = [];
    const reader = (async () => {
      while (!done.signal.aborted) seen.push(await count('read_model.sessions'));
    })();
    const writer = addSessions(40);
    for (let i = 0; i < 3; i += 1) await rebuildProjection('sessions', options());
    await writer;
    await side.caughtUp();
    done.abort();
    await reader;

    expect(seen).to.deep.equal(
      [...seen].sort((a, b) => a - b),
      'no reader ever saw fewer sessions than before',
    );
    expect(await count('read_model.sessions')).to.equal(100);
    expect((await verifyProjection('sessions', options())).matches).to.equal(true);
  });

  it('builds the same audit chain again', async () => {
    side.project();
    await addSessions(10);
    await side.caughtUp();
    const chain = () =>
      side.rows('select account_id, sequence, id, hash from read_model.audit_log order by 1, 2');
    const before = await chain();
    await rebuildProjection('audit_log', options());
    expect(await chain()).to.deep.equal(before);
  });

  it('can be rolled back to the previous table, which catches up first', async () => {
    side.project();
    await addSessions(3);
    await side.caughtUp();
    await side.rows("update read_model.sessions set label = 'before'");
    await rebuildProjection('sessions', options());
    expect(await side.rows('select distinct label from read_model.sessions')).to.deep.equal([
      { label: 'a label' },
    ]);

    const late = aSession();
    await side.append(sessionStream(late), [requested(late, account), destroyed(late)], by(account));
    await side.caughtUp();
    await rollbackProjection('sessions', options());
    expect(
      await side.rows('select label, count(*)::int as n from read_model.sessions group by 1 order by 1'),
    ).to.deep.equal([
      { label: 'a label', n: 1 },
      { label: 'before', n: 3 },
    ]);
    await rollbackProjection('sessions', options());
    expect(await side.rows('select distinct label from read_model.sessions')).to.deep.equal([
      { label: 'a label' },
    ]);
  });

  it('starts cleanly after an interrupted one, and refuses a second one at the same time', async () => {
    side.project();
    await addSessions(12);
    await side.caughtUp();
    let second: unknown;
    const { readAll } = side.store;
    const interrupted = rebuildProjection('sessions', {
      ...options(),
      store: {
        ...side.store,
        async *readAll(range) {
          second = await rebuildProjection('sessions', options()).catch(String);
          yield* readAll(range);
        },
      },
      batchEvents: 4,
      onProgress: () => {
        throw new Error('interrupted');
      },
    });
    expect(await interrupted.catch(String)).to.equal('Error: interrupted');
    expect(second).to.match(/being rebuilt/);

    expect((await rebuildProjection('sessions', options())).matches).to.equal(true);
    expect(await count('read_model.sessions')).to.equal(12);
  });

  it('reports its progress', async () => {
    side.project();
    await addSessions(20);
    await side.caughtUp();
    const reports: Progress[] = [];
    await verifyProjection('sessions', { ...options(), onProgress: (progress) => reports.push(progress) });
    expect(reports.at(-1)).to.include({ projection: 'sessions', events: 40, fraction: 1, secondsLeft: 0 });
    expect(reports.map(({ fraction }) => fraction)).to.deep.equal(
      reports.map(({ fraction }) => fraction).sort(),
    );
  });
});
