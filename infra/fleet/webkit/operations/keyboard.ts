import { functionKeys, writingKeys, type FunctionKey } from '../../../../contracts/keys.ts';
import { pageFailure } from '../../node/driver.ts';
import type { KeyStep } from '../steps.ts';

/** X keysyms of keys that write nothing, and of the key pad, which writes digits because NumLock is on. */
const names: Readonly<Record<FunctionKey, string>> = {
  Backspace: 'BackSpace',
  Tab: 'Tab',
  Enter: 'Return',
  Escape: 'Escape',
  Space: 'space',
  PageUp: 'Page_Up',
  PageDown: 'Page_Down',
  End: 'End',
  Home: 'Home',
  ArrowLeft: 'Left',
  ArrowUp: 'Up',
  ArrowRight: 'Right',
  ArrowDown: 'Down',
  Insert: 'Insert',
  Delete: 'Delete',
  Shift: 'Shift_L',
  ShiftLeft: 'Shift_L',
  ShiftRight: 'Shift_R',
  Control: 'Control_L',
  ControlLeft: 'Control_L',
  ControlRight: 'Control_R',
  Alt: 'Alt_L',
  AltLeft: 'Alt_L',
  AltRight: 'Alt_R',
  Meta: 'Super_L',
  MetaLeft: 'Super_L',
  MetaRight: 'Super_R',
  F1: 'F1',
  F2: 'F2',
  F3: 'F3',
  F4: 'F4',
  F5: 'F5',
  F6: 'F6',
  F7: 'F7',
  F8: 'F8',
  F9: 'F9',
  F10: 'F10',
  F11: 'F11',
  F12: 'F12',
  Numpad0: 'KP_Insert',
  Numpad1: 'KP_End',
  Numpad2: 'KP_Down',
  Numpad3: 'KP_Next',
  Numpad4: 'KP_Left',
  Numpad5: 'KP_Begin',
  Numpad6: 'KP_Right',
  Numpad7: 'KP_Home',
  Numpad8: 'KP_Up',
  Numpad9: 'KP_Prior',
  NumpadAdd: 'KP_Add',
  NumpadSubtract: 'KP_Subtract',
  NumpadMultiply: 'KP_Multiply',
  NumpadDivide: 'KP_Divide',
  NumpadDecimal: 'KP_Delete',
  NumpadEnter: 'KP_Enter',
  NumpadEqual: 'KP_Equal',
};
const modifierKeys = { shift: 'Shift_L', ctrl: 'Control_L', option: 'Alt_L', cmd: 'Super_L' } as const;
export type Modifier = keyof typeof modifierKeys;

const isFunctionKey = (key: string): key is FunctionKey => functionKeys.some((name) => name === key);

/** Characters that keys write with Shift on the US layout. */
const shifted = new Map([...writingKeys.values()]);

/**
 * The step that presses one key with modifiers held. The key is given by its UI Events code (`Enter`, `KeyA`) or the character it
 * writes.
 */
export function chord(key: string, modifiers: readonly Modifier[]): KeyStep {
  const held = (those: readonly Modifier[]) => those.map((modifier) => modifierKeys[modifier]);
  if (isFunctionKey(key)) return { type: 'press', key: names[key], held: held(modifiers) };
  const [character] = writingKeys.get(key) ?? [key];
  if (!hasKey(character)) throw pageFailure('invalid_request', 'There is no key of that name.');
  // A character that needs Shift has it pressed.
  const others = held(modifiers.filter((modifier) => modifier !== 'shift'));
  const written = modifiers.includes('shift') ? (shifted.get(character) ?? character) : character;
  return { type: 'press', key: written, held: others };
}

/** Characters of a US keyboard; the rest is committed as by an input method. */
const hasKey = (character: string): boolean => /^[\x20-\x7e]$/.test(character);

/** A line break is the Enter key; each character with a key is pressed; the rest is committed in one piece. */
export function strokes(text: string, delayMs: number): KeyStep[] {
  const steps: KeyStep[] = [];
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    const next = step(segment);
    const last = steps.at(-1);
    if (next.type === 'text' && last?.type === 'text')
      steps.splice(-1, 1, { type: 'text', text: last.text + next.text });
    else steps.push(next);
    if (delayMs > 0) steps.push({ type: 'pause', ms: delayMs });
  }
  return steps;
}

function step(character: string): KeyStep {
  if (character === '\n' || character === '\r\n') return { type: 'press', key: 'Return' };
  if (character === '\t') return { type: 'press', key: 'Tab' };
  return hasKey(character) ? { type: 'press', key: character } : { type: 'text', text: character };
}

/**
 * Shortcuts of a phone with a keyboard, as editing commands of WebKit. WebKitGTK itself uses Control instead of cmd,
 * and pages must see the key that was pressed.
 */
const shortcuts: Readonly<Record<string, string>> = {
  'cmd+a': 'SelectAll',
  'cmd+c': 'Copy',
  'cmd+x': 'Cut',
  'cmd+v': 'Paste',
  'cmd+z': 'Undo',
  'cmd+shift+z': 'Redo',
  'cmd+b': 'ToggleBold',
  'cmd+i': 'ToggleItalic',
  'cmd+u': 'ToggleUnderline',
  'cmd+ArrowLeft': 'MoveToBeginningOfLine',
  'cmd+ArrowRight': 'MoveToEndOfLine',
  'cmd+ArrowUp': 'MoveToBeginningOfDocument',
  'cmd+ArrowDown': 'MoveToEndOfDocument',
  'cmd+shift+ArrowLeft': 'MoveToBeginningOfLineAndModifySelection',
  'cmd+shift+ArrowRight': 'MoveToEndOfLineAndModifySelection',
  'cmd+shift+ArrowUp': 'MoveToBeginningOfDocumentAndModifySelection',
  'cmd+shift+ArrowDown': 'MoveToEndOfDocumentAndModifySelection',
  'cmd+Backspace': 'DeleteToBeginningOfLine',
  'option+ArrowLeft': 'MoveWordLeft',
  'option+ArrowRight': 'MoveWordRight',
  'shift+option+ArrowLeft': 'MoveWordLeftAndModifySelection',
  'shift+option+ArrowRight': 'MoveWordRightAndModifySelection',
  'option+Backspace': 'DeleteWordBackward',
};
const order: readonly Modifier[] = ['cmd', 'ctrl', 'shift', 'option'];

/** The editing command of a shortcut, if the device has one for it. */
export function shortcutOf(key: string, modifiers: readonly Modifier[]): string | undefined {
  const held = order.filter((modifier) => modifiers.includes(modifier));
  const [character] = writingKeys.get(key) ?? [key];
  return shortcuts[[...held, character.length === 1 ? character.toLowerCase() : character].join('+')];
}
