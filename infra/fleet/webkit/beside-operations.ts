import { timeoutFailure } from '../node/driver.ts';
import type { Instance } from './instance.ts';
import type { Page } from './page.ts';

/**
 * Maximal unanswered commands for the page's script, above which no calls beside the operations add to them. A page whose script never
 * ends answers none, and each takes memory of the node and of the browser until it does. More than a person types while a page is busy for
 * two seconds.
 */
export const mostUnanswered = 32;

/** Throws a timeout if the page has left too many commands unanswered, or waits for the answer to its dialog. */
export function assertAnswers({ host }: Pick<Instance, 'host'>): void {
  if (host.hasDialog())
    throw timeoutFailure('unknown', 'A dialog of the page waits for a person to answer it.');
  if (host.unanswered('run') >= mostUnanswered)
    throw timeoutFailure('unknown', 'The page has not answered for some time.');
}

/** The page for calls beside its operations, whose commands for its script fail at once while it has left too many unanswered, or a dialog is open. */
export const besideOperations = (instance: Pick<Instance, 'host'>, page: Page): Page => ({
  ...page,
  run: async (...command) => {
    assertAnswers(instance);
    return page.run(...command);
  },
});
