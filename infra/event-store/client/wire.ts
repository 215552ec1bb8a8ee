import type { CallOptions, ClientDuplexStream, ClientReadableStream, Metadata } from '@grpc/grpc-js';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { framed } from '../protobuf/frames.ts';
import { streamsGrpc, type ReadReq } from '../protobuf/vendor.ts';
import { decodeAnswer, type AppendAnswer } from './append-message.ts';
import { NotConnected, answerWithin } from './failures.ts';
import { decodeReadResponse, type ReadMessage } from './read-response.ts';

export type ReadCall = ClientReadableStream<ReadMessage>;
/** Takes the messages of several appends at once. */
export type AppendStream = ClientDuplexStream<readonly Buffer[], AppendAnswer>;

/*
 * The vendor's client manages the connection: connection string, discovery, TLS, credentials, keepalive, and the move to another
 * node if this one is gone or no longer leads. The calls are implemented here, because its `appendToStream`, `readAll` and
 * `subscribeToAll` lose answers and read ahead of their consumers (see README.md). The used members are `protected`, intended for
 * the client's own calls.
 */

const { read, batchAppend } = streamsGrpc.StreamsService;

/** A client with its credentials. */
export interface Caller {
  readonly client: EventStoreDBClient;
  /** Credentials added to each call if the client itself sends none. */
  readonly authorization: string | undefined;
}

function callArguments(
  { client, authorization }: Caller,
  options: { readonly requiresLeader?: boolean },
): [Metadata, CallOptions] {
  const [metadata, callOptions] = client['callArguments'](options, { deadline: Infinity });
  if (authorization !== undefined) metadata.set('authorization', authorization);
  return [metadata, callOptions];
}

/** Starts a read or a subscription. An `error` listener is attached at once, because an unhandled error would end the process. */
export const openRead = (caller: Caller, request: ReadReq): Promise<ReadCall> =>
  connected(() =>
    caller.client['GRPCStreamCreator'](streamsGrpc.StreamsClient, 'read', (grpc) =>
      listening(
        grpc.makeServerStreamRequest(
          read.path,
          read.requestSerialize,
          decodeReadResponse,
          request,
          ...callArguments(caller, {}),
        ),
      ),
    )(),
  );

/** Starts the long call that carries every append; refused by a node that does not lead. */
export const openAppends = (caller: Caller): Promise<AppendStream> =>
  connected(() =>
    caller.client['GRPCStreamCreator'](streamsGrpc.StreamsClient, 'append', (grpc) =>
      listening(
        grpc.makeBidiStreamRequest(
          batchAppend.path,
          framed,
          decodeAnswer,
          ...callArguments(caller, { requiresLeader: true }),
        ),
      ),
    )(),
  );

/** Time for calls to notice that they were cancelled, in milliseconds. */
const cancelMs = 1_000;

/** Ends every call and the connection. */
export async function disconnect(client: EventStoreDBClient): Promise<void> {
  const channel = await client['getChannel']().catch(() => undefined);
  try {
    await answerWithin(client.dispose(), cancelMs, 'cancelling calls');
  } finally {
    channel?.close();
  }
}

const listening = <Call extends { on(event: 'error', listener: () => void): unknown }>(call: Call): Call => {
  call.on('error', () => {});
  return call;
};

async function connected<Call>(open: () => Promise<Call>): Promise<Call> {
  try {
    return await open();
  } catch (error) {
    throw new NotConnected(error);
  }
}
