import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { hold } from './hold.ts';
import { usePages, type Person } from './pages.ts';
import { measureShifts, shiftsOn } from './shifts.ts';

const incident = {
  ...{ id: 'inc_1', title: 'Some answers are late', impact: 'major', status: 'investigating' },
  ...{ components: ['api'], created_at: '2026-11-26T09:00:00Z', resolved_at: null },
  updates: [{ status: 'investigating', message: 'We look into it.', created_at: '2026-11-26T09:00:00Z' }],
};

/** The requests of the overview, each with a text that is shown once it was answered. */
const answers: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  '**/v1/account/me': (page) => page.getByText(/^Signed in as /).waitFor(),
  '**/v1/status': (page) => page.getByText('We look into it.').waitFor(),
  '**/v1/sessions?*': (page) => page.getByRole('table', { name: 'Running now' }).waitFor(),
  '**/v1/account/audit-log?*': (page) => page.getByText('Nothing has failed').waitFor(),
  '**/v1/usage': (page) => page.getByRole('table', { name: 'Usage and limits' }).waitFor(),
};

describe('the overview of the console when one answer is late', function () {
  this.timeout(240_000);
  const pages = usePages();
  let person: Person;
  before(async () => {
    person = await pages.somebody();
    for (const label of ['one', 'two', 'three']) await person.api.sessions.create({ label });
  });

  const open = async (width: number): Promise<Page> => {
    const page = await pages.open({ as: person, viewport: { width, height: 800 } });
    await measureShifts(page);
    await page.route('**/v1/status', async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        json: { ...((await response.json()) as object), incidents: [incident] },
      });
    });
    return page;
  };
  const isWhole = (page: Page) => Promise.all(Object.values(answers).map((isThere) => isThere(page)));
  const movesNothing = async (page: Page, late: string) => {
    const { sum, all } = await shiftsOn(page);
    expect(sum, `${late}: ${all}`).to.equal(0);
  };

  for (const width of [390, 1280])
    it(`moves no visible part, ${width} pixels wide`, async () => {
      for (const late of Object.keys(answers)) {
        const page = await open(width);
        const release = await hold(page, late);
        const others = Object.keys(answers).filter((each) => each !== late && late !== '**/v1/account/me');
        const came = others.map((each) => page.waitForResponse(each));
        await page.goto('/console/');
        await Promise.all(came);
        await movesNothing(page, late);
        release();
        await isWhole(page);
        await movesNothing(page, late);
        await page.close();
      }
    });

  it('shows the other parts after some seconds, and the late one at the end', async () => {
    const page = await open(1280);
    const release = await hold(page, '**/v1/status');
    await page.goto('/console/');
    await page.getByRole('table', { name: 'Usage and limits' }).waitFor();
    release();
    await isWhole(page);
    await movesNothing(page, 'status');
  });
});
