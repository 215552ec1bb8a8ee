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

/** The node did not answer within the deadline, or the connection broke: whether it ran is unknown. */
export class NodeSilent extends Error {
  override readonly name = 'NodeSilent';
}

/** What the live routes answer with. A node that does not answer in time is a `timeout` too. */
export type LiveAnswer<T> =
  | { readonly status: 'ok'; readonly result: T }
  | { readonly status: 'unavailable' | 'timeout' | 'error'; readonly reason: string };

/** Where a browser is, and the milliseconds that an answer may take, or the way of a content. */
export interface LiveCall {
  readonly node: NodeId;
  readonly session: SessionId;
  readonly timeoutMs: number;
}

/** Whose session is created, and the milliseconds that the answer may take. */
export interface CreateCall {
  readonly account: AccountId;
  readonly deadlineMs: number;
}

export interface UploadCall extends LiveCall {
  readonly account: AccountId;
  readonly name: string;
  readonly mime: string;
  /** Bytes of the content. */
  readonly size: number;
}

/** A file, whose content is to be read or destroyed. */
export interface LiveDownload extends DownloadEntry {
  readonly content: Readable;
}

/** The control plane's view of the nodes. Calls reject with `NodeSilent`; every other failure is an outcome. */
export interface Fleet {
  /**
   * The least loaded live node that takes new sessions, with room reserved on it for a session that is created soon; undefined when
   * there is none with room.
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
   * Ends the session's browser. Resolves when it is gone or the node cannot be reached (the node gets the order again later), and
   * never rejects.
   */
  destroy(node: NodeId, session: SessionId): Promise<void>;
}

/** What the live routes ask of browsers. */
export interface LiveFleet {
  /**
   * Beside the operations: possible while one is under way, and without effect on the session if it fails. Never
   * rejects.
   */
  live<O extends LiveOperation>(
    call: LiveCall,
    operation: O,
    input: LiveInput<O>,
  ): Promise<LiveAnswer<LiveResult<O>>>;
  /** Gives a session a file, which `interact` chooses by its handle. Never rejects. */
  putFile(call: UploadCall, content: Readable): Promise<LiveAnswer<UploadHandle>>;
  /** The content of a file that a session has kept. Never rejects; the content breaks off where the node does. */
  download(call: LiveCall, name: string): Promise<LiveAnswer<LiveDownload>>;
}
