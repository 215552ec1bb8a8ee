import type { Action } from '../../../contracts/resources/session.ts';
import type { Target } from '../../../contracts/resources/target.ts';

/** The names of the element that an action is about; empty where it is about none. */
export function namedElement(action: Action): Target {
  if (action.kind === 'type') {
    // What an action types is no name of its element.
    const { text: _typed, ...named } = action;
    return named;
  }
  // Actions on no element have other fields.
  const fields: object = action;
  return { ...fields };
}
