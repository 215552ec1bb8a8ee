import { expect } from 'chai';
import type { AuditEntry } from '../../../contracts/client/index.ts';
import { startSmtpServer, until, type TestSmtpServer } from '../testbed/index.ts';
import { parseMail } from '../testbed/mail-parts.ts';
import { savedBy, usePages, type Person } from './pages.ts';

describe('the console of a member who acts on the account of an owner', function () {
  this.timeout(240_000);
  let mails: TestSmtpServer;
  const pages = usePages({
    tier: 'team',
    env: async () => {
      mails = await startSmtpServer();
      return { SMTP_URL: mails.url, MAIL_FROM: 'service@example.com', ANCHOR_INTERVAL: '1s' };
    },
  });
  after(() => mails.close());

  let member: Person;
  before(async () => {
    member = await pages.somebody();
    const { email } = await member.api.account.me();
    await pages.person.api.teamInvites.create({ email, role: 'admin' });
    const token = await until(() =>
      mails.received
        .filter(({ to }) => to.includes(email))
        .map(({ source }) => /\/console\/invite\?token=([^\s&]+)/.exec(parseMail(source).text)?.[1])
        .find((each) => each !== undefined),
    );
    await member.api.teamInvites.accept({ token: decodeURIComponent(token) });
  });

  const openActing = async () => {
    const page = await pages.open({ as: member });
    await page.goto('/console/');
    await page.getByLabel('Account', { exact: true }).selectOption(pages.person.account.account_id);
    await page.getByText('You are acting on the account of an owner.').waitFor();
    return page;
  };

  it('shows the owner’s usage, and no limits: they would be the member’s own', async () => {
    const page = await openActing();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/console/usage');
    await page.getByRole('img', { name: /^Sessions by day/ }).waitFor();
    expect(asked).to.include('/v1/usage').and.not.include('/v1/account/rate-limits');
    expect(await page.getByRole('table', { name: 'Quotas' }).count()).to.equal(0);
  });

  it('shows what the owner pays, and offers no payment: it would be for the member’s own account', async () => {
    const page = await openActing();
    await page.goto('/console/billing');
    await page.getByText('Only the owner can pay for this account.').waitFor();
    for (const name of ['Subscribe by card', 'Pay with crypto'])
      expect(await page.getByRole('button', { name }).count(), name).to.equal(0);
  });

  it('says of a page that shows the member’s own account that it does', async () => {
    const page = await openActing();
    const note = page.getByText('This page is of your own account.');
    for (const path of ['team', 'settings/model', 'billing/explain']) {
      await page.goto(`/console/${path}`);
      await note.waitFor();
    }
    await page.goto('/console/keys');
    await page.getByRole('button', { name: 'New key' }).waitFor();
    expect(await note.count()).to.equal(0);
  });

  it('offers no proxies for the owner’s sessions: they would be the member’s own', async () => {
    const page = await openActing();
    await page.goto('/console/sessions');
    await page.getByRole('button', { name: 'New session' }).click();
    await page.getByRole('dialog').getByLabel('Profile').waitFor();
    expect(await page.getByRole('dialog').getByLabel('Proxy').count()).to.equal(0);
  });

  it('saves the owner’s audit log', async () => {
    const page = await openActing();
    await page.goto('/console/audit');
    const { bytes } = await savedBy(page, 'Export as JSON lines');
    const entries = bytes
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEntry);
    const accounts = new Set(entries.map(({ account_id: account }) => account));
    expect([...accounts]).to.deep.equal([pages.person.account.account_id]);
  });

  it('names the member in the owner’s audit log', async () => {
    const { account_id: owner } = pages.person.account;
    await member.api.keys.create({ name: 'by a member' }, { headers: { 'x-service-account': owner } });
    const page = await pages.open();
    await page.goto('/console/audit?action=api_key.created');
    const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr');
    await rows
      .filter({ has: page.getByTitle(member.account.account_id) })
      .first()
      .waitFor();
  });

  it('is offered to the owner, and to no member, as an actor of the audit log', async () => {
    const { account_id: owner } = pages.person.account;
    await pages.person.api.keys.create({ name: 'by the owner' });
    await member.api.keys.create({ name: 'by a member' }, { headers: { 'x-service-account': owner } });
    const page = await pages.open();
    await page.goto('/console/audit?action=api_key.created');
    const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr');
    const byMember = rows.filter({ has: page.getByTitle(member.account.account_id) });
    await byMember.first().waitFor();
    const others = rows.filter({ hasNot: page.getByTitle(member.account.account_id) });
    const { email } = await member.api.account.me();
    await page.getByRole('combobox', { name: 'By', exact: true }).selectOption({ label: email });
    await others.first().waitFor({ state: 'detached' });
    await byMember.first().waitFor();
    expect(await others.count()).to.equal(0);

    const acting = await openActing();
    await acting.goto('/console/audit?action=api_key.created');
    await acting.getByRole('table', { name: 'Audit log' }).waitFor();
    expect(await acting.getByRole('combobox', { name: 'By', exact: true }).count()).to.equal(0);
  });

  it('verifies the owner’s audit log, but not its place in the public tree: that is shown to the owner only', async () => {
    const isAnchored = () =>
      member.api.auditLog.anchor().then(
        () => true,
        () => false,
      );
    await until(isAnchored);
    const page = await openActing();
    await page.goto('/console/audit');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText(/^All \d+ entries are valid\.$/).waitFor();
    await page.getByText('Only the owner can check the place of this log in the public tree.').waitFor();
    expect(await page.locator('.verify .status.bad').count()).to.equal(0);
  });
});
