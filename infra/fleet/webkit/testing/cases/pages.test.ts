import { withBrowser } from '../suite.ts';
import { begin, createHands, hold, startCaseSite, type Case } from './site-case.ts';
import { dialogs } from './dialogs.cases.ts';
import { downloads } from './downloads.cases.ts';
import { confined } from './confined.cases.ts';
import { ambiguous } from './ambiguous.cases.ts';
import { forms } from './forms.cases.ts';
import { observed } from './observed.cases.ts';
import { popups } from './popups.cases.ts';
import { refs } from './refs.cases.ts';
import { navigation } from './navigation.cases.ts';
import { pinched } from './pinched.cases.ts';
import { signIns } from './sign-ins.cases.ts';
import { tabs } from './tabs.cases.ts';
import { waits } from './waits.cases.ts';

const groups: Readonly<Record<string, readonly Case[]>> = {
  // Runs first, in the session's first tab: one that a page has opened cannot be pinched.
  pinched,
  dialogs,
  tabs,
  popups,
  downloads,
  forms,
  navigation,
  'sign-ins': signIns,
  waits,
  'observed pages': observed,
  'elements by their refs': refs,
  'targets that must fit one element': ambiguous,
  'actions confined to some sites': confined,
};

describe('what pages do by themselves', () => {
  const suite = withBrowser(startCaseSite);

  for (const [group, cases] of Object.entries(groups)) {
    describe(group, () => {
      for (const each of cases) {
        it(each.says, async () => {
          const hands = createHands(suite.browser, suite.site);
          await begin(hands, each);
          await hold(hands, each);
        });
      }
    });
  }
});
