import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import type { EventStore, RecordedEvent } from '../../../infra/event-store/client/types.ts';
import { isAfter, origin } from '../../../infra/event-store/client/position.ts';
import { gate, until } from '../../../infra/verification/testbed/index.ts';
import { openStore } from '../../session/testing.ts';
import { metadata, never, startFollowing, type Kept } from './testing.ts';
import type { ProcessManager } from './process-manager.ts';
import { retryParked } from './reactions.ts';

describe('partitions', () => {
  let opened: Awaited<ReturnType<typeof openStore>>;
  let store: EventStore;
  before(async () => {
    opened = await openStore();
    ({ store } = opened);
  });
  after(() => opened.close());

  /** Event type, distinct for each test; its events have their partition and their position in it. */
  let type = '';
  beforeEach(() => (type = `Placed${uuidv7().replaceAll('-', '')}`));

  async function append(...partitionNames: readonly string[]): Promise<void> {
    const places = new Map<string, number>();
    const events = partitionNames.map((partition) => {
      const place = (places.get(partition) ?? 0) + 1;
      places.set(partition, place);
      return { id: uuidv7(), type, data: { partition, place }, metadata };
    });
    await store.append(`partitions-${type}`, 'no_stream', events);
  }

  const placeOf = ({ data }: RecordedEvent) => data as { readonly partition: string; readonly place: number };
  const nameOf = (event: RecordedEvent): string => `${placeOf(event).partition}${placeOf(event).place}`;
  const partitionOf = (event: RecordedEvent): string | undefined =>
    placeOf(event).partition === 'free' ? undefined : placeOf(event).partition;
  const manager = (handle: (name: string) => Promise<void>): ProcessManager => ({
    name: 'in-partitions',
    types: [type],
    partition: partitionOf,
    handle: (event) => handle(nameOf(event)),
  });

  const start = (handle: (name: string) => Promise<void>, kept?: Kept) =>
    startFollowing({ store, managers: [manager(handle)], concurrency: 4, ...(kept && { kept }) });

  const namesOf = (partition: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${partition}${i + 1}`);

  it('keep the order of the log, despite failures and different durations', async () => {
    const partitionNames = Array.from({ length: 120 }, (_, index) => 'abc'[(index * 7) % 3] ?? 'a');
    await append(...partitionNames);
    const done: string[] = [];
    const tries = new Map<string, number>();
    const host = start(async (name) => {
      const tried = (tries.get(name) ?? 0) + 1;
      tries.set(name, tried);
      for (let turns = (name.length * 7 + tried * 3) % 5; turns > 0; turns -= 1) await turn();
      if (tried <= Number(name.slice(1)) % 3) throw new Error('not yet');
      done.push(name);
    });
    await until(() => done.length === 120);
    for (const partition of ['a', 'b', 'c'])
      expect(done.filter((name) => name.startsWith(partition))).to.deep.equal(namesOf(partition, 40));
    await host.close();
    expect(host.kept.position).not.to.equal(undefined);
  });

  it('do not delay each other, nor reactions without a partition, however many wait', async () => {
    await append(...Array<string>(50).fill('a'), 'free', 'b', 'b');
    const blocked = gate();
    const done: string[] = [];
    const host = start(async (name) => {
      if (name === 'a1') await blocked.pass();
      done.push(name);
    });
    await until(() => done.length === 3);
    expect(done).to.have.members(['free1', 'b1', 'b2']);
    for await (const first of store.readAll({ prefixes: [`partitions-${type}`], limit: 1 })) {
      const { position = origin } = host.kept;
      expect(isAfter(first.position, position)).to.equal(true);
    }
    blocked.open();
    await until(() => done.length === 53);
    await host.close();
  });

  it('run no more reactions at once than the host allows', async () => {
    await append(...Array.from({ length: 60 }, (_, index) => (index < 30 ? 'a' : `partition${index}-`)));
    let atWork = 0;
    let most = 0;
    let done = 0;
    const host = start(async () => {
      most = Math.max(most, (atWork += 1));
      await turn();
      atWork -= 1;
      done += 1;
    });
    await until(() => done === 60);
    expect(most).to.equal(4);
    await host.close();
  });

  it('continue after a parked reaction, which takes effect when it is retried', async () => {
    await append('a', 'a', 'a');
    let isFixed = false;
    const done: string[] = [];
    const host = start(async (name) => {
      if (name === 'a2' && !isFixed) throw new Error('poison');
      done.push(name);
    });
    await until(() => done.length === 2);
    expect(done).to.deep.equal(['a1', 'a3']);
    expect([...host.kept.parked.values()]).to.have.length(1);
    isFixed = true;
    await retryParked(host.ports, never);
    expect(done).to.deep.equal(['a1', 'a3', 'a2']);
    expect([...host.kept.parked.values()]).to.have.length(0);
    await host.close();
  });

  it('do not wait for the retry of another manager', async () => {
    await append('a');
    let isFixed = false;
    const blocked = gate();
    const done: string[] = [];
    const named = (name: string, work: () => Promise<void>): ProcessManager => ({
      ...manager(async () => {
        if (!isFixed) throw new Error('poison');
        await work();
        done.push(name);
      }),
      name,
    });
    const managers = [named('hangs', () => blocked.pass()), named('other', async () => undefined)];
    const host = startFollowing({ store, managers, concurrency: 4 });
    await until(() => host.kept.parked.size === 2);
    isFixed = true;
    const retried = retryParked(host.ports, never);
    await until(() => done.includes('other'));
    blocked.open();
    await retried;
    expect(done).to.deep.equal(['other', 'hangs']);
    await host.close();
  });

  it('begin no further retries once the term has ended', async () => {
    await append('a', 'a', 'b', 'b');
    let isFixed = false;
    const done: string[] = [];
    const term = new AbortController();
    const host = start(async (name) => {
      if (!isFixed) throw new Error('poison');
      done.push(name);
      term.abort();
    });
    await until(() => host.kept.parked.size === 4);
    isFixed = true;
    await retryParked(host.ports, term.signal);
    expect([done.length, host.kept.parked.size]).to.deep.equal([1, 3]);
    await host.close();
  });

  it('stop when the host is closed, and continue there in the next one', async () => {
    await append('a', 'a', 'a', 'a');
    const begun: string[] = [];
    const blocked = gate();
    const first = start(async (name) => {
      begun.push(name);
      if (name === 'a2') await blocked.pass();
    });
    await until(() => begun.length === 2);
    await until(() => first.kept.position !== undefined);
    const closing = first.close();
    blocked.open();
    await closing;
    expect(begun).to.deep.equal(['a1', 'a2']);
    const second = start(async (name) => void begun.push(name), first.kept);
    await until(() => begun.at(-1) === 'a4');
    expect(begun.slice(0, 2).concat(begun.slice(-2))).to.deep.equal(['a1', 'a2', 'a3', 'a4']);
    await second.close();
  });

  it('stay closed behind a reaction that could not even be parked, until the next term repeats it', async () => {
    await append('a', 'a', 'a');
    const done: string[] = [];
    const host = start(async (name) => {
      if (name === 'a2') throw new Error('poison');
      done.push(name);
    });
    host.kept.parked.set = () => {
      throw new Error('the database is away');
    };
    expect(await host.running.catch(String)).to.equal('Error: the database is away');
    expect(done).to.deep.equal(['a1']);
    const again = start(async (name) => void done.push(name), host.kept);
    await until(() => done.at(-1) === 'a3');
    expect(done.slice(-2)).to.deep.equal(['a2', 'a3']);
    await again.close();
  });
});
