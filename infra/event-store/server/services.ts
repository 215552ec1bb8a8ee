import type {
  MethodDefinition,
  sendUnaryData,
  Server,
  ServerReadableStream,
  ServerUnaryCall,
} from '@grpc/grpc-js';
import { serveAppend } from './append-call.ts';
import type { AppendContext } from './appending.ts';
import { serveBatchAppend, type BatchAppendCall } from './batch-append-call.ts';
import { decodeBatchAppend, type BatchAppendMessage } from './batch-append-message.ts';
import { clusterOf, supportedMethods } from './cluster-info.ts';
import { serveDelete, serveTombstone } from './delete-call.ts';
import { framed } from '../protobuf/frames.ts';
import type { OutgoingCall } from './outgoing.ts';
import {
  gossipGrpc,
  serverFeaturesGrpc,
  streamsGrpc,
  type gossip,
  type serverFeatures,
  type streams,
} from '../protobuf/vendor.ts';
import { serveRead } from './read-call.ts';
import type { ReadContext, ReadRequest } from './read-request.ts';

type Message<T extends abstract new () => unknown> = InstanceType<T>;

/** Reads answer with bytes that are ready to send, so nothing is serialised again. */
const READ: MethodDefinition<ReadRequest, readonly Buffer[]> = {
  ...streamsGrpc.StreamsService.read,
  responseSerialize: framed,
  responseDeserialize: (bytes) => [bytes],
};

/** What a single append costs is mostly its messages, so they are read and written here; a server sends no requests. */
const BATCH_APPEND: MethodDefinition<BatchAppendMessage, readonly Buffer[]> = {
  ...streamsGrpc.StreamsService.batchAppend,
  requestSerialize: () => Buffer.alloc(0),
  requestDeserialize: decodeBatchAppend,
  responseSerialize: framed,
  responseDeserialize: (bytes) => [bytes],
};

/** Adds what is served. A method that is not here is answered with UNIMPLEMENTED and its name by the gRPC server. */
export function addServices(server: Server, context: ReadContext & AppendContext): void {
  const instanceId = crypto.randomUUID();
  server.addService(
    { ...streamsGrpc.StreamsService, read: READ, batchAppend: BATCH_APPEND },
    {
      read: (call: OutgoingCall<ReadRequest>) => void serveRead(context, call),
      append: (
        call: ServerReadableStream<Message<typeof streams.AppendReq>, Message<typeof streams.AppendResp>>,
        reply: sendUnaryData<Message<typeof streams.AppendResp>>,
      ) => void serveAppend(context, call, reply),
      batchAppend: (call: BatchAppendCall) => serveBatchAppend(context, call),
      delete: (
        call: ServerUnaryCall<Message<typeof streams.DeleteReq>, Message<typeof streams.DeleteResp>>,
        reply: sendUnaryData<Message<typeof streams.DeleteResp>>,
      ) => void serveDelete(context, call, reply),
      tombstone: (
        call: ServerUnaryCall<Message<typeof streams.TombstoneReq>, Message<typeof streams.TombstoneResp>>,
        reply: sendUnaryData<Message<typeof streams.TombstoneResp>>,
      ) => void serveTombstone(context, call, reply),
    },
  );
  server.addService(serverFeaturesGrpc.ServerFeaturesService, {
    getSupportedMethods: (
      _call: unknown,
      reply: sendUnaryData<Message<typeof serverFeatures.SupportedMethods>>,
    ) => reply(null, supportedMethods()),
  });
  server.addService(gossipGrpc.GossipService, {
    read: (_call: unknown, reply: sendUnaryData<Message<typeof gossip.ClusterInfo>>) =>
      reply(null, clusterOf(instanceId, context.endpoint)),
  });
}
