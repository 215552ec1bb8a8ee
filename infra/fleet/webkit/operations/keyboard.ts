import type { namedKeys } from '../../../../contracts/resources/session.ts';
import { pageFailure } from '../../node/driver.ts';
import type { Key } from '../web-driver.ts';

const enter = '\uE006';

/** W3C WebDriver's code points for keys that write nothing. */
const codes: Readonly<Record<(typeof namedKeys)[number], string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: enter,
  Escape: '\uE00C',
  Space: ' ',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Insert: '\uE016',
  Delete: '\uE017',
};
const named = new Map<string, string>(Object.entries(codes));
const modifierKeys = { shift: '\uE008', ctrl: '\uE009', option: '\uE00A', cmd: '\uE03D' } as const;
type Modifier = keyof typeof modifierKeys;

/** One key with others held: by its DOM name (`Enter`, `ArrowDown`) or as the character it writes. */
export function chord(key: string, modifiers: readonly Modifier[]): Key[] {
  const value = named.get(key) ?? (Array.from(key).length === 1 ? key : undefined);
  if (value === undefined) throw pageFailure('invalid_request', 'There is no key of that name.');
  const held = modifiers.map((modifier) => modifierKeys[modifier]);
  return [
    ...held.map((each) => ({ type: 'keyDown' as const, value: each })),
    ...stroke(value),
    ...held.reverse().map((each) => ({ type: 'keyUp' as const, value: each })),
  ];
}

/** A line break is the Enter key; each other character is a key of its own. */
export const strokes = (text: string, delayMs: number): Key[][] =>
  Array.from(text).flatMap((character) => [
    stroke(character === '\n' ? enter : character),
    ...(delayMs > 0 ? [[{ type: 'pause' as const, duration: delayMs }]] : []),
  ]);

const stroke = (value: string): Key[] => [
  { type: 'keyDown', value },
  { type: 'keyUp', value },
];
