import type { RoomInput } from '../../../../contracts/resources/room.ts';
import { piecesOf } from './pieces.ts';

type KeyDown = Extract<RoomInput, { readonly type: 'keyDown' }>;
type Modifier = NonNullable<KeyDown['modifiers']>[number];

export interface TypingOptions {
  readonly send: (event: RoomInput) => void;
  readonly giveBack: () => void;
}

/** Maximal characters of a message. */
const MOST = 10_000;
/** Maximal milliseconds between two presses of Escape that count as a double press. */
const TWICE_MS = 500;

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Modifier keys, and those of input methods. */
const passive = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'NumLock', 'Fn']);
const unfinished = new Set(['Dead', 'Process', 'Unidentified']);

/** Keys by the input type that an on-screen keyboard reports for an empty field. */
const edits: Readonly<Record<string, string>> = {
  deleteContentBackward: 'Backspace',
  deleteContentForward: 'Delete',
  insertLineBreak: 'Enter',
  insertParagraph: 'Enter',
};

/** Keys, text and pastes of a field that is kept empty. */
export class Typing {
  /** Pressed keys by `KeyboardEvent.code`, since `Shift` changes their `key`. */
  readonly #held = new Map<string, string>();
  readonly #options: TypingOptions;
  #escapedAt = 0;

  constructor(options: TypingOptions) {
    this.#options = options;
  }

  down(event: KeyboardEvent): void {
    const { key, code } = event;
    // While composing, keys belong to the input method. Pasting has its own event.
    if (event.isComposing || passive.has(key) || unfinished.has(key) || isPaste(event)) return;
    event.preventDefault();
    if (key === 'Escape' && this.#isSecondEscape(event)) return this.#options.giveBack();
    this.#held.set(code, key);
    const modifiers = modifiersOf(event);
    this.#options.send({ type: 'keyDown', key, ...(modifiers.length > 0 && { modifiers }) });
  }

  up({ key, code }: KeyboardEvent): void {
    // On a Mac there is no `keyup` for a key that was pressed with Command.
    if (key === 'Meta') return this.lift();
    const held = this.#held.get(code);
    if (held === undefined) return;
    this.#held.delete(code);
    this.#options.send({ type: 'keyUp', key: held });
  }

  /** Input of on-screen keyboards, dictation and corrections. */
  edit(event: InputEvent): void {
    if (event.isComposing || event.inputType === 'insertCompositionText') return;
    event.preventDefault();
    const key = edits[event.inputType];
    if (key !== undefined) {
      this.#options.send({ type: 'keyDown', key });
      this.#options.send({ type: 'keyUp', key });
    } else this.text('text', event.data ?? '');
  }

  text(type: 'text' | 'paste', text: string): void {
    for (const piece of piecesOf(text, MOST)) this.#options.send({ type, text: piece });
  }

  /** Releases every key. */
  lift(): void {
    for (const key of this.#held.values()) this.#options.send({ type: 'keyUp', key });
    this.#held.clear();
  }

  #isSecondEscape({ timeStamp, repeat }: KeyboardEvent): boolean {
    if (repeat) return false;
    const isSecond = timeStamp - this.#escapedAt < TWICE_MS;
    this.#escapedAt = isSecond ? 0 : timeStamp;
    return isSecond;
  }
}

const isPaste = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'v' && (isApple ? metaKey : ctrlKey);

/** The phone's shortcuts use Command, sent for Ctrl on other keyboards. A character already includes Shift and Option. */
function modifiersOf(event: KeyboardEvent): Modifier[] {
  const { ctrlKey, metaKey, altKey, shiftKey, key } = event;
  if (event.getModifierState('AltGraph')) return [];
  const isCommand = isApple ? metaKey : ctrlKey || metaKey;
  const isNamed = key.length > 1;
  return [
    ...(isCommand ? (['cmd'] as const) : []),
    ...(isApple && ctrlKey ? (['ctrl'] as const) : []),
    ...(altKey && isNamed ? (['option'] as const) : []),
    ...(shiftKey && (isNamed || isCommand) ? (['shift'] as const) : []),
  ];
}
