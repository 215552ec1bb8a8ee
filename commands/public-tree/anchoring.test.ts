import { expect } from 'chai';
import pino from 'pino';
import { hourMs } from '../../contracts/durations.ts';
import { toId, type AccountId } from '../../contracts/ids.ts';
import type { PublicLeaf } from '../../contracts/audit/public-leaf.ts';
import { treeHash } from '../../contracts/audit/testing.ts';
import { readCheckpoint } from '../../contracts/audit/verify.mjs';
import { publicTreeUuid } from '../../domain/public-tree.ts';
import type { PublicTreeEvent } from '../../contracts/events/public-tree.ts';
import type { KeptHead } from '../../infra/notes/kept-head.ts';
import { AccountErased, SealUnreadable } from '../../infra/vault/index.ts';
import { createRunner, type Runner } from '../engine/runner.ts';
import { quiet, TestClock, useStore } from '../session/testing.ts';
import { createAnchoring, type AnchoringPorts } from './anchoring.ts';

const accountOf = (index: number): AccountId =>
  toId('account', `0197f1a0-0000-7000-8000-0000000000${String(index).padStart(2, '0')}`);

const rootOf = (leaves: readonly PublicLeaf[]): string =>
  treeHash(
    leaves.map(({ pseudonym, size, root }) => Buffer.from(`${pseudonym}\n${size}\n${root}\n`)),
  ).toString('base64');

class Killed extends Error {}

