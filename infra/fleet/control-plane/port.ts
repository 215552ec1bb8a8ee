import type { NodeId, SessionId } from '../../../contracts/ids.ts';
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

/** The control plane's view of the nodes. Calls reject with `NodeSilent`; every other failure is an outcome. */
export interface Fleet {
  /** The least loaded live node that takes new sessions; undefined when there is none with room. */
  place(): Promise<NodeId | undefined>;
  create(node: NodeId, dispatch: CreateDispatch, deadlineMs: number): Promise<CreateOutcome>;
  operate(
    node: NodeId,
    session: SessionId,
    dispatch: OperationDispatch,
    deadlineMs: number,
  ): Promise<OperationOutcome>;
  /**
   * Ends the session's browser. Resolves when it is gone or the node cannot be reached (the node is told again later), and
   * never rejects.
   */
  destroy(node: NodeId, session: SessionId): Promise<void>;
}
