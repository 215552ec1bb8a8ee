import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { canBeRead, hostileTexts, showsAsText, usePages } from './pages.ts';

describe('the pages of the console about one session', function () {
  this.timeout(240_000);
  const pages = usePages();
  const table = (page: Page, name: string) => page.getByRole('table', { name });
  const open = async (path: string) => {
    const page = await pages.open();
    await page.goto(`/console${path}`);
    return page;
  };

  it('start a session with the account’s profile, and open its page', async () => {
    const { api } = pages.person;
    const { id: profileId } = await api.profiles.create({ name: 'shop' });
    const page = await open('/sessions');
    await page.getByRole('button', { name: 'New session' }).click();
    const dialog = page.getByRole('dialog', { name: 'Start a session' });
    await dialog.getByLabel('Profile').selectOption('shop');
    await dialog.getByLabel('Label').fill('with a profile');
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    await page.waitForURL('**/console/sessions/ses_*');
    await page.getByRole('heading', { level: 1, name: 'with a profile' }).waitFor();
    const id = page.url().split('/').at(-1) ?? '';
    const session = await api.sessions.get(id);
    expect([session.label, session.profile_id]).to.deep.equal(['with a profile', profileId]);
    // A profile has one browser at a time: the second launch is refused, and nothing is started.
    const before = await countOf(api.sessions.list());
    await page.goto('/console/sessions');
    await page.getByRole('button', { name: 'New session' }).click();
    await dialog.getByLabel('Profile').selectOption('shop');
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await countOf(api.sessions.list())).to.equal(before);
    await session.end();
  });

  it('show what its browser shows, open an address, and take a screenshot', async () => {
    const { id, end } = await pages.person.api.sessions.create({ label: 'to be driven' });
    const page = await open(`/sessions/${id}`);
    await page.getByLabel('Address').fill('http://sim.test/a');
    await page.getByRole('button', { name: 'Open address' }).click();
    await page.getByText('http://sim.test/a was opened in').waitFor();
    await page.getByRole('button', { name: 'Read page state' }).click();
    await page.getByText('Cookies').waitFor();
    await page.getByRole('button', { name: 'Take a screenshot' }).click();
    const picture = page.getByRole('img', { name: /^Screenshot of/ });
    await picture.waitFor();
    expect(await page.evaluate<number>("document.querySelector('main img').naturalWidth")).to.be.above(0);
    await table(page, 'Timeline').getByText('Opened an address').waitFor();
    await table(page, 'Timeline').getByText('done').first().waitFor();
    await end();
  });

  it('show what is wrong with an address, and an operation that failed', async () => {
    const { id, end } = await pages.person.api.sessions.create({ label: 'to be sent wrong' });
    const page = await open(`/sessions/${id}`);
    await page.getByLabel('Address').fill('file:///etc/passwd');
    await page.getByRole('button', { name: 'Open address' }).click();
    await page.getByRole('alert').waitFor();
    await end();
    await page.getByLabel('Address').waitFor({ state: 'detached' });
    await page.getByText('destroyed', { exact: true }).waitFor();
  });

  it('show the outcome of each step of an agent, although all steps of a turn have one request', async () => {
    const { api } = pages.person;
    const { id, end } = await api.sessions.create({ label: 'to be driven by an agent' });
    const agent = await api.agents.create({ service_session_id: id });
    await agent.send('go to http://sim.test/form\ntype "Ada" into selector #name\ntap selector #nothing');
    const page = await open(`/sessions/${id}`);
    const touched = table(page, 'Timeline').locator('tbody tr').filter({ hasText: 'Touched the page' });
    await touched.nth(1).waitFor();
    const rows = await touched.allInnerTexts();
    expect(rows.map((row) => /done|failed|unknown/.exec(row)?.[0])).to.deep.equal(['failed', 'done']);
    await agent.end();
    await end();
  });

  it('say in words why a session has ended, and no longer when it would expire', async () => {
    const somebody = await pages.somebody('free');
    const { id, end } = await somebody.api.sessions.create();
    const page = await pages.open({ as: somebody });
    await page.goto(`/console/sessions/${id}`);
    await page.getByText('Expires', { exact: true }).waitFor();
    await end();
    await page.reload();
    await page.getByText('ended on request').waitFor();
    expect(await page.getByText('Expires', { exact: true }).count()).to.equal(0);
  });

  it('show that the outcome of an operation is unknown if its answer was lost', async () => {
    const { id, end } = await pages.person.api.sessions.create({ label: 'to be cut off' });
    const page = await open(`/sessions/${id}`);
    await page.route('**/navigate', (route) => route.abort());
    await page.getByLabel('Address').fill('http://sim.test/a');
    await page.getByRole('button', { name: 'Open address' }).click();
    await page.getByRole('alert').getByText('It is unknown whether this was done').waitFor();
    await end();
  });

  it('link an entry of its history to the request that caused it, and to all effects of that request', async () => {
    const { id, end } = await pages.person.api.sessions.create({ label: 'to be traced' });
    await end();
    const page = await open(`/sessions/${id}`);
    await page.getByText('History', { exact: true }).click();
    const entry = table(page, 'History').locator('tbody tr').filter({ hasText: 'session.created' });
    await entry.getByRole('link').last().click();
    await page.waitForURL('**/console/requests/*');
    await page.getByRole('heading', { level: 1, name: 'POST /v1/sessions' }).waitFor();
    await page.getByText('SessionRequested').waitFor();
    await page.getByText('SessionReady').waitFor();
    await page.goto('/console/requests/req_nothing');
    await page.getByRole('alert').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    expect(await page.title()).to.match(/^Not found/);
    await page.goto('/console/requests/%E0%A4%A');
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  });

  it('show every text as text', async () => {
    const { api } = pages.person;
    for (const text of Object.values(hostileTexts)) {
      const { id } = await api.sessions.create({ label: text, metadata: { text } });
      const page = await open(`/sessions/${id}`);
      await showsAsText(page, [text]);
      await api.sessions.destroy(id);
    }
  });

  let [id, requestId] = ['', ''];
  before(async () => {
    const { api } = pages.person;
    const session = await api.sessions.create({ label: 'to be looked at', metadata: { run: 7 } });
    id = session.id;
    await session.navigate('http://sim.test/a');
    const { requestId: made } = await api.sessions.navigate(id, { url: 'http://sim.test/b' }).withResponse();
    requestId = made;
  });
  canBeRead(pages, [
    {
      name: 'session-unknown',
      path: '/sessions/ses_00000000-0000-4000-8000-000000000000',
      until: (page) => page.getByRole('alert').waitFor(),
    },
    {
      name: 'session-driven',
      path: () => `/sessions/${id}`,
      until: async (page) => {
        await page.getByRole('button', { name: 'Take a screenshot' }).click();
        await page.getByRole('img').waitFor();
        await table(page, 'Timeline').getByText('done').first().waitFor();
        await page.getByText('History', { exact: true }).click();
        await table(page, 'History').getByText('session.created').waitFor();
      },
    },
    {
      name: 'session-new',
      path: '/sessions',
      until: async (page) => {
        await page.getByRole('button', { name: 'New session' }).click();
        await page.getByRole('dialog').getByLabel('Label').waitFor();
      },
    },
    {
      name: 'request',
      path: () => `/requests/${requestId}`,
      until: (page) => page.getByText('OperationSettled').waitFor(),
    },
  ]);
});

async function countOf(list: AsyncIterable<{ readonly id: string }>): Promise<number> {
  const ids = new Set<string>();
  for await (const { id } of list) ids.add(id);
  return ids.size;
}
