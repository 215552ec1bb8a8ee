import { credentials, Metadata, status } from '@grpc/grpc-js';
import { expect } from 'chai';
import {
  EventStoreDBClient,
  persistentSubscriptionToStreamSettingsFromDefaults,
} from '@eventstore/db-client';
import { shared, streams, streamsGrpc } from '../protobuf/vendor.ts';
import { collect, failure, happened, startTestStore, type TestStore } from './testing.ts';

describe('the embedded event store as a server', () => {
  let store: TestStore;
  before(async () => void (store = await startTestStore()));
  after(() => store.close());

  it('answers UNIMPLEMENTED to calls that it does not offer', async () => {
    const settings = persistentSubscriptionToStreamSettingsFromDefaults();
    for (const operation of [
      () => store.client.createPersistentSubscriptionToStream('s', 'g', settings),
      () => store.client.createProjection('p', 'fromAll()'),
      () => store.client.disableProjection('p'),
    ]) {
      const error = await failure(operation());
      expect(error).to.include({ code: status.UNIMPLEMENTED });
      expect(error)
        .to.have.property('message')
        .that.matches(/does not implement the method \/event_store\.client\./);
    }
  });

  it('is found by discovery', async () => {
    const client = EventStoreDBClient.connectionString(
      store.server.url.replace('esdb://', 'esdb+discover://'),
    );
    await client.appendToStream('found-1', happened(1));
    expect(await collect(client.readStream('found-1'))).to.have.length(1);
    await client.dispose();
  });

  it('listens on the loopback interface by default', () => {
    expect(store.server.url).to.equal(`esdb://127.0.0.1:${store.server.port}?tls=false`);
  });

  it('returns ids as numbers, and the last revision of a stream, on request', async () => {
    const event = happened(1);
    await store.client.appendToStream('raw-1', [event, happened(2)]);
    const caller = new streamsGrpc.StreamsClient(
      `127.0.0.1:${store.server.port}`,
      credentials.createInsecure(),
    );
    const stream = new streams.ReadReq.Options.StreamOptions()
      .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from('raw-1')))
      .setStart(new shared.Empty());
    const options = new streams.ReadReq.Options()
      .setStream(stream)
      .setCount('1')
      .setNoFilter(new shared.Empty())
      .setUuidOption(new streams.ReadReq.Options.UUIDOption().setStructured(new shared.Empty()))
      .setControlOption(new streams.ReadReq.Options.ControlOption().setCompatibility(1));
    type ReadResp = InstanceType<typeof streams.ReadResp>;
    const responses: AsyncIterable<ReadResp> = caller.read(
      new streams.ReadReq().setOptions(options),
      new Metadata(),
    );
    const [first, last] = await collect(responses);
    caller.close();
    const id = first?.getEvent()?.getEvent()?.getId()?.getStructured();
    const halves = [id?.getMostSignificantBits(), id?.getLeastSignificantBits()];
    const hex = halves
      .map((half) =>
        BigInt.asUintN(64, BigInt(half ?? 0))
          .toString(16)
          .padStart(16, '0'),
      )
      .join('');
    expect(hex).to.equal(event.id.replaceAll('-', ''));
    expect(last?.getLastStreamPosition()).to.equal('1');
  });
});
