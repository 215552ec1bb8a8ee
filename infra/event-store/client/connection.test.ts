import { once } from 'node:events';
import { createServer, connect as dial, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { startEventStoreServer } from '../server/index.ts';
import { tempDir } from '../../verification/testbed/index.ts';
import { collect, counted, nextNumbers, quick, quiet, upTo, useStore } from './testing.ts';
import { connectEventStore } from './index.ts';
import { EventStoreUnavailable } from './types.ts';

/** A network that can silently drop all traffic, as when a peer vanishes. */
async function startNetwork(port: number) {
  const sockets = new Set<Socket>();
  let holding: readonly Socket[] = [];
  const server: Server = createServer((near) => {
    const far = dial(port, '127.0.0.1');
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `esdb://127.0.0.1:${(server.address() as AddressInfo).port}?tls=false`,
    /** Drops the traffic of existing connections; new ones work. */
    swallow: () => {
      holding = [...sockets];
      for (const socket of holding) socket.unpipe().pause();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('connection to the event store', () => {
  const { server, connect } = useStore();

  it('is replaced if its peer vanishes silently, by appends, reads and subscriptions', async () => {
    const network = await startNetwork(server().port);
    const store = connect({ url: network.url });
    await store.append('session-a', 'no_stream', [counted(0)]);
    const subscription = store.subscribe({ from: 'start', prefixes: ['session-'] });
    expect(await nextNumbers(subscription, 1)).to.deep.equal([0]);

    network.swallow();
    expect((await store.append('session-a', 0n, [counted(1)])).revision).to.equal(1n);
    expect(await nextNumbers(subscription, 1)).to.deep.equal([1]);

    network.swallow();
    expect(await collect(store.readStream('session-a'))).to.have.length(2);
    await subscription.close();
    await network.close();
  });

  it('is replaced by a subscription alone', async () => {
    const network = await startNetwork(server().port);
    const store = connect({ url: network.url });
    await store.append('session-a', 'no_stream', [counted(0)]);
    const subscription = store.subscribe({ from: 'start' });
    expect(await nextNumbers(subscription, 1)).to.deep.equal([0]);
    network.swallow();
    await connect().append('session-a', 0n, [counted(1)]);
    expect(await nextNumbers(subscription, 1)).to.deep.equal([1]);
    await subscription.close();
    await network.close();
  });

  it('that the server accepts but never uses makes a call fail as unavailable', async () => {
    const sockets: Socket[] = [];
    const mute = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    const store = connect({
      url: `esdb://127.0.0.1:${port}?tls=false`,
      appendDeadlineMs: 700,
      readDeadlineMs: 700,
    });
    const failures = await Promise.all([
      store.append('session-a', 'no_stream', [counted(0)]).catch((reason: unknown) => reason),
      collect(store.readStream('session-a')).catch((reason: unknown) => reason),
      store.ping().catch((reason: unknown) => reason),
    ]);
    for (const failure of failures) expect(failure).to.be.instanceOf(EventStoreUnavailable);
    await store.close();
    for (const socket of sockets) socket.destroy();
    mute.close();
  });

  it('works as soon as the server answers, even if it never answered on the one before', async () => {
    server().faults.withholdSettings = true;
    const store = connect({ appendDeadlineMs: 10_000 });
    const appending = store.append('session-a', 'no_stream', [counted(0)]);
    const failure = await store.ping().catch((reason: unknown) => reason);
    expect(failure).to.be.instanceOf(EventStoreUnavailable);
    server().faults.withholdSettings = false;
    expect((await appending).revision).to.equal(0n);
  });

  it('is kept while the store searches for a read without sending anything', async () => {
    let warned = 0;
    const logger = quiet.child({});
    logger.warn = () => (warned += 1);
    const store = connect({ logger, readDeadlineMs: 700 });
    await store.append('session-a', 'no_stream', upTo(3));
    server().faults.searchMs = 1_500;
    const found = await collect(store.readAll({ prefixes: ['session-'] }));
    expect(found).to.have.length(3);
    expect(warned).to.equal(0);
  });

  it('is kept if the time before an append’s deadline is too short for an answer', async () => {
    const said: string[] = [];
    const logger = quiet.child({});
    logger.warn = (_: unknown, text?: string) => void said.push(String(text));
    const store = connect({ logger, appendDeadlineMs: quick.silenceMs + 100 });
    server().faults.dropBeforeCommit = Infinity;
    const appending = store.append('session-a', 'no_stream', [counted(0)]).catch((reason: unknown) => reason);
    await store.ping();
    expect(await appending).to.be.instanceOf(EventStoreUnavailable);
    expect(new Set(said)).to.deep.equal(new Set(['The outcome of an append is unknown; sending it again.']));
  });

  it('is not affected if another store of the process loses its server', async () => {
    const { faults } = server();
    const other = await startEventStoreServer({
      dataDir: tempDir('other'),
      faults: { dropBeforeCommit: Infinity },
    });
    const doomed = connectEventStore({ url: other.url, logger: quiet, ...quick, appendDeadlineMs: 500 });
    const lost = doomed.append('session-a', 'no_stream', [counted(0)]).catch((reason: unknown) => reason);

    let resent = 0;
    const logger = quiet.child({});
    logger.warn = () => (resent += 1);
    const store = connect({ logger, silenceMs: 5_000, appendDeadlineMs: 10_000 });
    faults.appendDelayMs = 300;
    const appending = store.append('session-a', 'no_stream', [counted(0)]);
    await store.ping();
    other.resetConnections();
    expect((await appending).revision).to.equal(0n);
    expect(resent).to.equal(0);
    expect(await lost).to.be.instanceOf(EventStoreUnavailable);
    await doomed.close();
    await other.close();
  });
});
