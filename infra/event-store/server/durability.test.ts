import { execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { startEventStoreProcess } from '../../verification/testbed/event-store-process.ts';
import { DataDirectoryHeld, startEventStoreServer } from './index.ts';
import { collect, failure, happened, numbers, temporaryDirectory } from './testing.ts';

/** Events per append of the burst: an append is stored completely or not at all. */
const EACH = 3;

interface StoreProcess {
  readonly process: ChildProcess;
  readonly client: EventStoreDBClient;
}

/** Runs the server in its own process, as in production. */
async function startProcess(dataDir: string): Promise<StoreProcess> {
  const child = await startEventStoreProcess('inherit', dataDir);
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return { process: child, client: EventStoreDBClient.connectionString(url) };
}

async function end({ process: child, client }: StoreProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
  await client.dispose();
  return child.exitCode;
}

describe('appends that the embedded event store has acknowledged', () => {
  let dataDir: string;
  beforeEach(() => void (dataDir = temporaryDirectory()));
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('are stored once and in order after the process is killed in a burst of appends', async () => {
    const writers = 16;
    const acknowledged = Array.from({ length: writers }, (): number[] => []);
    const running = await startProcess(dataDir);
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; ; n += EACH) {
        const events = Array.from({ length: EACH }, (_, index) => happened(n + index));
        await running.client.appendToStream(`burst-${writer}`, events);
        acknowledged[writer]?.push(...events.map((_, index) => n + index));
      }
    };
    const writing = Array.from({ length: writers }, (_, writer) => failure(write(writer)));
    while (acknowledged.some((done) => done.length < 20 * EACH)) await new Promise(setImmediate);
    await end(running, 'SIGKILL');
    await Promise.all(writing);

    const again = await startProcess(dataDir);
    let total = 0;
    for (const [writer, done] of acknowledged.entries()) {
      const stored = numbers(await collect(again.client.readStream(`burst-${writer}`)));
      total += stored.length;
      expect(stored.slice(0, done.length)).to.deep.equal(done);
      expect(stored.length).to.be.oneOf([done.length, done.length + EACH]);
    }
    const all = await collect(again.client.readAll());
    expect(new Set(all.map(({ event }) => event?.id)).size).to.equal(all.length);
    expect(all.length).to.equal(total);
    expect(await end(again, 'SIGTERM')).to.equal(0);
  });

  it('are not stored again if they are repeated after a restart, whatever revision they expect', async () => {
    const event = happened(1);
    const first = await startEventStoreServer({ dataDir });
    const client = EventStoreDBClient.connectionString(first.url);
    const appended = await client.appendToStream('again-1', event);
    await client.dispose();
    await first.close();
    const second = await startEventStoreServer({ dataDir });
    const later = EventStoreDBClient.connectionString(second.url);
    expect(await later.appendToStream('again-1', event)).to.deep.equal(appended);
    expect(await later.appendToStream('again-1', event, { expectedRevision: 'no_stream' })).to.deep.equal(
      appended,
    );
    expect(await collect(later.readAll())).to.have.length(1);
    await later.dispose();
    await second.close();
  });

  it('are written by one server at a time: a second one fails and names the first', async () => {
    const server = await startEventStoreServer({ dataDir });
    const error = await failure(startEventStoreServer({ dataDir }));
    expect(error).to.be.instanceOf(DataDirectoryHeld);
    expect(error).to.include({ pid: String(process.pid) });
    await Promise.all([server.close(), server.close()]);
    await server.close();
    await (await startEventStoreServer({ dataDir })).close();
  });

  it('are all that is stored after the disk was full: others are refused until there is room again', async () => {
    const { process: child, client } = await startProcess(dataDir);
    const allowed = (bytes: number | string) =>
      execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:unlimited`]);
    const large = () => jsonEvent({ type: 'Large', data: { text: 'x'.repeat(100_000) } });
    await client.appendToStream('large-0', large());
    allowed(statSync(join(dataDir, 'data.mdb')).size);
    let stored = 1;
    const fill = async (): Promise<void> => {
      for (; ; stored += 1) await client.appendToStream(`large-${stored}`, large());
    };
    expect(await failure(fill())).to.be.instanceOf(Error);
    expect(await failure(client.appendToStream('large-more', large()))).to.be.instanceOf(Error);
    expect(await collect(client.readAll())).to.have.length(stored);
    allowed('unlimited');
    await client.appendToStream('large-after', large());
    expect(await collect(client.readAll())).to.have.length(stored + 1);
    expect(await end({ process: child, client }, 'SIGTERM')).to.equal(0);
  });
});
