import type { ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import { expectedRevision, writableStream } from './append-request.ts';
import type { AppendContext } from './appending.ts';
import type { CommitGroup } from './commit-group.ts';
import { invalidArgument, streamDeleted, toRpcError, wrongExpectedVersion } from './grpc-errors.ts';
import { streams } from '../protobuf/vendor.ts';
import { streamNameOf } from './read-request.ts';

type DeleteReq = InstanceType<typeof streams.DeleteReq>;
type DeleteResp = InstanceType<typeof streams.DeleteResp>;
type TombstoneReq = InstanceType<typeof streams.TombstoneReq>;
type TombstoneResp = InstanceType<typeof streams.TombstoneResp>;

/** Deletes, softly or for good. Returns the position of what was written. */
async function remove(
  { writer }: AppendContext,
  request: DeleteReq | TombstoneReq,
  how: Extract<keyof CommitGroup, 'delete' | 'tombstone'>,
): Promise<string> {
  const options = request.getOptions();
  if (!options) throw invalidArgument('The request has no options.');
  const stream = writableStream(streamNameOf(options.getStreamIdentifier()));
  const expected = expectedRevision(options, options.hasRevision() ? options.getRevision() : undefined);
  const result = await writer.write((group) => group[how](stream, expected, crypto.randomUUID()));
  switch (result.kind) {
    case 'written':
      return String(result.position);
    case 'wrong-revision':
      throw wrongExpectedVersion(stream, expected, result.revision);
    case 'deleted':
      throw streamDeleted(stream);
  }
}

/** Serves `Streams.Delete`. */
export async function serveDelete(
  context: AppendContext,
  { request }: ServerUnaryCall<DeleteReq, DeleteResp>,
  reply: sendUnaryData<DeleteResp>,
): Promise<void> {
  try {
    const at = await remove(context, request, 'delete');
    const position = new streams.DeleteResp.Position().setCommitPosition(at).setPreparePosition(at);
    reply(null, new streams.DeleteResp().setPosition(position));
  } catch (error) {
    reply(toRpcError(error));
  }
}

/** Serves `Streams.Tombstone`. */
export async function serveTombstone(
  context: AppendContext,
  { request }: ServerUnaryCall<TombstoneReq, TombstoneResp>,
  reply: sendUnaryData<TombstoneResp>,
): Promise<void> {
  try {
    const at = await remove(context, request, 'tombstone');
    const position = new streams.TombstoneResp.Position().setCommitPosition(at).setPreparePosition(at);
    reply(null, new streams.TombstoneResp().setPosition(position));
  } catch (error) {
    reply(toRpcError(error));
  }
}
