import { moving, reaching, refusals, waits } from './actionability.cases.ts';
import { boxes, gestures, keys, lists, typing } from './input.cases.ts';
import { captures, conditions, frames, logins, shadows, targets } from './page.cases.ts';
import type { Case } from './case.ts';

/** By what they are about. */
export const groups: Readonly<Record<string, readonly Case[]>> = {
  'waits before it acts': waits,
  'refuses what cannot be meant': refusals,
  'reaches the element': reaching,
  'meets what moves': moving,
  types: typing,
  'presses keys': keys,
  'checks boxes': boxes,
  'selects of lists': lists,
  'touches, swipes, scrolls and drags': gestures,
  'finds elements as people see them': targets,
  'goes into shadow trees': shadows,
  'goes into frames': frames,
  'waits for conditions': conditions,
  captures: captures,
  'logs in': logins,
};
