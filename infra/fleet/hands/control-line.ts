import { createInterface } from 'node:readline';
import type { Logger } from 'pino';
import { Agent } from 'undici';
import {
  RoomAnswer,
  RoomLine,
  roomRoutes,
  roomSilenceMs,
  type RoomRequest,
  type RoomState,
} from '../../../contracts/fleet/room.ts';
import { pathOf } from '../../../contracts/fleet/protocol.ts';
import type { AgentSessionId } from '../../../contracts/ids.ts';
import type { InternalTls } from '../../internal-tls/index.ts';
import { waitBackOff, type BackOff } from '../../platform/back-off.ts';
import { request } from '../../platform/request.ts';
import { shape } from '../shape.ts';
import { firstSignal } from '../../platform/first-signal.ts';

export interface ControlLineOptions {
  /** Base URL of the control plane. */
  readonly url: string;
  /** The node's credential. */
  readonly credential: string;
  readonly logger: Logger;
  readonly tls?: InternalTls | undefined;
  readonly silenceMs?: number;
  /** Timeout of a request, its connection included, in milliseconds. Default: 3,000. */
  readonly askMs?: number;
}

/** The node's connection to the control plane, which decides about an agent session. */
export interface ControlLine {
  /** Calls `tell` with the state at once and at each change, and with undefined as soon as it is unknown, until `close`. */
  follow(id: AgentSessionId, tell: (state: RoomState | undefined) => void): { close(): void };
  /** The slug of a refusal; null if the request was granted. Rejects without an answer. */
  ask(id: AgentSessionId, ask: RoomRequest): Promise<string | null>;
  /** Ends all that is followed, too. */
  close(): Promise<void>;
}

const again: BackOff = { firstMs: 250, longestMs: 3_000 };
const isLine = shape(RoomLine);
const isAnswer = shape(RoomAnswer);

export function openControlLine(options: ControlLineOptions): ControlLine {
  const { url, credential, tls, askMs = 3_000 } = options;
  const agent = new Agent({
    ...{ headersTimeout: roomSilenceMs, bodyTimeout: 0 },
    ...(tls && { connect: tls.connect }),
  });
  const authorization = `Bearer ${credential}`;
  const followed = new Set<AbortController>();
  return {
    follow: (id, tell) => {
      const closing = new AbortController();
      followed.add(closing);
      void keepFollowing(options, agent, { id, tell, closing: closing.signal }).finally(() =>
        followed.delete(closing),
      );
      return { close: () => closing.abort() };
    },
    ask: async (id, body) => {
      const reply = await request(addressOf(url, roomRoutes.ask, id), {
        method: 'POST',
        dispatcher: agent,
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(askMs),
      });
      if (reply.statusCode === 404) {
        await reply.body.dump();
        return 'not-found';
      }
      const answer: unknown = await reply.body.json();
      if (!isAnswer.is(answer)) throw new Error('The control plane gave no answer about a room.');
      return answer.refused;
    },
    close: () => {
      for (const closing of followed) closing.abort();
      return agent.destroy();
    },
  };
}

const addressOf = (url: string, route: string, id: AgentSessionId) =>
  new URL(pathOf(route).replace(':id', id), url);

interface Following {
  readonly id: AgentSessionId;
  readonly tell: (state: RoomState | undefined) => void;
  readonly closing: AbortSignal;
}

async function keepFollowing(options: ControlLineOptions, agent: Agent, following: Following): Promise<void> {
  const { closing, tell, id } = following;
  const isClosed = () => closing.aborted;
  for (let attempt = 0; !isClosed(); attempt += 1) {
    try {
      await followOnce(options, agent, following, () => (attempt = 0));
    } catch (error) {
      if (!isClosed())
        options.logger.warn(
          { err: error, agent_session: id },
          'The stream about control of a room broke; reconnecting.',
        );
    }
    if (!isClosed()) tell(undefined);
    await waitBackOff(again, attempt, { signal: closing }).catch(() => undefined);
  }
}

/** Reads lines until none has arrived for too long, or the other side ends the response. */
async function followOnce(
  { url, credential, silenceMs = roomSilenceMs }: ControlLineOptions,
  agent: Agent,
  { id, tell, closing }: Following,
  onLine: () => void,
): Promise<void> {
  const silence = new AbortController();
  const silent = () => silence.abort(new Error('The control plane was silent.'));
  let timer = setTimeout(silent, silenceMs);
  try {
    const reply = await request(addressOf(url, roomRoutes.follow, id), {
      dispatcher: agent,
      headers: { authorization: `Bearer ${credential}` },
      signal: firstSignal(closing, silence.signal),
    });
    if (reply.statusCode !== 200) {
      await reply.body.dump();
      throw new Error(`The control plane answered ${reply.statusCode}.`);
    }
    for await (const text of createInterface({ input: reply.body })) {
      const line: unknown = JSON.parse(text);
      if (!isLine.is(line)) throw new TypeError('This is no line about a room.');
      clearTimeout(timer);
      timer = setTimeout(silent, silenceMs);
      onLine();
      if (line.state !== null && !closing.aborted) tell(line.state);
    }
  } finally {
    clearTimeout(timer);
  }
}
