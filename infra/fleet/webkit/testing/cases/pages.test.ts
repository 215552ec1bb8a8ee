import type { Browser, Driver } from '../../../node/driver.ts';
import { launch, startDriver } from '../browser.ts';
import {
  begin,
  createHands,
  hold,
  startCaseSite,
  type Case,
  type CaseSite,
  type Hands,
} from './site-case.ts';
import { dialogs } from './dialogs.cases.ts';
import { downloads } from './downloads.cases.ts';
import { navigation } from './navigation.cases.ts';
import { tabs } from './tabs.cases.ts';
import { waits } from './waits.cases.ts';

const groups: Readonly<Record<string, readonly Case[]>> = { dialogs, tabs, downloads, navigation, waits };

describe('what pages do by themselves', () => {
  let site: CaseSite;
  let driver: Driver;
  let browser: Browser;
  let hands: Hands;
  before(async () => {
    site = await startCaseSite();
    driver = await startDriver();
    browser = await launch(driver);
    hands = createHands(browser, site);
  });
  after(async () => {
    await browser.close();
    await driver.close();
    await site.close();
  });

  for (const [group, cases] of Object.entries(groups)) {
    describe(group, () => {
      for (const each of cases) {
        it(each.says, async () => {
          await begin(hands, each);
          await hold(hands, each);
        });
      }
    });
  }
});
