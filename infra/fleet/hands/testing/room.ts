import { randomUUID } from 'node:crypto';
import pino from 'pino';
import type { RoomRequest, RoomState } from '../../../../contracts/fleet/room.ts';
import { toId, type AgentSessionId, type SessionId } from '../../../../contracts/ids.ts';
import type {
  ControlMessage,
  InputAck,
  InputReason,
  PageMessage,
  RoomInput,
} from '../../../../contracts/resources/room.ts';
import { until } from '../../../verification/testbed/index.ts';
import { simulatedHands } from '../../simulated/hands.ts';
import type { Participant, Room } from '../../video/room.ts';
import { openHands, Turns, type ControlLine, type HandsOptions } from '../index.ts';

export const sessionId = toId('session', randomUUID());
export const viewport = { width: 390, height: 664 };
const since = '2026-01-05T12:00:00.000Z';

export const stateOf = (about: Partial<RoomState> = {}): RoomState => ({
  ...{ session_id: sessionId, status: 'active', mode: 'manual', pair: null },
  ...{ epoch: 1, heartbeat_ms: 30_000, turn: null, links: [] },
  ...about,
});

export const pairOf = (
  kind: NonNullable<RoomState['pair']>['kind'],
  client_id: string | null = null,
  participant: string | null = null,
): Pick<RoomState, 'mode' | 'pair'> => ({ mode: 'pair', pair: { kind, client_id, participant, since } });

export const personOf = (about: Partial<Participant> = {}): Participant => ({
  ...{ identity: `customer-${randomUUID()}`, attributes: {}, right: 'control' },
  ...about,
});

interface Sent {
  readonly topic: string;
  readonly message: unknown;
  readonly to: readonly string[] | undefined;
}

/** A control plane with the test's answers. */
function fakeLine(state: RoomState | undefined) {
  const asked: RoomRequest[] = [];
  const answers: { refused: string | null; isAway: boolean; following: number } = {
    ...{ refused: null, isAway: false, following: 0 },
  };
  const said = { state, tell: (_state: RoomState | undefined): void => undefined };
  const line: ControlLine = {
    follow: (_id: AgentSessionId, listener) => {
      answers.following += 1;
      said.tell = listener;
      listener(said.state);
      return { close: () => void (answers.following -= 1) };
    },
    ask: async (_id: AgentSessionId, request: RoomRequest) => {
      if (answers.isAway) throw new Error('Nobody answers.');
      asked.push(request);
      return answers.refused;
    },
    close: async () => undefined,
  };
  const say = (state: RoomState | undefined) => {
    said.state = state;
    said.tell(state);
  };
  return { line, asked, answers, said, say };
}

/** A room without a network, which records sent messages. */
function fakeNetwork(name: string) {
  const sent: Sent[] = [];
  const disconnected: string[] = [];
  const here = new Map<string, Participant>();
  const room: Room = {
    name,
    participants: () => [...here.values()],
    send: (topic, payload, to) => {
      sent.push({ topic, message: JSON.parse(new TextDecoder().decode(payload)), to });
    },
    disconnect: (identity) => void disconnected.push(identity),
  };
  const on = <T>(wanted: string) =>
    sent.filter(({ topic }) => topic === wanted).map(({ message }) => message as T);
  const reasonOf = (seq: number | null): InputReason | 'ok' | undefined => {
    const ack = on<InputAck>('input-ack').find((each) => each.seq === seq);
    return ack && ('ok' in ack ? 'ok' : ack.reason);
  };
  return {
    ...{ room, here, sent, disconnected, reasonOf },
    acks: () => on<InputAck>('input-ack'),
    controls: () => on<ControlMessage>('control'),
    pages: () => on<PageMessage>('page'),
  };
}

/** A browser that records touches, and shows one page. */
export function fakeSeat(session: SessionId) {
  const hands = simulatedHands(viewport);
  const page = {
    state: 'loaded' as const,
    url: 'http://sim.test/',
    title: 'A page',
    tabId: null,
    error: null,
  };
  return { session, hands, pageState: async () => page };
}

export function fakeRoom(
  state: RoomState | undefined,
  options: Partial<HandsOptions> = {},
  name: string = toId('agentSession', randomUUID()),
) {
  const { line, said, ...control } = fakeLine(state);
  const { room, here, ...network } = fakeNetwork(name);
  const seat = fakeSeat(sessionId);
  const turns = new Turns();
  const seatOf = (session: SessionId) => (session === sessionId ? seat : undefined);
  const events = openHands({ line, turns, seatOf, logger: pino({ level: 'silent' }), ...options })(room);
  let seq = 0;
  const data = (who: Participant, topic: string, message: unknown) =>
    events.data(who, topic, new TextEncoder().encode(JSON.stringify(message)), topic !== 'input-moves');
  return {
    ...{ ...control, ...network, hands: seat.hands, turns, events, data },
    join: (who: Participant) => {
      here.set(who.identity, who);
      events.joined(who);
      return who;
    },
    leave: (who: Participant, why: 'closed' | 'lost') => {
      here.delete(who.identity);
      events.left(who, why);
    },
    /** Sends an event; returns its number. */
    input: (who: Participant, event: RoomInput, about: object = {}, topic = 'input') => {
      seq += 1;
      data(who, topic, { seq, epoch: said.state?.epoch ?? 1, event, ...about });
      return seq;
    },
  };
}

/** Resolves with the answer to a message. */
export const answered = (room: Pick<ReturnType<typeof fakeRoom>, 'reasonOf'>, seq: number | null) =>
  until(async () => room.reasonOf(seq) ?? false);
