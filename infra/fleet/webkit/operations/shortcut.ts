import { Type, closed } from '../../../../contracts/schema.ts';
import { limitsOf, type OperationLimits } from '../../node/driver.ts';
import { shape } from '../../shape.ts';
import { nothing } from '../ask.ts';
import type { Page } from '../page.ts';
import type { KeyStep } from '../steps.ts';

const keySeen = shape(closed({ prevented: Type.Boolean() }));
/** Milliseconds for which an answer is waited for that nobody needs. */
const forgetMs = 1_000;

/** Presses the keys of a shortcut, which enter no text. Returns whether the page prevented their default. */
export async function pressShortcut(page: Page, step: KeyStep, limits: OperationLimits): Promise<boolean> {
  try {
    await page.run('watchKey', null, nothing, limits);
    await page.keys([step], limits);
    return (await page.run('keySeen', null, keySeen, limits)).prevented;
  } catch (error) {
    // A busy page begins to watch when it is free again, and would take every later key for the shortcut's. This comes after that.
    page.run('keySeen', null, keySeen, limitsOf(forgetMs)).catch(() => undefined);
    throw error;
  }
}
