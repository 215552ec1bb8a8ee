import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { censusHeader, type SaveOutcome } from '../../../contracts/fleet/protocol.ts';
import { parseId, type NodeId, type SessionId } from '../../../contracts/ids.ts';
import { StateCensus } from '../../../contracts/profile-state.ts';
import { shape } from '../shape.ts';

/** States of profiles, as the nodes that run their sessions ask for them and bring them. Archives are streams, never whole. */
export interface SessionStates {
  /** The archive that a session starts with. Undefined when there is none, or the session is not this node's. */
  open(node: NodeId, session: SessionId): Promise<Readable | undefined>;
  /**
   * Keeps what a session has left. Undefined when the session is not this node's. The archive rejects where the node broke off;
   * nothing may be kept of it then. What it rejects with, the node is to send again.
   */
  save(
    node: NodeId,
    session: SessionId,
    census: StateCensus,
    archive: Readable,
  ): Promise<SaveOutcome['outcome'] | undefined>;
}

const isCensus = shape(StateCensus);

/** Milliseconds without a byte of a body after which its node is gone. */
const idleMs = 60_000;

type Called = Request<{ id: string }, unknown, unknown>;

/** Sends the archive, and breaks it off where it cannot be read to its end. */
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
