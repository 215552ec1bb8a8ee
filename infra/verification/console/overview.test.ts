import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { canBeRead, hostileTexts, showsAsText, usePages, type Person } from './pages.ts';

describe('the overview of the console', function () {
  this.timeout(240_000);
  const pages = usePages();

  it('shows three first steps to an account without sessions, the first of which starts a session', async () => {
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

  it('shows running sessions, usage and quotas, and an incident until it was read', async () => {
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
    await page.keyboard.press('j');
    await page.getByRole('table', { name: 'Running now' }).locator('a:focus').waitFor();
    await showsAsText(page, [hostileTexts.markup ?? '']);
    await page.getByRole('button', { name: 'I have read this' }).click();
    await page.reload();
    await page.getByRole('table', { name: 'Running now' }).waitFor();
    expect(await page.getByText('We look into it.').count()).to.equal(0);
    await session.end();
  });

  it('finds a running session behind hundreds that have ended, and says how far it has looked', async () => {
    const person = await pages.somebody();
    await person.api.sessions.create({ label: 'still runs' });
    const page = await pages.open({ as: person });
    let endedPages = 2;
    await page.route('**/v1/sessions?*', async (route) => {
      const url = new URL(route.request().url());
      const at = Number(url.searchParams.get('cursor') ?? 0);
      url.searchParams.delete('cursor');
      const response = await route.fetch({ url: url.href });
      const body = (await response.json()) as { readonly data: readonly object[] };
      const data = Array.from({ length: 100 }, (_, n) => ({
        ...body.data[0],
        ...{ id: `ses_${at}_${n}`, status: 'destroyed' },
      }));
      const ended = { data, has_more: true, next_cursor: String(at + 1) };
      await route.fulfill({ response, json: at < endedPages ? ended : body });
    });
    await page.goto('/console/');
    await page.getByRole('table', { name: 'Running now' }).getByText('still runs').waitFor();
    endedPages = Infinity;
    await page.reload();
    await page.getByText('None of the newest 500 sessions is running.').waitFor();
  });

  it('shows each part even if another one cannot be read', async () => {
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

  const answers = (status: number, title: string) => ({
    status,
    contentType: 'application/problem+json',
    body: JSON.stringify({ type: `https://x/${title}`, title, status, detail: `It is ${title}.` }),
  });
  const signIn = async (page: Page, { account: { account_id: id } }: Person) => {
    await page.goto(await pages.stack.consoleLink(id));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(/^Signed in as /).waitFor();
  };

  it('has a heading and a retry button if not even the account can be read', async () => {
    const page = await pages.open();
    await page.route('**/v1/account/me', (route) => route.fulfill(answers(500, 'broken')));
    await page.goto('/console/');
    await page.getByRole('heading', { name: 'broken' }).waitFor();
    await page.unroute('**/v1/account/me');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/^Signed in as /).waitFor();
  });

  it('does not look signed out while the session has not ended', async () => {
    const page = await pages.open({ as: await pages.somebody() });
    await page.goto('/console/');
    const signOut = page.getByRole('button', { name: 'Sign out' });
    await page.route('**/v1/auth/logout', (route) => route.fulfill(answers(400, 'refused')));
    await signOut.click();
    await page.getByRole('alert').getByText('It is refused.').waitFor();
    await page.unroute('**/v1/auth/logout');
    await signOut.click();
    await page.waitForURL('**/console/sign-in');
    await page.goto('/console/');
    await page.waitForURL('**/console/sign-in');
  });

  it('continues in another tab for the same account, and never shows one account to another', async () => {
    const [first, second] = await Promise.all([pages.somebody(), pages.somebody()]);
    const { requestId } = await first.api.sessions.create({ label: 'of the first' }).withResponse();
    const page = await pages.open({ as: null });
    const other = await page.context().newPage();
    await signIn(page, first);
    await other.goto('/console/webhooks');
    await other.getByRole('button', { name: 'New webhook' }).click();
    const address = other.getByRole('dialog').getByLabel('Address');
    await address.fill('https://example.com/kept');
    await page.goto(`/console/requests/${requestId}`);
    await page.getByRole('heading', { name: 'POST /v1/sessions' }).waitFor();
    const asked = other.waitForResponse('**/v1/account/me');
    await signIn(page, first);
    await asked;
    expect(await address.inputValue()).to.equal('https://example.com/kept');
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: /^Request req_/ }).waitFor();
    await signIn(page, second);
    await other.getByRole('heading', { name: 'Another account has signed in' }).waitFor();
    expect(await other.getByRole('dialog').count()).to.equal(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Sessions' }).waitFor();
    expect(await page.getByRole('option', { name: /^Request req_/ }).count()).to.equal(0);
    await page.keyboard.press('Escape');
    await other.getByRole('button', { name: 'To the overview' }).click();
    await other.getByText(/^Signed in as /).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await other.waitForURL('**/console/sign-in');
    await other.getByRole('status').getByText('You are no longer signed in.').waitFor();
    await signIn(page, second);
    await other.getByRole('link', { name: 'Console', exact: true }).click();
    await other.getByText(/^Signed in as /).waitFor();
  });

  canBeRead(pages, [
    {
      name: 'overview',
      path: '/',
      until: (page) => page.getByRole('table', { name: 'Usage and limits' }).waitFor(),
    },
  ]);
});
