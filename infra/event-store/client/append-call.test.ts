import { Server, ServerCredentials, type ServerDuplexStream, type ServerWritableStream } from '@grpc/grpc-js';
import { expect } from 'chai';
import { until } from '../../verification/testbed/index.ts';
import {
  shared,
  streams,
  streamsGrpc,
  type BatchAppendReq,
  type BatchAppendResp,
  type ReadReq,
  type ReadResp,
} from '../protobuf/vendor.ts';
import { collect, counted, quick, quiet } from './testing.ts';
import { connectEventStore } from './index.ts';

type Call = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;

const answer = (to: InstanceType<typeof shared.UUID> | undefined, revision: number): BatchAppendResp =>
  new streams.BatchAppendResp()
    .setCorrelationId(to)
    .setSuccess(
      new streams.BatchAppendResp.Success()
        .setCurrentRevision(String(revision))
        .setPosition(new shared.AllStreamPosition().setCommitPosition('9').setPreparePosition('9')),
    );

/** A server that answers each append as the test says, and each read with nothing. */
async function startAnswering(respond: (request: BatchAppendReq, call: Call) => void) {
  const server = new Server();
  server.addService(streamsGrpc.StreamsService, {
    batchAppend: (call: Call) => call.on('data', (request: BatchAppendReq) => respond(request, call)),
    read: (call: ServerWritableStream<ReadReq, ReadResp>) => call.end(),
  });
  const port = await new Promise<number>((resolve, reject) => {
    const bound = (error: Error | null, chosen: number) => (error ? reject(error) : resolve(chosen));
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), bound);
  });
  const store = connectEventStore({ url: `esdb://127.0.0.1:${port}?tls=false`, logger: quiet, ...quick });
  return {
    store,
    close: async () => {
      await store.close();
      server.forceShutdown();
    },
  };
}

describe('the call that carries appends', () => {
  it('drops answers to unknown appends, and continues', async () => {
    const stranger = new shared.UUID().setString('0197f1a0-0000-7000-8000-0000000000ff');
    const { store, close } = await startAnswering((request, call) => {
      call.write(answer(stranger, 77));
      call.write(answer(undefined, 78));
      call.write(answer(request.getCorrelationId(), 3));
    });
    expect((await store.append('session-a', 2n, [counted(0)])).revision).to.equal(3n);
    expect((await store.append('session-a', 2n, [counted(0)])).revision).to.equal(3n);
    await close();
  });

  it('accepts ids in either form of a uuid, and answers in any order', async () => {
    const held: BatchAppendReq[] = [];
    const { store, close } = await startAnswering((request, call) => {
      held.push(request);
      if (held.length < 2) return;
      for (const each of held.reverse()) {
        const bits = each.getCorrelationId()?.getStructured()?.getLeastSignificantBits() ?? '0';
        const text = `00000000-0000-0000-0000-${Number(bits).toString(16).padStart(12, '0')}`;
        call.write(answer(new shared.UUID().setString(text), Number(bits)));
      }
    });
    const revisions = await Promise.all(
      ['session-a', 'session-b'].map(
        async (stream) => (await store.append(stream, 'any', [counted(0)])).revision,
      ),
    );
    expect(revisions).to.deep.equal([1n, 2n]);
    await close();
  });

  it('is reopened if the server ends it without an error, and pending appends are sent again', async () => {
    let calls = 0;
    const { store, close } = await startAnswering((request, call) => {
      calls += 1;
      if (calls === 1) call.end();
      else call.write(answer(request.getCorrelationId(), 0));
    });
    expect((await store.append('session-a', 'no_stream', [counted(0)])).revision).to.equal(0n);
    expect(calls).to.equal(2);
    await close();
  });

  it('is reopened if it is silent, even if reads are answered', async () => {
    const calls = new Set<Call>();
    const { store, close } = await startAnswering((request, call) => {
      if (calls.add(call).size > 1) call.write(answer(request.getCorrelationId(), 0));
    });
    let isOver = false;
    const appending = store.append('session-a', 'no_stream', [counted(0)]).finally(() => (isOver = true));
    await until(async () => {
      await collect(store.readStream('session-b'));
      return isOver;
    });
    expect((await appending).revision).to.equal(0n);
    expect(calls.size).to.equal(2);
    await close();
  });

  it('is kept while it answers other appends, and an unanswered one is sent again on it', async () => {
    const [calls, seen] = [new Set<Call>(), [] as BatchAppendReq[]];
    const { store, close } = await startAnswering((request, call) => {
      calls.add(call);
      if (seen.push(request) > 1) call.write(answer(request.getCorrelationId(), 0));
    });
    let isOver = false;
    const appending = store.append('session-a', 'any', [counted(0)]).finally(() => (isOver = true));
    await until(async () => {
      await store.append('session-b', 'any', [counted(0)]);
      return isOver;
    });
    expect((await appending).revision).to.equal(0n);
    expect(calls.size).to.equal(1);
    await close();
  });
});
