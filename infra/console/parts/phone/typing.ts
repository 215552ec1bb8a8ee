import type { InputEvent } from '../../../../contracts/client/index.ts';

type KeyDown = Extract<InputEvent, { readonly type: 'keyDown' }>;
type Modifier = NonNullable<KeyDown['modifiers']>[number];

export interface TypingOptions {
  readonly send: (event: InputEvent) => void;
  readonly giveBack: () => void;
}

/** Characters of one message. */
const MOST = 10_000;
/** Milliseconds between two presses of Escape that belong together. */
const TWICE_MS = 500;

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Keys that only change others, and those that begin or are part of what an input method makes. */
const passive = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'NumLock', 'Fn']);
const unfinished = new Set(['Dead', 'Process', 'Unidentified']);

/** What keys are for what an on-screen keyboard does to an empty field. */
const edits: Readonly<Record<string, string>> = {
  deleteContentBackward: 'Backspace',
  deleteContentForward: 'Delete',
  insertLineBreak: 'Enter',
  insertParagraph: 'Enter',
};

/** Keys, text and pastes of a field that is kept empty. */
export class Typing {
  /** The keys that are down, by where they are on the keyboard: `Shift` changes what they are called. */
  readonly #held = new Map<string, string>();
  readonly #options: TypingOptions;
  #escapedAt = 0;

  constructor(options: TypingOptions) {
    this.#options = options;
  }

  down(event: KeyboardEvent): void {
    const { key, code } = event;
    // While composing, what is pressed is the input method's. Pasting comes as an event of its own.
    if (event.isComposing || passive.has(key) || unfinished.has(key) || isPaste(event)) return;
    event.preventDefault();
    if (key === 'Escape' && this.#isSecondEscape(event)) return this.#options.giveBack();
    this.#held.set(code, key);
    const modifiers = modifiersOf(event);
    this.#options.send({ type: 'keyDown', key, ...(modifiers.length > 0 && { modifiers }) });
  }

  up({ key, code }: KeyboardEvent): void {
    // No key that is pressed with Command is heard to be let go on a Mac.
    if (key === 'Meta') return this.lift();
    const held = this.#held.get(code);
    if (held === undefined) return;
    this.#held.delete(code);
    this.#options.send({ type: 'keyUp', key: held });
  }

  /** What a keyboard on a screen, dictation or a correction puts in. */
  edit(event: InputEvent_): void {
    if (event.isComposing || event.inputType === 'insertCompositionText') return;
    event.preventDefault();
    const key = edits[event.inputType];
    if (key !== undefined) {
      this.#options.send({ type: 'keyDown', key });
      this.#options.send({ type: 'keyUp', key });
    } else this.text('text', event.data ?? '');
  }

  text(type: 'text' | 'paste', text: string): void {
    for (let at = 0; at < text.length; at += MOST)
      this.#options.send({ type, text: text.slice(at, at + MOST) });
  }

  /** Lets every key go. */
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

/** The event of the browser, not of the phone. */
type InputEvent_ = globalThis.InputEvent;

const isPaste = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'v' && (isApple ? metaKey : ctrlKey);

/** A phone's shortcuts go by Command, which is Ctrl where there is no such key. A character has Shift and Option in it already. */
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
