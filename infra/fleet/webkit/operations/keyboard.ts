import type { namedKeys } from '../../../../contracts/resources/session.ts';
import { pageFailure } from '../../node/driver.ts';
import type { KeyStep } from '../steps.ts';

/** What X calls the keys that write nothing. */
const names: Readonly<Record<(typeof namedKeys)[number], string>> = {
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
};
const named = new Map<string, string>(Object.entries(names));
const modifierKeys = { shift: 'Shift_L', ctrl: 'Control_L', option: 'Alt_L', cmd: 'Super_L' } as const;
type Modifier = keyof typeof modifierKeys;

/** One key with others held: by its DOM name (`Enter`, `ArrowDown`) or as the character it writes. */
export function chord(key: string, modifiers: readonly Modifier[]): KeyStep {
  const name = named.get(key) ?? (hasKey(key) ? key : undefined);
  if (name === undefined) throw pageFailure('invalid_request', 'There is no key of that name.');
  return { type: 'press', key: name, held: modifiers.map((modifier) => modifierKeys[modifier]) };
}

/** A keyboard of the United States writes these; the rest comes as from an input method. */
const hasKey = (character: string): boolean => /^[\x20-\x7e]$/.test(character);

/** A line break is the Enter key; each other character is a key of its own where there is one. */
export function strokes(text: string, delayMs: number): KeyStep[] {
  const characters = [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment);
  return characters.flatMap((character): KeyStep[] => [
    step(character),
    ...(delayMs > 0 ? [{ type: 'pause', ms: delayMs } as const] : []),
  ]);
}

function step(character: string): KeyStep {
  if (character === '\n' || character === '\r\n') return { type: 'press', key: 'Return' };
  if (character === '\t') return { type: 'press', key: 'Tab' };
  return hasKey(character) ? { type: 'press', key: character } : { type: 'text', text: character };
}
