import type { Aim, Hands } from '../node/driver.ts';

/** Records in words what a simulated browser was touched with; its pages do not react. */
export function simulatedHands(viewport: Hands['viewport']): Hands & {
  readonly felt: readonly string[];
  /** Makes the browser announce a touch, as an operation does. */
  readonly aimAt: (aim: Aim) => void;
} {
  const felt: string[] = [];
  let aimed: ((aim: Aim) => void) | undefined;
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
    watchAims: (listener) => {
      aimed = listener;
      return () => {
        if (aimed === listener) aimed = undefined;
      };
    },
    aimAt: (aim) => aimed?.(aim),
  };
}
