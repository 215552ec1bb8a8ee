import { expect } from 'chai';
import { canBeRead, hostileTexts, showsAsText, usePages } from './pages.ts';

describe('the overview of the console', function () {
  this.timeout(240_000);
  const pages = usePages();

  it('shows three things to do where there is nothing, of which the first starts a session', async () => {
    const person = await pages.somebody();
    const page = await pages.open({ as: person });
    await page.goto('/console/');
    await page.getByRole('heading', { name: 'Three things to do' }).waitFor();
    await page.getByRole('button', { name: 'Start a session' }).click();
    await page.waitForURL('**/console/sessions/ses_*');
    await page.getByText('ready', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Running sessions: 1').waitFor();
  });

  it('shows what runs, what is used of what may be used, and what an incident is until it was read', async () => {
    const { api } = pages.person;
    const session = await api.sessions.create({ label: 'runs now' });
    const page = await pages.open();
    const incident = {
      ...{ id: 'inc_1', title: hostileTexts.markup, impact: 'major', status: 'investigating' },
      ...{ components: ['api'], created_at: '2026-11-26T09:00:00Z', resolved_at: null },
      updates: [{ status: 'investigating', message: 'We look into it.', created_at: '2026-11-26T09:00:00Z' }],
    };
    await page.route('**/v1/status', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        json: { ...((await answer.json()) as object), incidents: [incident] },
      });
    });
    await page.goto('/console/');
    await page.getByRole('table', { name: 'Running now' }).getByText('runs now').waitFor();
    await page.getByRole('table', { name: 'Usage and limits' }).getByText('Sessions at once').waitFor();
    await showsAsText(page, [hostileTexts.markup ?? '']);
    await page.getByRole('button', { name: 'I have read this' }).click();
    await page.reload();
    await page.getByRole('table', { name: 'Running now' }).waitFor();
    expect(await page.getByText('We look into it.').count()).to.equal(0);
    await session.end();
  });

  it('shows each part by itself where another one cannot be read', async () => {
    const page = await pages.open();
    await page.route('**/v1/account/audit-log?*', (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          type: 'https://x/internal',
          title: 'Internal',
          status: 500,
          detail: 'Broken.',
        }),
      }),
    );
    await page.goto('/console/');
    await page.getByRole('alert').getByText('Broken.').waitFor();
    await page.getByRole('table', { name: 'Usage and limits' }).waitFor();
  });

  canBeRead(pages, [
    {
      name: 'overview',
      path: '/',
      until: (page) => page.getByRole('table', { name: 'Usage and limits' }).waitFor(),
    },
  ]);
});
