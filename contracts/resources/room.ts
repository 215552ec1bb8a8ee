import { Type, Timestamp, closed, nullable, oneOf, taggedUnion, type Static } from '../schema.ts';
import { agentModes, agentStatuses, pairKinds } from './agent-session.ts';
import { pageStates } from './live.ts';
import { ClientId, inputEvents, longestTypedText } from './pair-mode.ts';
import { Dialog } from './session-tabs.ts';
import { MetElement } from './target.ts';

/**
 * Messages between a participant of a room and the node that has its browser, as JSON in UTF-8, by topic.
 *
 * | topic | from | holds |
 * |---|---|---|
 * | `input`, reliable | participant | `InputMessage` |
 * | `input-moves`, lossy | participant | `InputMessage`, of moves; the newest one counts |
 * | `control` | participant | `ControlRequest` |
 * | `input-ack` | node | `InputAck` |
 * | `control` | node | `ControlMessage` |
 * | `clipboard` | node | `ClipboardMessage` |
 * | `page` | node | `PageMessage` |
 * | `cursor` | node | `CursorMessage` |
 * | `turn` | node | `TurnMessage` |
 * | `frames`, lossy | node | `FramesMessage` |
 * | `picture` | node | `PictureMessage` |
 */
export const topics = {
  input: 'input',
  moves: 'input-moves',
  ack: 'input-ack',
  control: 'control',
  clipboard: 'clipboard',
  page: 'page',
  cursor: 'cursor',
  turn: 'turn',
  frames: 'frames',
  picture: 'picture',
} as const;

const Sequence = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Epoch = Type.Integer({ minimum: 1 });

/** Answers the dialog of the last `page` message. */
const AnswerDialog = closed({
  type: Type.Literal('answerDialog'),
  /** `id` of the dialog. */
  dialogId: Type.Integer({ minimum: 1 }),
  accept: Type.Boolean(),
  /** Of a prompt that is accepted; by default its `default_text`. Not stored. */
  text: Type.Optional(Type.String({ maxLength: longestTypedText })),
});
/** Input of a person in a room: the events that `input-event` takes, and answers to dialogs. */
const RoomInput = taggedUnion('type', { ...inputEvents, answerDialog: AnswerDialog });
export type RoomInput = Static<typeof RoomInput>;

export const InputMessage = closed({
  /** Chosen by the sender; repeated in the answer. */
  seq: Sequence,
  /** The epoch of the last `control` message: an event is executed under this epoch or not at all. */
  epoch: Epoch,
  /** Required in pair mode, unless the participant's attributes include it. */
  client_id: Type.Optional(ClientId),
  /**
   * Time of the event, in milliseconds of the sender's clock. Events received at once are executed with the intervals between
   * them.
   */
  time: Type.Optional(Type.Number({ minimum: 0 })),
  event: RoomInput,
});
export type InputMessage = Static<typeof InputMessage>;

export const ControlRequest = closed({
  seq: Sequence,
  type: oneOf(['takeover', 'handback', 'copy']),
  client_id: Type.Optional(ClientId),
});
export type ControlRequest = Static<typeof ControlRequest>;

/** Why an event was not executed. */
export const inputReasons = {
  malformed: 'This is not a message of this topic.',
  'too-many': 'More than the rate of input allows.',
  watching: 'The token only permits watching.',
  'no-contact': 'The node cannot tell who has the controls now.',
  'no-browser': 'There is no browser, or it has ended.',
  paused: 'The session is paused.',
  closed: 'The session is closed.',
  'agent-drives': 'The mode is ai.',
  'client-required': 'Pair mode needs a client_id.',
  'other-client': 'Another client has the controls, or asked first.',
  asked: 'The controls were requested. The event itself is not carried out.',
  pending: 'The controls were requested but not granted yet.',
  'handing-back': 'The controls are being given back.',
  'old-epoch': 'It was sent under an earlier state of control.',
  busy: 'An operation is running in the browser.',
  'dialog-open': 'A dialog of the page is open.',
  'no-dialog': 'That dialog is not open any more.',
  outside: 'The point lies outside the viewport.',
  'no-touch': 'There is no such finger on the screen.',
  'too-many-fingers': 'Two fingers at most.',
  'no-such-key': 'There is no key or button of that name.',
  'newer-move': 'A newer move replaced it.',
  failed: 'The browser did not accept it.',
} as const;
export type InputReason = keyof typeof inputReasons;

