import type { Hands } from '../node/driver.ts';

/** What a simulated browser was touched with, in words; its pages feel nothing. */
export function simulatedHands(viewport: Hands['viewport']): Hands & { readonly felt: readonly string[] } {
  const felt: string[] = [];
  const feel = async (what: string) => void felt.push(what);
  return {
    viewport,
    felt,
    touch: ({ type, finger, x, y }) => feel(`${type} ${finger} ${x},${y}`),
    keyDown: (key, modifiers) => feel(`key ${[...modifiers, key].join('+')}`),
    keyUp: (key) => feel(`key up ${key}`),
    text: (text) => feel(`text of ${text.length}`),
    paste: (text) => feel(`paste of ${text.length}`),
    selection: async () => '',
    keyboard: async () => null,
    lift: () => feel('lift'),
    watchAims: () => undefined,
  };
}
