import {
  ControlRequest,
  InputMessage,
  topics,
  type ClipboardMessage,
  type ControlMessage,
  type CursorMessage,
  type InputAck,
  type InputReason,
  type PageMessage,
  type RoomInput,
  type TurnMessage,
} from '../../../contracts/resources/room.ts';
import { shape } from '../shape.ts';
import type { Room } from '../video/room.ts';

const isInput = shape(InputMessage);
const isControl = shape(ControlRequest);
const utf8 = new TextDecoder('utf-8', { fatal: true });
const encoder = new TextEncoder();
/** Maximal bytes of a message: the longest text, escaped, and its envelope. */
const mostBytes = 62_000;

/** A participant's message or, if it is malformed, its number as far as that can be read. */
type Read<T> = { readonly message: T } | { readonly seq: number | null };

const readAs =
  <T>(is: (value: unknown) => value is T) =>
  (payload: Uint8Array): Read<T> => {
    const value = parsed(payload);
    return is(value) ? { message: value } : { seq: seqIn(value) };
  };

export const readInput = readAs<InputMessage>((value) => isInput.is(value));
export const readControl = readAs<ControlRequest>((value) => isControl.is(value));

const releases: readonly RoomInput['type'][] = ['touchEnd', 'mouseUp', 'keyUp'];

/** Whether the event releases a finger, a button or a key. */
export const isRelease = ({ type }: RoomInput): boolean => releases.includes(type);

/** Whether such an event was read. */
export const hasRelease = (read: Read<InputMessage>): boolean =>
  'message' in read && isRelease(read.message.event);

function parsed(payload: Uint8Array): unknown {
  if (payload.byteLength > mostBytes) return undefined;
  try {
    return JSON.parse(utf8.decode(payload));
  } catch {
    return undefined;
  }
}

function seqIn(value: unknown): number | null {
  if (typeof value !== 'object' || value === null || !('seq' in value)) return null;
  return Number.isSafeInteger(value.seq) && Number(value.seq) >= 0 ? Number(value.seq) : null;
}

interface Sent {
  readonly control: ControlMessage;
  readonly ack: InputAck;
  readonly clipboard: ClipboardMessage;
  readonly page: PageMessage;
  readonly cursor: CursorMessage;
  readonly turn: TurnMessage;
}

/** Sends a message to the given participants, or to all. */
export function send<T extends keyof Sent>(
  room: Room,
  topic: T,
  message: Sent[T],
  to?: readonly string[],
  lossy = false,
): void {
  room.send(topics[topic], encoder.encode(JSON.stringify(message)), to, lossy);
}

/** The answer to an event; a null reason means that the browser has it. */
export const ackOf = (seq: number | null, reason: InputReason | null): InputAck =>
  reason === null ? { seq: seq ?? 0, ok: true } : { seq, reason };
