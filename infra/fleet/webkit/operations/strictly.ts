import type { Page } from '../page.ts';

/** The same page, except that actions fail when several elements match their target equally well. */
export const strictly = (page: Page): Page => ({
  ...page,
  run: (script, input, expected, limits) => page.run(script, strict(input), expected, limits),
  press: (located, how, limits) => page.press(strict(located), how, limits),
});

function strict<I extends object | null>(input: I): I {
  const target = input && 'target' in input ? input.target : undefined;
  const isTarget = typeof target === 'object' && target !== null;
  return isTarget ? { ...input, target: { ...target, strict: true } } : input;
}
