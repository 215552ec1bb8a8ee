import type { Action } from '../../../../contracts/resources/session.ts';
import type { Browser, Driver } from '../../node/driver.ts';
import { launch, run, startDriver } from './browser.ts';

export interface Suite<S> {
  readonly site: S;
  readonly driver: Driver;
  readonly browser: Browser;
}

/** One browser and its site for the tests of the surrounding `describe`: started before them, closed after them. */
export function withBrowser<S extends { close(): Promise<void> }>(serve: () => Promise<S>): Suite<S> {
  let started: Suite<S> | undefined;
  before(async () => {
    const site = await serve();
    const driver = await startDriver();
    started = { site, driver, browser: await launch(driver) };
  });
  after(async () => {
    await started?.browser.close();
    await started?.driver.close();
    await started?.site.close();
  });
  const parts = () => {
    if (!started) throw new Error('The browser is there in tests only.');
    return started;
  };
  return {
    get site() {
      return parts().site;
    },
    get driver() {
      return parts().driver;
    },
    get browser() {
      return parts().browser;
    },
  };
}

/** Frequent steps of tests; paths are relative to the site. */
export function handsOf(suite: { readonly browser: Browser; readonly site: { readonly url: string } }) {
  const read = async (selector: string) => {
    const schema = { type: 'string', 'x-selector': selector };
    return String((await run(suite.browser, 'extract', { schema })).data);
  };
  return {
    go: (path: string) => run(suite.browser, 'navigate', { url: new URL(path, suite.site.url).href }),
    act: (action: Action, timeoutMs?: number) => run(suite.browser, 'interact', { action }, timeoutMs),
    /** The text of an element. */
    read,
  };
}
