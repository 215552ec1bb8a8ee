import { boxes } from './boxes.cases.ts';
import { captures } from './captures.cases.ts';
import { conditions } from './conditions.cases.ts';
import { targets } from './finding.cases.ts';
import { frames } from './frames.cases.ts';
import { gestures } from './gestures.cases.ts';
import { keys } from './keys.cases.ts';
import { lists } from './lists.cases.ts';
import { logins } from './logins.cases.ts';
import { moving } from './moving.cases.ts';
import { reaching } from './reaching.cases.ts';
import { refusals } from './refusals.cases.ts';
import { shadows } from './shadow-trees.cases.ts';
import { typing } from './typing.cases.ts';
import { waits } from './waiting.cases.ts';
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