describe('anchoring', () => {
  const opened = useStore();
  let clock: TestClock;
  /** Number of entries per account; those in `erased` have no key. */
  let sizes: Map<AccountId, number>;
  let erased: Set<AccountId>;
  let kept: KeptHead | undefined;
  let origin: string;
  /** Why the signing of the log is stopped. */
  let stopped: string | null;
  let elapsed: number;
  /** Steps until the process is killed. */
  let left: number;

  /** The tests of this file share the stream; each reads from its own start. */
  let begun: number;
  const all = async () => {
    const events: PublicTreeEvent[] = [];
    for await (const { type, data } of opened.store.readStream(`public_tree-${publicTreeUuid}`))
      events.push({ type, data } as PublicTreeEvent);
    return events;
  };
  const since = async () => (await all()).slice(begun);
  const leavesIn = (events: readonly PublicTreeEvent[]) =>
    events.flatMap((event) => (event.type === 'HeadsAnchored' ? event.data.leaves : []));
  const headsIn = (events: readonly PublicTreeEvent[]) =>
    events.flatMap((event) => (event.type === 'PublicHeadSigned' ? [event.data] : []));

  /** Called before each asynchronous step, where a process may be killed. */
  const step = () => {
    if (left === 0) throw new Killed();
    left -= 1;
  };
  const dying = (runner: Runner): Runner => ({
    ...runner,
    run: (...args) => {
      step();
      return runner.run(...args);
    },
  });
  const start = (more: Partial<AnchoringPorts> = {}) =>
    createAnchoring({
      runner: dying(createRunner({ store: opened.store, logger: quiet, cacheEntries: 10 })),
      clock,
      vault: {
        salt: (owner) =>
          erased.has(owner as AccountId)
            ? Promise.reject(new AccountErased(owner))
            : Promise.resolve(Buffer.from(owner.slice(-32))),
      },
      logger: quiet,
      async *changedHeads() {
        const anchored = new Map(leavesIn(await all()).map(({ accountId, size }) => [accountId, size]));
        const changed = [...sizes].filter(([account, size]) => anchored.get(account) !== size);
        for (const [accountId, size] of changed)
          yield [{ accountId, size, root: Buffer.alloc(32, size).toString('base64') }];
      },
      projected: async () => leavesIn(await all()).length,
      rootAt: async (size) => rootOf(leavesIn(await all()).slice(0, size)),
      signer: () =>
        Promise.resolve({
          origin,
          sign: (size: number, root: string, more: readonly string[]) =>
            [origin, size, root, ...more, '', `\u2014 ${origin} AAAAAAAAAA==`, ''].join('\n'),
          check: () => Promise.resolve(stopped),
        }),
      kept: {
        read: () => Promise.resolve(kept),
        write: (head) => {
          step();
          kept = head;
          return Promise.resolve();
        },
      },
      intervalMs: hourMs,
      elapsed: () => elapsed,
      leavesAnEvent: 2,
      ...more,
    });
  const wait = (ms: number) => {
    clock.advance(ms);
    elapsed += ms;
  };
  let instance = 0;
  const change = (count: number) => {
    for (let index = 1; index <= count; index += 1) sizes.set(accountOf(index), (instance += 1));
  };

  before(() => {
    clock = new TestClock();
    elapsed = 0;
    origin = 'service.example/audit';
  });
  beforeEach(async () => {
    sizes = new Map();
    erased = new Set();
    stopped = null;
    left = Infinity;
    begun = (await all()).length;
    wait(hourMs);
  });

  it('writes the heads that have changed in chunks, in the order of their pseudonyms, and then one checkpoint', async () => {
    change(5);
    await start().round();
    const events = await since();
    expect(events.map(({ type }) => type)).to.deep.equal([
      ...['HeadsAnchored', 'HeadsAnchored', 'HeadsAnchored'],
      'PublicHeadSigned',
    ]);
    const pseudonyms = leavesIn(events).map(({ pseudonym }) => pseudonym);
    expect(pseudonyms).to.deep.equal([...pseudonyms].sort());
    const [head] = headsIn(events);
    expect(readCheckpoint(head?.note ?? '')).to.include({ origin, size: head?.size, root: head?.root });
    expect(kept).to.include({ origin, size: head?.size, root: head?.root, note: head?.note });
  });

  it('runs once per interval, also across processes, and only if a head has changed', async () => {
    change(1);
    const anchoring = start();
    await anchoring.round();
    change(1);
    for (const each of [anchoring, start()]) await each.round();
    expect(headsIn(await since())).to.have.lengthOf(1);
    wait(hourMs);
    await anchoring.round();
    expect(headsIn(await since())).to.have.lengthOf(2);
    wait(hourMs);
    for (const each of [anchoring, start()]) await each.round();
    expect(headsIn(await since())).to.have.lengthOf(2);
  });

  it('continues after the clock was set back', async () => {
    change(1);
    await start().round();
    clock.advance(-2 * hourMs);
    change(1);
    await start().round();
    expect(headsIn(await since())).to.have.lengthOf(2);
    clock.advance(2 * hourMs);
  });

  it('leaves out accounts whose key is destroyed', async () => {
    change(2);
    erased.add(accountOf(1));
    await start().round();
    expect(leavesIn(await since()).map(({ accountId }) => accountId)).to.deep.equal([accountOf(2)]);
  });

  it('leaves out an account whose key cannot be read until it can, and logs it', async () => {
    change(2);
    const lines: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
    const salt = (owner: string) =>
      owner === accountOf(1)
        ? Promise.reject(new SealUnreadable('There is no key.'))
        : Promise.resolve(Buffer.from(owner.slice(-32)));
    await start({ logger, vault: { salt } }).round();
    expect(leavesIn(await since()).map(({ accountId }) => accountId)).to.deep.equal([accountOf(2)]);
    expect(lines.join()).to.contain(accountOf(1)).and.not.to.contain(accountOf(2));
    wait(hourMs);
    await start().round();
    expect(leavesIn(await since()).map(({ accountId }) => accountId)).to.deep.equal(
      [2, 1].map((index) => accountOf(index)),
    );
  });

  it('waits for read models that lag', async () => {
    change(1);
    await start({ projected: () => Promise.resolve(0) }).round();
    expect(await since()).to.deep.equal([]);
  });

  it('anchors nothing while signing is stopped, and logs why', async () => {
    change(1);
    const before = kept;
    stopped = 'The audit log is shorter than what was signed of it.';
    const lines: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line) => void lines.push(line) });
    const anchoring = start({ logger });
    await anchoring.round();
    expect([await since(), kept]).to.deep.equal([[], before]);
    expect(lines.join()).to.contain(stopped);
    stopped = null;
    await anchoring.round();
    expect(leavesIn(await since())).to.have.lengthOf(1);
  });

  it('that was killed before any of its steps is completed by the next one, and signs no size twice', async () => {
    // Three chunks, the kept head, and the event of its note.
    for (let steps = 0; steps <= 5; steps += 1) {
      change(5);
      const before = await all();
      left = steps;
      const outcome = await start()
        .round()
        .catch((error: unknown) => error);
      expect(outcome instanceof Killed, String(outcome)).to.equal(steps < 5);
      left = Infinity;
      await start().round();
      const added = (await all()).slice(before.length);
      expect(leavesIn(added), String(steps)).to.have.lengthOf(5);
      expect(headsIn(added).map(({ size }) => size)).to.deep.equal([leavesIn(await all()).length]);
      wait(hourMs);
    }
    const notes = headsIn(await all());
    expect(new Set(notes.map(({ size }) => size)).size).to.equal(notes.length);
  });

  it('by two at once adds each head once; one of them may fail', async () => {
    change(5);
    const outcomes = await Promise.allSettled([start().round(), start().round()]);
    expect(outcomes.map(({ status }) => status)).to.include('fulfilled');
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).to.include({ slug: 'conflict' });
    const added = await since();
    expect(leavesIn(added).length).to.equal(new Set(leavesIn(added).map(({ pseudonym }) => pseudonym)).size);
    const notes = headsIn(await all());
    expect(new Set(notes.map(({ size }) => size)).size).to.equal(notes.length);
  });

  it('contradicts no signed head: an older log is refused until a new log is started, which names the old head', async () => {
    change(1);
    await start().round();
    wait(hourMs);
    change(1);
    const signed = kept;
    expect(signed).not.to.equal(undefined);
    if (signed === undefined) return;
    for (const other of [{ size: signed.size + 1 }, { root: Buffer.alloc(32).toString('base64') }]) {
      kept = { ...signed, ...other };
      const outcome = await start()
        .round()
        .catch((error: unknown) => error);
      expect(String(outcome)).to.match(/PublicHeadContradicted: .*older/);
      expect(await start().contradiction()).to.match(/older/);
    }
    expect(headsIn(await since())).to.have.lengthOf(1);
    kept = { ...signed, size: signed.size + 1 };
    origin = 'service.example/audit-next';
    await start().round();
    expect(await start().contradiction()).to.equal(null);
    const [, note] = headsIn(await since()).map((head) => head.note);
    expect(note).to.contain(`\nfollows service.example/audit ${signed.size + 1} ${signed.root}\n`);
    expect(kept).to.include({ origin });
    wait(hourMs);
    change(1);
    await start().round();
    expect(headsIn(await since()).at(-1)?.note).not.to.contain('follows');
  });
});
