import { Coordinate, Type, closed, oneOf, requestBody, taggedUnion, type Static } from '../schema.ts';
import { PairModeState } from './agent-session.ts';

const at = { x: Coordinate, y: Coordinate };
/** 0 left, 1 middle, 2 right. */
const button = Type.Integer({ minimum: 0, maximum: 2 });
const touch = { ...at, touchId: Type.Integer({ minimum: 0, maximum: 9 }) };
const Key = Type.String({ minLength: 1, maxLength: 50 });

export const modifiers = ['cmd', 'ctrl', 'shift', 'option'] as const;
export type Modifier = (typeof modifiers)[number];
/** Maximum characters typed or pasted at once. */
export const longestTypedText = 10_000;
const TypedText = Type.String({ minLength: 1, maxLength: longestTypedText });

const event = <const K extends string, P extends Parameters<typeof Type.Object>[0]>(type: K, properties: P) =>
  Type.Object({ type: Type.Literal(type), ...properties }, { additionalProperties: false });

/** Input of a person, in CSS pixels of the device. */
export const inputEvents = {
  mouseMove: event('mouseMove', at),
  mouseDown: event('mouseDown', { ...at, button }),
  mouseUp: event('mouseUp', { ...at, button }),
  keyDown: event('keyDown', {
    key: Key,
    modifiers: Type.Optional(Type.Array(oneOf(modifiers), { maxItems: 4 })),
  }),
  keyUp: event('keyUp', { key: Key }),
  wheel: event('wheel', { ...at, deltaX: Coordinate, deltaY: Coordinate }),
  tap: event('tap', at),
  touchStart: event('touchStart', touch),
  touchMove: event('touchMove', touch),
  touchEnd: event('touchEnd', touch),
  swipe: event('swipe', {
    x1: Coordinate,
    y1: Coordinate,
    x2: Coordinate,
    y2: Coordinate,
    durationMs: Type.Integer({ minimum: 0, maximum: 60_000 }),
  }),
  /** Text that has no keys, or that an input method composed; inserted at the focus. Not stored. */
  text: event('text', { text: TypedText }),
  /** The same as the content of a clipboard, which the page may reject. */
  paste: event('paste', { text: TypedText }),
  ping: event('ping', { timestamp: Type.Integer() }),
};

export const InputEvent = taggedUnion('type', inputEvents);
export type InputEvent = Static<typeof InputEvent>;

export const ClientId = Type.String({ minLength: 1, maxLength: 200 });
export const SendInput = requestBody({
  event: InputEvent,
  /** Required in pair mode. */
  client_id: Type.Optional(ClientId),
});
export type SendInput = Static<typeof SendInput>;
/** The answer to the first event of a pair session that the agent drives; all others are refused. */
export const InputTaken = closed({
  kind: Type.Literal('pair-mode-takeover-fired'),
  pair_mode_state: PairModeState,
});

/** A participant of a room: a person of the account, or the holder of a link. */
export const ParticipantIdentity = Type.String({
  pattern:
    '^(customer-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|lnk_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$',
});
export const TakeOver = requestBody({
  client_id: ClientId,
  /** The client's `participant_identity` in the room, if its attributes there do not include its `client_id`. */
  participant: Type.Optional(ParticipantIdentity),
});
export const PairModeChanged = closed({ pair_mode_state: PairModeState });
export const HandBack = requestBody({});
