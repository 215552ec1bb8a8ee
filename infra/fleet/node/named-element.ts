import type { Action } from '../../../contracts/resources/session.ts';
import type { Target } from '../../../contracts/resources/target.ts';

/** The fields that name an action's element; empty for an action without one. */
export function namedElement(action: Action): Target {
  if (action.kind === 'type') {
    // The text that an action types does not name its element.
    const { text: _typed, ...named } = action;
    return named;
  }
  // Actions without an element have other fields.
  const fields: object = action;
  return { ...fields };
}
