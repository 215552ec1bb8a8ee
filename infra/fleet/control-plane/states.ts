import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { censusHeader, type SaveOutcome } from '../../../contracts/fleet/protocol.ts';
import { parseId, type NodeId, type SessionId } from '../../../contracts/ids.ts';
import { StateCensus } from '../../../contracts/profile-state.ts';
import { shape } from '../shape.ts';

/** Profiles' states, for the nodes that run their sessions. Archives are streams. */
export interface SessionStates {
  /** The archive that a session starts with. Undefined if there is none, or if the session runs on another node. */
  open(node: NodeId, session: SessionId): Promise<Readable | undefined>;
  /**
   * Stores the state of an ended session. Undefined if it ran on another node. The archive rejects if the node aborts it; nothing may be
   * stored then. If `save` rejects, the node sends the state again.
   */
  save(
    node: NodeId,
    session: SessionId,
    census: StateCensus,
    archive: Readable,
  ): Promise<SaveOutcome['outcome'] | undefined>;
}

const isCensus = shape(StateCensus);

/** Milliseconds without a byte of a body after which the node counts as gone. */
const idleMs = 60_000;

type Called = Request<{ id: string }, unknown, unknown>;

/** Sends the archive, and aborts the response if it cannot be read to its end. */
export const sendState =
  (states: SessionStates) =>
  async (node: NodeId, { params }: Called, reply: Response): Promise<void> => {
    const session = parseId('session', params.id);
    const archive = session && (await states.open(node, session));
    if (!archive) return void reply.status(404).end();
    reply.type('application/octet-stream');
    await pipeline(archive, reply);
  };

export const takeState =
  (states: SessionStates) =>
  async (node: NodeId, request: Called, reply: Response): Promise<void> => {
    const session = parseId('session', request.params.id);
    const census = parsed(request.headers[censusHeader]);
    if (!isCensus.is(census)) return void reply.status(400).end();
    request.setTimeout(idleMs, () => request.destroy());
    const outcome = session && (await states.save(node, session, census, request));
    if (outcome === undefined) return void reply.status(404).end();
    reply.json({ outcome } satisfies SaveOutcome);
  };

function parsed(header: string | string[] | undefined): unknown {
  try {
    return typeof header === 'string' ? JSON.parse(header) : undefined;
  } catch {
    return undefined;
  }
}
