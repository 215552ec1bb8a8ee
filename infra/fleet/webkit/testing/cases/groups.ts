import { boxes } from './boxes.cases.ts';
import { captures } from './captures.cases.ts';
import { conditions } from './conditions.cases.ts';
import { targets } from './finding.cases.ts';
import { frames } from './frames.cases.ts';
import { keys } from './keys.cases.ts';
import { lists } from './lists.cases.ts';
import { logins } from './logins.cases.ts';
import { moving } from './moving.cases.ts';
import { reaching } from './reaching.cases.ts';
import { refusals } from './refusals.cases.ts';
import { shadows } from './shadow-trees.cases.ts';
import { typing } from './typing.cases.ts';
import { waits } from './waiting.cases.ts';
import { drags } from './drags.cases.ts';
import { editors } from './editors.cases.ts';
import { entering } from './entering.cases.ts';
import { keyboard } from './keyboard.cases.ts';
import { layouts } from './layouts.cases.ts';
import { stillness } from './late-waits.cases.ts';
import { redrawn } from './redrawn.cases.ts';
import { scrolling } from './scrolling.cases.ts';
import { touches } from './touches.cases.ts';
import { uploads } from './uploads.cases.ts';
import type { Case } from './case.ts';

/** Cases by subject. */
export const groups: Readonly<Record<string, readonly Case[]>> = {
  'waits before it acts': [...waits, ...stillness],
  'refuses impossible actions': refusals,
  'reaches the element': [...reaching, ...layouts],
  'hits moving elements': moving,
  'hits elements that are redrawn under the finger': redrawn,
  'enters the right field, or none': entering,
  types: [...typing, ...editors],
  'presses keys': [...keys, ...keyboard],
  'checks boxes': boxes,
  'selects of lists': lists,
  touches,
  'swipes and scrolls': scrolling,
  drags,
  uploads,
  'finds elements as people see them': targets,
  'goes into shadow trees': shadows,
  'goes into frames': frames,
  'waits for conditions': conditions,
  captures: captures,
  'logs in': logins,
};
