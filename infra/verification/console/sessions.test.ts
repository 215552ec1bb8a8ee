import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { canBeRead, hostileTexts, showsAsText, usePages } from './pages.ts';

describe('the pages of the console about sessions', function () {
  this.timeout(240_000);
  const pages = usePages();
  const rows = (page: Page) => page.getByRole('table', { name: 'Sessions' }).locator('tbody tr');
  const row = (page: Page, label: string) => rows(page).filter({ hasText: label });

  it('show that there is no session, and announce a new one without moving anything', async () => {
    const person = await pages.somebody();
    const page = await pages.open({ as: person });
    await page.goto('/console/sessions');
    await page.getByText('No session has been started yet.').waitFor();
    const { id } = await person.api.sessions.create({ label: 'first' });
    await person.api.sessions.destroy(id);
    await page.getByRole('button', { name: '1 new' }).click();
    await row(page, 'first').getByText('destroyed').waitFor();
  });

  it('filter by status and label, in an address that survives a reload and a navigation back', async () => {
    const { api } = pages.person;
    const ended = await api.sessions.create({ label: 'alpha ended' });
    await ended.end();
    await api.sessions.create({ label: 'alpha runs' });
    await api.sessions.create({ label: 'beta runs' });
    const page = await pages.open();
    await page.goto('/console/sessions');
    await row(page, 'beta runs').waitFor();
    await page.keyboard.press('/');
    await page.getByLabel('Status').selectOption('ready');
    await page.getByLabel('Label').fill('ALPHA');
    await row(page, 'beta runs').waitFor({ state: 'detached' });
    expect(await rows(page).count()).to.equal(1);
    await page.waitForURL('**/sessions?status=ready&label=ALPHA');
    await page.reload();
    await row(page, 'alpha runs').waitFor();
    expect(await rows(page).count()).to.equal(1);
    await row(page, 'alpha runs').getByRole('link').click();
    await page.getByRole('heading', { name: 'alpha runs' }).waitFor();
    await page.goBack();
    await page.waitForURL('**/sessions?status=ready&label=ALPHA');
    await page.getByLabel('Label').fill('nothing is called so');
    await page.getByText('None matches the filter.').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await row(page, 'beta runs').waitFor();
  });

  it('can be used by keyboard shortcuts, which are listed', async () => {
    const page = await pages.open({ forcedColors: 'active' });
    await page.goto('/console/sessions');
    await rows(page).first().waitFor();
    const filling = await page.evaluate<string>(
      "getComputedStyle(document.querySelector('.status.good'), '::before').backgroundColor",
    );
    expect(filling, 'the shape of a status is filled').to.equal('rgb(0, 0, 0)');
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Next row').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sessions/ses_*');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('sessions');
    // A background alone would not be seen in forced colours.
    await page.getByRole('option', { name: 'Sessions', selected: true }).waitFor();
    const outline = "getComputedStyle(document.querySelector('[aria-selected=true]')).outlineStyle";
    expect(await page.evaluate(outline)).to.equal('solid');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/sessions');
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('button', { name: 'Turn off keys of one character' }).click();
    await page.getByText('Next row').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    expect(await page.getByRole('dialog', { name: 'Shortcuts' }).count()).to.equal(0);
  });

  it('end a session after a confirmation, and do nothing if it is declined', async () => {
    const { api } = pages.person;
    const { id } = await api.sessions.create({ label: 'to be ended' });
    const page = await pages.open();
    await page.goto(`/console/sessions/${id}`);
    const button = page.getByRole('button', { name: 'End session' });
    await button.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect((await api.sessions.get(id)).status).to.equal('ready');
    await button.press('Enter');
    const dialog = page.getByRole('dialog', { description: 'Its browser is closed' });
    await dialog.waitFor();
    // Enter by accident destroys nothing.
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect((await api.sessions.get(id)).status).to.equal('ready');
    // The focus is where it was.
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('destroyed', { exact: true }).waitFor();
    await button.waitFor({ state: 'detached' });
    expect((await api.sessions.get(id)).status).to.equal('destroyed');
  });

  it('close a confirmation when the user navigates away', async () => {
    const { api } = pages.person;
    const { id: asked } = await api.sessions.create({ label: 'asked about' });
    const page = await pages.open();
    await page.goto('/console/sessions');
    await row(page, 'asked about').getByRole('link').click();
    await page.getByRole('button', { name: 'End session' }).click();
    await page.getByRole('dialog').waitFor();
    await page.goBack();
    await rows(page).first().waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await api.sessions.get(asked)).status).to.equal('ready');
  });

  it('show every text as text', async () => {
    const { api } = pages.person;
    for (const label of Object.values(hostileTexts)) await (await api.sessions.create({ label })).end();
    const page = await pages.open();
    await page.goto('/console/sessions?status=destroyed');
    await showsAsText(page, Object.values(hostileTexts));
  });

  it('show that the service does not answer, and continue once it does', async () => {
    const page = await pages.open();
    const problem = (status: number, slug: string) => ({
      status,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: `https://x/${slug}`,
        title: slug,
        status,
        detail: `It is ${slug}.`,
        instance: 'req_1',
      }),
    });
    for (const [status, slug] of [
      [403, 'forbidden'],
      [404, 'not-found'],
      [500, 'internal'],
    ] as const) {
      await page.route('**/v1/sessions?*', (route) => route.fulfill(problem(status, slug)));
      await page.goto('/console/sessions');
      const alert = page.getByRole('alert');
      await alert.getByText(`It is ${slug}.`).waitFor();
      expect(await alert.innerText()).to.include('req_1');
      await page.unroute('**/v1/sessions?*');
      await alert.getByRole('button', { name: 'Try again' }).click();
      await rows(page).first().waitFor();
    }
    await page.goto('/console/sessions/ses_nothing');
    await page.getByRole('alert').waitFor();
  });

  it('lead to the sign-in when the session expires, and back', async () => {
    const person = await pages.somebody();
    const page = await pages.open({ as: person });
    await page.goto('/console/sessions?label=a');
    await page.getByLabel('Label').waitFor();
    await page.context().clearCookies();
    await page.reload();
    await page.waitForURL('**/console/sign-in');
    await page.getByRole('button', { name: 'Use an API key' }).click();
    await page.getByLabel('API key').fill('svc_live_nothing');
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('API key').fill(person.account.api_key);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByRole('button', { name: 'Forget the API key' }).waitFor();
    await page.goto('/console/sessions');
    await page.getByText('No session has been started yet.').waitFor();
    await page.getByRole('button', { name: 'Forget the API key' }).click();
    await page.waitForURL('**/console/sign-in');
  });

  it('are not shown with a forgotten API key when they are restored from the history', async () => {
    const { account } = await pages.somebody();
    const page = await pages.open({ as: null });
    await page.goto('/console/sign-in');
    await page.getByRole('button', { name: 'Use an API key' }).click();
    await page.getByLabel('API key').fill(account.api_key);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByRole('button', { name: 'Forget the API key' }).waitFor();
    // As by the button, after which the page was kept as it is.
    await page.evaluate(`sessionStorage.removeItem('service_key');
      void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    await page.waitForURL('**/console/sign-in');
  });

  let id = '';
  before(async () => {
    ({ id } = await pages.person.api.sessions.create({
      label: 'toBeLookedAt'.repeat(15),
      metadata: { run: 7 },
    }));
  });
  canBeRead(pages, [
    { name: 'sessions', path: '/sessions', until: (page) => rows(page).first().waitFor() },
    {
      name: 'session',
      path: () => `/sessions/${id}`,
      until: (page) => page.getByText('ready', { exact: true }).waitFor(),
    },
  ]);
});
