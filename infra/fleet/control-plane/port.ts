import type { Readable } from 'node:stream';
import type { AccountId, NodeId, SessionId } from '../../../contracts/ids.ts';
import type { LiveInput, LiveOperation, LiveResult } from '../../../contracts/fleet/operations.ts';
import type { DownloadEntry, UploadHandle } from '../../../contracts/resources/live.ts';
import type {
  CreateDispatch,
  CreateOutcome,
  OperationDispatch,
  OperationOutcome,
} from '../../../contracts/fleet/protocol.ts';

/** The node did not answer within the timeout, or the connection broke: whether it ran the call is unknown. */
export class NodeSilent extends Error {
  override readonly name = 'NodeSilent';
}

/** The node's address is not known, or cannot be read at the moment: nothing was sent to it. */
export class NodeNotCalled extends Error {
  override readonly name = 'NodeNotCalled';
}

/** Answers of the live routes. A node that does not answer in time is a `timeout` too. */
export type LiveAnswer<T> =
  | { readonly status: 'ok'; readonly result: T }
  | { readonly status: 'unavailable' | 'timeout' | 'error'; readonly reason: string };

/** A browser's node, and the milliseconds that an answer may take: with the content of an upload, without that of a download. */
export interface LiveCall {
  readonly node: NodeId;
  readonly session: SessionId;
  readonly timeoutMs: number;
}

/** The session's account, and the timeout of the answer in milliseconds. */
export interface CreateCall {
  readonly account: AccountId;
  readonly deadlineMs: number;
}

export interface UploadCall extends LiveCall {
  readonly account: AccountId;
  readonly name: string;
  readonly mime: string;
  /** Size of the content in bytes. */
  readonly size: number;
}

/** A file, whose content must be read or destroyed. */
export interface LiveDownload extends DownloadEntry {
  readonly content: Readable;
}

/** The control plane's client of the nodes. Calls reject with `NodeSilent` or `NodeNotCalled`; every other failure is an outcome. */
export interface Fleet {
  /**
   * Reserves room on the least loaded live node that is not draining, for a session that is created soon; undefined if no node has room.
   */
  place(): Promise<NodeId | undefined>;
  create(node: NodeId, dispatch: CreateDispatch, call: CreateCall): Promise<CreateOutcome>;
  operate(
    node: NodeId,
    session: SessionId,
    dispatch: OperationDispatch,
    deadlineMs: number,
  ): Promise<OperationOutcome>;
  /**
   * Ends the session's browser. Resolves when it has exited or the node cannot be reached (the order is then repeated later); never
   * rejects.
   */
  destroy(node: NodeId, session: SessionId): Promise<void>;
}

/** Calls of browsers by the live routes. */
export interface LiveFleet {
  /** Runs beside the operations, even during one; a failure does not affect the session. Never rejects. */
  live<O extends LiveOperation>(
    call: LiveCall,
    operation: O,
    input: LiveInput<O>,
  ): Promise<LiveAnswer<LiveResult<O>>>;
  /** Uploads a file to a session, which `interact` chooses by its handle. Never rejects. */
  putFile(call: UploadCall, content: Readable): Promise<LiveAnswer<UploadHandle>>;
  /** The content of a file that a session has stored. Never rejects; the content fails if the node aborts it. */
  download(call: LiveCall, name: string): Promise<LiveAnswer<LiveDownload>>;
}
