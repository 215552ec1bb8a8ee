import { Type, closed, oneOf, requestBody, taggedUnion, type Static } from '../schema.ts';
import { PairModeState } from './agent-session.ts';

const Coordinate = Type.Number({ minimum: -100_000, maximum: 100_000 });
const at = { x: Coordinate, y: Coordinate };
/** 0 left, 1 middle, 2 right. */
const button = Type.Integer({ minimum: 0, maximum: 2 });
const touch = { ...at, touchId: Type.Integer({ minimum: 0, maximum: 9 }) };
const Key = Type.String({ minLength: 1, maxLength: 50 });

const event = <const K extends string, P extends Parameters<typeof Type.Object>[0]>(type: K, properties: P) =>
  Type.Object({ type: Type.Literal(type), ...properties }, { additionalProperties: false });

/** Input of a person, in CSS pixels of the device. */
export const inputEvents = {
  mouseMove: event('mouseMove', at),
  mouseDown: event('mouseDown', { ...at, button }),
  mouseUp: event('mouseUp', { ...at, button }),
  keyDown: event('keyDown', {
    key: Key,
    modifiers: Type.Optional(Type.Array(oneOf(['cmd', 'ctrl', 'shift', 'option']), { maxItems: 4 })),
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
  ping: event('ping', { timestamp: Type.Integer() }),
};

export const InputEvent = taggedUnion('type', inputEvents);

const ClientId = Type.String({ minLength: 1, maxLength: 200 });
export const SendInput = requestBody({
  event: InputEvent,
  /** Required in pair mode. */
  client_id: Type.Optional(ClientId),
});
export type SendInput = Static<typeof SendInput>;
/** The first event of a pair session that is driven by the agent; every other one is refused. */
export const InputTaken = closed({
  kind: Type.Literal('pair-mode-takeover-fired'),
  pair_mode_state: PairModeState,
});

export const TakeOver = requestBody({ client_id: ClientId });
export const PairModeChanged = closed({ pair_mode_state: PairModeState });
export const HandBack = requestBody({});