const reason = oneOf(Object.keys(inputReasons) as [InputReason, ...InputReason[]]);
/** `ok`: the browser has received it. */
export const InputAck = Type.Union([
  closed({ seq: Sequence, ok: Type.Literal(true) }),
  /** `seq` is null if the message could not be parsed. */
  closed({ seq: nullable(Sequence), reason }),
]);
export type InputAck = Static<typeof InputAck>;

/** Who has the controls. Sent to each participant on joining, and to all on a change. */
export const ControlMessage = closed({
  status: oneOf(agentStatuses),
  mode: oneOf(agentModes),
  /** Null in other modes. */
  pair: nullable(closed({ kind: oneOf(pairKinds), client_id: nullable(Type.String()), since: Timestamp })),
  epoch: Epoch,
  /** The participant of the last touch or key; null: none, or the agent. */
  last_touched_by: nullable(Type.String()),
  /** A client that has or requests the controls loses them after this time without a message. */
  heartbeat_ms: Type.Integer({ minimum: 1 }),
});
export type ControlMessage = Static<typeof ControlMessage>;

/** The page's selection; empty if there is none, or if it is secret. */
export const ClipboardMessage = closed({ seq: Sequence, text: Type.String() });
export type ClipboardMessage = Static<typeof ClipboardMessage>;

const Box = closed({ x: Type.Number(), y: Type.Number(), width: Type.Number(), height: Type.Number() });
/** The focused field: the keyboard for a phone to show, and the field's position. */
export const KeyboardWanted = closed({
  /** The `type` of an input, or `textarea`, or `editable`. */
  kind: Type.String({ maxLength: 40 }),
  inputmode: Type.String({ maxLength: 40 }),
  box: Box,
});
export type KeyboardWanted = Static<typeof KeyboardWanted>;

/** Milliseconds after which a dialog that nobody has answered gets its default answer. */
export const dialogHeldMs = 20_000;
/** Maximum characters of a dialog's message, and of its default text. */
export const longestDialogText = 1_000;

/** A dialog of the page while a person drives. It waits for `answerDialog`; its texts are the page's. */
export const HeldDialog = closed({
  id: Type.Integer({ minimum: 1 }),
  type: Dialog.properties.type,
  /** Origin of the page, such as `https://example.com`; `null`, as a text, for a page without one. */
  origin: Type.String(),
  message: Type.String({ maxLength: longestDialogText }),
  /** The text that a prompt starts with; null for other dialogs. */
  default_text: nullable(Type.String({ maxLength: longestDialogText })),
  /** Milliseconds after its opening until it gets the default answer: not accepted, except an `alert` or a `beforeunload`. */
  answer_ms: Type.Integer({ minimum: 1 }),
});
export type HeldDialog = Static<typeof HeldDialog>;

export const PageMessage = closed({
  state: oneOf(pageStates),
  url: Type.String(),
  title: Type.String(),
  keyboard: nullable(KeyboardWanted),
  dialog: nullable(HeldDialog),
});
export type PageMessage = Static<typeof PageMessage>;

/**
 * The agent's touch, in pixels of the screen: sent `in_ms` before it, and again afterwards, with the element that it met. `met`
 * is null before, and if unknown.
 */
export const CursorMessage = closed({
  x: Type.Number(),
  y: Type.Number(),
  in_ms: Type.Number(),
  met: nullable(closed({ role: MetElement.properties.role, text: MetElement.properties.text })),
});
export type CursorMessage = Static<typeof CursorMessage>;

/** Sent each second: the number of frames shown in it, and their size. */
export const FramesMessage = closed({
  frames: Type.Integer({ minimum: 0 }),
  size: nullable(closed({ width: Type.Integer(), height: Type.Integer() })),
});
export type FramesMessage = Static<typeof FramesMessage>;

/** There is no picture, and no retry; everything else continues. */
export const PictureMessage = closed({ state: Type.Literal('unavailable'), reason: Type.String() });
export type PictureMessage = Static<typeof PictureMessage>;

/** Progress of the agent's turn. Null: none is running. */
export const TurnMessage = nullable(
  closed({
    turn_id: Type.String({ format: 'uuid' }),
    phase: Type.String(),
    round: Type.Integer(),
    intents: Type.Integer(),
    settled: Type.Integer(),
    /** Completed steps, one line each, as in the turn's transcript entry. */
    steps: Type.Array(Type.String()),
  }),
);
export type TurnMessage = Static<typeof TurnMessage>;
