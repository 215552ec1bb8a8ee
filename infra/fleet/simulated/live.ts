import { randomUUID } from 'node:crypto';
import { assertWritable } from '../node/cookies.ts';
import { pageFailure, type DownloadContent, type LiveTable } from '../node/driver.ts';
import { baseName } from '../node/file-name.ts';
import { keyOf, unexpired } from './leftovers.ts';
import { observe } from './observe.ts';
import { metBy } from './operations.ts';
import { simulatedPicture } from './picture.ts';
import type { Reports } from './reports.ts';
import type { Tab } from './tab.ts';

/** Calls of a simulated browser beside its operations. */
export function simulatedLive(tab: Tab, reports: Pick<Reports, 'cleared'>): LiveTable {
  const tabId = `tab_${randomUUID()}`;
  const unreachable = { kind: 'load_failed' as const, message: 'The page could not be reached.' };
  return {
    page_state: async () => {
      const { url } = tab;
      const state = tab.state();
      const error = state === 'errored' ? unreachable : null;
      return { state, url, title: tab.page.title, tabId, error };
    },
    cookies: async () => ({ cookies: unexpired(tab.cookies) }),
    cookies_set: async ({ cookies }) => {
      assertWritable(cookies);
      for (const cookie of cookies) tab.cookies.set(keyOf(cookie), { path: '/', ...cookie });
      return null;
    },
    history: async ({ direction, tabId: asked = tabId }, limits) => {
      if (asked !== tabId) throw pageFailure('invalid_request', 'There is no such tab.');
      if (!(await tab.move(direction, limits)))
        throw pageFailure('invalid_request', 'The history of the tab ends there.');
      return null;
    },
    observe: async () => observe(tab),
    meet: async (target) => metBy(tab.strictly(), target) ?? null,
    picture: async () => ({ data: simulatedPicture(), media_type: 'image/jpeg' }),
    challenge: async ({ challenge_id }) => ({ cleared: reports.cleared(challenge_id) }),
    downloads: async () => ({ files: tab.files.map(entryOf) }),
  };
}

type SimulatedFile = Tab['files'][number];
const entryOf = ({ name, mime, text }: SimulatedFile) => ({ name, mime, size: Buffer.byteLength(text) });

export function simulatedDownload(tab: Tab, asked: string): DownloadContent {
  const file = tab.files.find(({ name }) => name === baseName(asked));
  if (!file) throw pageFailure('invalid_request', 'There is no such download.');
  const content = async function* () {
    yield Buffer.from(file.text);
  };
  return { entry: entryOf(file), content: content() };
}
