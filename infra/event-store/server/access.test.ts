import { rmSync } from 'node:fs';
import { credentials, Metadata, status } from '@grpc/grpc-js';
import { EventStoreDBClient } from '@eventstore/db-client';
import { expect } from 'chai';
import { connectEventStore } from '../client/index.ts';
import { counted, quick, quiet } from '../client/testing.ts';
import { streamsGrpc } from '../protobuf/vendor.ts';
import { startEventStoreServer, type EventStoreServer } from './index.ts';
import { collect, failure, happened, temporaryDirectory } from './testing.ts';

describe('the embedded event store with a password', () => {
  const password = 'a password: of/all @ kinds';
  const dataDir = temporaryDirectory();
  let server: EventStoreServer;
  before(async () => void (server = await startEventStoreServer({ dataDir, password })));
  after(async () => {
    await server.close();
    rmSync(dataDir, { recursive: true });
  });

  const urlWith = (user: string) => `esdb://${user}127.0.0.1:${server.port}?tls=false`;

  it('serves appends, reads and subscriptions to callers with it', async () => {
    const store = connectEventStore({ url: server.url, logger: quiet, ...quick });
    await store.append('kept-1', 'no_stream', [counted(1)]);
    expect(await collect(store.readStream('kept-1'))).to.have.length(1);
    const subscription = store.subscribe({ from: 'start', prefixes: ['kept-'] });
    const [first] = await collect(subscription, 1);
    expect(first).to.include({ kind: 'event' });
    await subscription.close();
    await store.close();
  });

  it('refuses every call of our client without it, with the reason', async () => {
    for (const url of [urlWith(''), urlWith('service:another@'), urlWith('admin:changeit@')]) {
      const store = connectEventStore({ url, logger: quiet, ...quick });
      for (const call of [
        () => store.append('refused-1', 'no_stream', [counted(1)]),
        () => collect(store.readStream('kept-1')),
        () => collect(store.readAll()),
        () => store.ping(),
        () => collect(store.subscribe({ from: 'start' }), 1),
      ])
        expect(String(await failure(call()))).to.match(/asks for its user and password/);
      await store.close();
    }
  });

  it('refuses every call of any other client without it', async () => {
    const client = EventStoreDBClient.connectionString(urlWith(''));
    for (const call of [
      () => client.appendToStream('refused-1', happened(1)),
      () => collect(client.readStream('kept-1')),
      () => client.deleteStream('kept-1'),
      () => client.tombstoneStream('kept-1'),
    ])
      expect(await failure(call())).to.include({ code: status.UNAUTHENTICATED });
    await client.dispose();
    const raw = new streamsGrpc.StreamsClient(`127.0.0.1:${server.port}`, credentials.createInsecure());
    const bearer = new Metadata();
    bearer.set('authorization', `Bearer ${password}`);
    const call = raw.batchAppend(bearer);
    const refused = await new Promise<unknown>((resolve) => call.once('error', resolve).resume());
    expect(refused).to.include({ code: status.UNAUTHENTICATED });
    raw.close();
  });
});
