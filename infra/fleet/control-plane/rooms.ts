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

/** The agent sessions of browsers on nodes, for the nodes' requests. Undefined for another node's agent session. */
export interface Rooms {
  look(node: NodeId, id: AgentSessionId): Promise<RoomState | undefined>;
  ask(node: NodeId, id: AgentSessionId, request: RoomRequest): Promise<RoomAnswer | undefined>;
  /** Calls the listener after each change of the agent session, until the returned function is called. */
  watch(id: AgentSessionId, listener: () => void): () => void;
}

const isRequest = shape(RoomRequest);
type Call = Request<{ id: string }, unknown, unknown>;

/** Writes lines until the node disconnects or the room belongs to another node. */
export const followRoom =
  (rooms: Rooms) =>
  async (node: NodeId, { params }: Call, reply: Response): Promise<void> => {
    const id = parseId('agentSession', params.id);
    const first = id && (await rooms.look(node, id));
    if (!id || !first) return void reply.status(404).end();
    const isGone = () => reply.closed || reply.destroyed;
    // Its `close` has been emitted: nothing would end the watch.
    if (isGone()) return;
    const news = signal();
    const forget = rooms.watch(id, news.raise);
    reply.once('close', () => {
      forget();
      news.raise();
    });
    reply.type('application/x-ndjson');
    // The second read includes changes from before the watch began.
    news.raise();
    let said = write(reply, first, undefined);
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

/** Writes the state, or null if it equals the previous line's; returns its text for the next comparison. */
function write(reply: Response, state: RoomState, before: string | undefined): string {
  const text = JSON.stringify(state);
  const line: RoomLine = { state: text === before ? null : state };
  reply.write(`${JSON.stringify(line)}\n`);
  return text;
}

/** A signal that stays raised until it is awaited. */
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
