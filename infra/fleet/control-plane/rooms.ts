import type { Request, Response } from 'express';
import {
  RoomRequest,
  roomBeatMs,
  type RoomAnswer,
  type RoomLine,
  type RoomState,
} from '../../../contracts/fleet/room.ts';
import { parseId, type AgentSessionId, type NodeId } from '../../../contracts/ids.ts';
import { shape } from '../shape.ts';

/** The agent sessions whose browsers nodes have, as the nodes ask about them. Undefined where it is not this node's. */
export interface Rooms {
  look(node: NodeId, id: AgentSessionId): Promise<RoomState | undefined>;
  ask(node: NodeId, id: AgentSessionId, request: RoomRequest): Promise<RoomAnswer | undefined>;
  /** Calls the listener when something has happened to the agent session, until what it gives is called. */
  watch(id: AgentSessionId, listener: () => void): () => void;
}

const isRequest = shape(RoomRequest);
type Call = Request<{ id: string }, unknown, unknown>;

/** Writes lines until the node goes away or the room is no longer its own. */
export const followRoom =
  (rooms: Rooms) =>
  async (node: NodeId, { params }: Call, reply: Response): Promise<void> => {
    const id = parseId('agentSession', params.id);
    const first = id && (await rooms.look(node, id));
    if (!id || !first) return void reply.status(404).end();
    const news = signal();
    const forget = rooms.watch(id, news.raise);
    reply.once('close', () => {
      forget();
      news.raise();
    });
    reply.type('application/x-ndjson');
    // What changed before it was watched is in the second look.
    news.raise();
    let said = write(reply, first, undefined);
    const isGone = () => reply.closed || reply.destroyed;
    while (!isGone()) {
      await news.raised(roomBeatMs);
      if (isGone()) return;
      const state = await rooms.look(node, id);
      if (state === undefined) return void reply.end();
      said = write(reply, state, said);
    }
  };

export const askRoom =
  (rooms: Rooms) =>
  async (node: NodeId, { params, body }: Call, reply: Response): Promise<void> => {
    const id = parseId('agentSession', params.id);
    if (!id || !isRequest.is(body)) return void reply.status(400).end();
    const answer = await rooms.ask(node, id, body);
    if (answer === undefined) reply.status(404).end();
    else reply.json(answer);
  };

/** What was said of the state, by which the next line knows whether it has changed. */
function write(reply: Response, state: RoomState, before: string | undefined): string {
  const text = JSON.stringify(state);
  const line: RoomLine = { state: text === before ? null : state };
  reply.write(`${JSON.stringify(line)}\n`);
  return text;
}

/** A signal that stays raised until it is waited for. */
function signal() {
  let isRaised = false;
  let wake: () => void = () => undefined;
  return {
    raise: () => {
      isRaised = true;
      wake();
    },
    raised: async (limitMs: number): Promise<void> => {
      if (!isRaised) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, limitMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isRaised = false;
    },
  };
}
