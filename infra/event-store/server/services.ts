import type { MethodDefinition, sendUnaryData, Server } from '@grpc/grpc-js';
import { guarded } from './access.ts';
import { serveBatchAppend, type BatchAppendCall } from './batch-append-call.ts';
import { decodeBatchAppend, type BatchAppendMessage } from './batch-append-message.ts';
import { clusterOf, supportedMethods } from './cluster-info.ts';
import { framed } from '../protobuf/frames.ts';
import type { OutgoingCall } from './outgoing.ts';
import { gossipGrpc, serverFeaturesGrpc, streamsGrpc, type ReadReq } from '../protobuf/vendor.ts';
import { serveRead } from './read-call.ts';
import type { ReadContext } from './record-sources.ts';
import { append, softDelete, tombstone, type WriteContext } from './write-calls.ts';

/** Reads answer with encoded bytes, so nothing is serialised again. */
const READ: MethodDefinition<ReadReq, readonly Buffer[]> = {
  ...streamsGrpc.StreamsService.read,
  responseSerialize: framed,
  responseDeserialize: (bytes) => [bytes],
};

/** Most of the cost of a single append are its messages, so they are encoded and decoded here; a server sends no requests. */
const BATCH_APPEND: MethodDefinition<BatchAppendMessage, readonly Buffer[]> = {
  ...streamsGrpc.StreamsService.batchAppend,
  requestSerialize: () => Buffer.alloc(0),
  requestDeserialize: decodeBatchAppend,
  responseSerialize: framed,
  responseDeserialize: (bytes) => [bytes],
};

/**
 * Registers the services; with a password, those for stored data require it. The gRPC server answers unknown methods with
 * UNIMPLEMENTED.
 */
export function addServices(
  server: Server,
  context: ReadContext & WriteContext,
  password: string | undefined,
): void {
  const instanceId = crypto.randomUUID();
  server.addService(
    { ...streamsGrpc.StreamsService, read: READ, batchAppend: BATCH_APPEND },
    guarded(
      {
        read: (call: OutgoingCall<ReadReq>) => void serveRead(context, call),
        append: append(context),
        batchAppend: (call: BatchAppendCall) => serveBatchAppend(context, call),
        delete: softDelete(context),
        tombstone: tombstone(context),
      },
      password,
    ),
  );
  server.addService(serverFeaturesGrpc.ServerFeaturesService, {
    getSupportedMethods: (_call: unknown, reply: sendUnaryData<unknown>) => reply(null, supportedMethods()),
  });
  server.addService(gossipGrpc.GossipService, {
    read: (_call: unknown, reply: sendUnaryData<unknown>) =>
      reply(null, clusterOf(instanceId, context.endpoint)),
  });
}
