import { Type, closed } from '../../../../contracts/schema.ts';
import type { OperationLimits } from '../../node/driver.ts';
import { shape, type Shape } from '../../shape.ts';
import type { Page } from '../page.ts';
import { strokes } from './keyboard.ts';
import { afterTap, pressElement } from './press.ts';
import type { Located } from './target.ts';

const Entered = { matches: Type.Integer(), isEntered: Type.Boolean() };
export const entered = shape(closed(Entered));
const prepared = shape(closed({ ...Entered, keys: Type.Boolean() }));

/** Runs an operation that focuses an element. In a frame that only a finger can focus, taps it first. */
export async function enter<T extends { readonly isEntered: boolean }>(
  page: Page,
  operation: 'focus' | 'clear' | 'prepareTyping',
  input: Located,
  expected: Shape<T>,
  limits: OperationLimits,
): Promise<T> {
  const reply = await page.run(operation, input, expected, limits);
  if (reply.isEntered) return reply;
  await pressElement(page, 'tap', input, limits);
  return afterTap(page.run(operation, { ...input, isTapped: true }, expected, limits));
}

export interface Text {
  readonly text: string;
  readonly clear: boolean;
  /** Whether the text is a secret. */
  readonly sensitive: boolean;
  /** Milliseconds between two keys. */
  readonly delay_ms: number;
}

/** Types into a field as a keyboard does. Returns the number of elements that the target matches. */
export async function typeInto(
  page: Page,
  located: Located,
  { text, clear, sensitive, delay_ms }: Text,
  limits: OperationLimits,
): Promise<number> {
  const input = { ...located, text, clear, sensitive };
  const { keys, matches } = await enter(page, 'prepareTyping', input, prepared, limits);
  if (keys) await page.keys(strokes(text, delay_ms), limits);
  return matches;
}
