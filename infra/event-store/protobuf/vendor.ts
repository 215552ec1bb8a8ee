/**
 * The EventStoreDB gRPC messages and services, as generated in the client's package: the only file that imports them. They are no
 * public interface of that package, which is therefore pinned. They are CommonJS modules, whose members are reachable only
 * through their default export.
 */
import code from '@eventstore/db-client/generated/code_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import gossipGrpc from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import serverFeatures from '@eventstore/db-client/generated/serverfeatures_pb.js';
import serverFeaturesGrpc from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';

export {
  any,
  code,
  empty,
  gossip,
  gossipGrpc,
  serverFeatures,
  serverFeaturesGrpc,
  shared,
  status,
  streams,
  streamsGrpc,
};
export type { Status } from '@eventstore/db-client/generated/status_pb.js';
export type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
  DeleteReq,
  DeleteResp,
  ReadReq,
  ReadResp,
  TombstoneReq,
  TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb.js';
