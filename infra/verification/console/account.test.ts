import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';
import { parseMail } from '../testbed/mail-parts.ts';
import { startSmtpServer, type TestSmtpServer } from '../testbed/smtp.ts';
import { startStack, until, type TestStack } from '../testbed/index.ts';
import { nothingBroke, openReaders, useBrowser, type Reader } from './reader.ts';

const password = 'correct horse battery staple 7';
const sizes = { narrow: { width: 390, height: 844 }, wide: { width: 1280, height: 800 } } as const;

describe('the pages of the console about an account', function () {
  this.timeout(120_000);
  let stack: TestStack;
  let mails: TestSmtpServer;
  const browser = useBrowser();
  let readers: ReturnType<typeof openReaders>;
  const opened: Reader[] = [];

  before(async () => {
    mails = await startSmtpServer();
    stack = await startStack({
      env: {
        SMTP_URL: mails.url,
        MAIL_FROM: 'service@example.com',
        TERMS_REVISION: '2026-11',
        AUTH_FAILURES: '1000',
      },
    });
    readers = openReaders(browser(), stack.baseUrl);
  });
  after(async () => {
    await readers.close();
    await stack.stop();
    await mails.close();
  });
  afterEach('nothing broke, nothing was refused, nothing was asked of others', function () {
    return nothingBroke(opened, this.currentTest);
  });

  const open = async (options = {}): Promise<Reader> => {
    const reader = await readers.open(options);
    opened.push(reader);
    return reader;
  };
  const anEmail = () => `person-${randomUUID()}@example.com`;
  const isAt = (page: Reader['page'], path: string) => page.waitForURL(`${stack.baseUrl}/console/${path}`);
  /** Waits for a new mail to the address, and returns its link to this page. */
  const linkTo = (email: string, name: string, besides = '') =>
    until(() => {
      const texts = mails.received
        .filter(({ to }) => to.includes(email))
        .map(({ source }) => parseMail(source).text);
      const link = texts
        .flatMap((text) => text.match(/http\S+/g) ?? [])
        .findLast((each) => each.includes(`/console/${name}?`));
      return link === besides ? undefined : link;
    });
  const fill = async (page: Reader['page'], values: Readonly<Record<string, string>>, button: string) => {
    for (const [label, value] of Object.entries(values))
      await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByRole('button', { name: button, exact: true }).click();
  };
  const says = (page: Reader['page'], text: string | RegExp) =>
    page.getByRole('status').filter({ hasText: text }).waitFor();
  const warns = (page: Reader['page'], text: string) =>
    page.getByRole('alert').filter({ hasText: text }).waitFor();

  const headers = { 'content-type': 'application/json' };
  const post = (path: string, body: object) =>
    fetch(`${stack.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });

  /** The address of a new account, signed up and verified. */
  async function anAccount(): Promise<string> {
    const email = anEmail();
    const signedUp = await post('/v1/auth/signup', { email, password, legal_revision: '2026-11' });
    expect(signedUp.status, await signedUp.clone().text()).to.equal(201);
    const token = new URL(await linkTo(email, 'verify')).searchParams.get('token');
    expect((await post('/v1/auth/verify-email', { token })).status).to.equal(200);
    return email;
  }

  async function signedIn(): Promise<Reader & { readonly email: string }> {
    const [reader, email] = [await open(), await anAccount()];
    await reader.page.goto('/console/sign-in');
    await fill(reader.page, { Email: email, Password: password }, 'Sign in');
    await isAt(reader.page, '');
    return { ...reader, email };
  }

  it('lead from the sign-up through the mail to the overview, survive a reload, and sign out', async () => {
    const [{ page }, email] = [await open(), anEmail()];
    await page.goto('/console/sign-up');
    await fill(page, { Email: email, Password: password }, 'Sign up');
    await says(page, email);
    await page.goto(await linkTo(email, 'verify'));
    await fill(page, {}, 'Verify');
    await says(page, 'The address is verified.');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await fill(page, { Email: email, Password: password }, 'Sign in');
    await isAt(page, '');
    await page.getByText(`Signed in as ${email}, tier free.`).waitFor();
    await page.reload();
    await page.getByText(`Signed in as ${email}`).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await isAt(page, 'sign-in');
    await page.goto('/console/');
    await isAt(page, 'sign-in');
  });

  it('require the current terms of an account that has not accepted them, and go on', async () => {
    const [{ page }, account] = [await open(), await stack.account('free')];
    await page.goto(await stack.consoleLink(account.account_id));
    await fill(page, {}, 'Sign in');
    await page.getByText('accept the terms of the service, revision 2026-11').waitFor();
    await fill(page, {}, 'Accept');
    await page.getByRole('table', { name: 'Usage and limits' }).waitFor();
  });

  it('remove the token of a link from the address, keep it over a reload, and use it once, only on a click', async () => {
    const email = await anAccount();
    const { page } = await open();
    await page.goto('/console/magic-link');
    await fill(page, { Email: email }, 'Send me a link');
    await says(page, /If there is an account/);
    const link = await linkTo(email, 'magic');
    // As a mail scanner does.
    for (let scans = 0; scans < 3; scans += 1) expect((await fetch(link)).status).to.equal(200);
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(page.url()).to.equal(`${stack.baseUrl}/console/magic`);
    await page.reload();
    await fill(page, {}, 'Sign in');
    await isAt(page, '');
    const second = await open();
    await second.page.goto(link);
    await fill(second.page, {}, 'Sign in');
    await warns(second.page, 'This link has been used');
  });

  it('sign in once by a link from the operator, and the owner gets a mail about it', async () => {
    const { account_id: id } = await stack.account('team');
    const ask = async () => {
      const { status, stdout, stderr } = await stack.service('console-link', '--account', id, '--json');
      expect(status, stderr).to.equal(0);
      return (JSON.parse(stdout) as { link: string }).link;
    };
    const [superseded, link] = [await ask(), await ask()];
    const { page } = await open();
    await page.goto(superseded);
    await fill(page, {}, 'Sign in');
    await warns(page, 'This link has been used');
    await page.goto(link);
    await fill(page, {}, 'Sign in');
    await isAt(page, '');
    await until(() => mails.received.some(({ source }) => parseMail(source).text.includes(link)));
    const missing = await stack.service('console-link', '--account', `acc_${randomUUID()}`);
    expect([missing.status, missing.stderr]).to.deep.equal([1, missing.stderr]);
    expect(missing.stderr).to.include('not-found');
  });

  it('set another password, with which every session must sign in again', async () => {
    const { page: other, email } = await signedIn();
    const { page } = await open();
    await page.goto('/console/reset');
    await fill(page, { Email: email }, 'Send me a link');
    await page.goto(await linkTo(email, 'reset'));
    await fill(page, { Password: 'password1234' }, 'Set the password');
    await warns(page, 'password');
    await fill(page, { Password: `${password} and another` }, 'Set the password');
    await says(page, 'The password is set.');
    await other.goto('/console/');
    await isAt(other, 'sign-in');
    await fill(other, { Email: email, Password: `${password} and another` }, 'Sign in');
    await isAt(other, '');
  });

  it('set up a second factor, require it at the next sign-in, and remove it', async () => {
    const { page, email } = await signedIn();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('link', { name: 'Second factor', exact: true }).click();
    await fill(page, {}, 'Set up');
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    const secret = Secret.fromBase32(await page.locator('code').innerText());
    let confirmed = 0;
    page.on('request', (request) => (confirmed += Number(request.url().endsWith('/mfa/confirm'))));
    await fill(page, { Code: '000000' }, 'Set up');
    await warns(page, 'The code is wrong');
    expect(confirmed, 'a wrong code is sent once').to.equal(1);
    // In groups, as apps show it.
    const code = new TOTP({ secret }).generate().replace(/^.../, '$& ');
    await fill(page, { Code: code }, 'Set up');
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
    const [recovery = '', another = ''] = (await page.locator('pre').innerText()).split('\n');
    const next = await open();
    await next.page.goto('/console/sign-in');
    await fill(next.page, { Email: email, Password: password }, 'Sign in');
    await isAt(next.page, 'mfa');
    await fill(next.page, { Code: '000000' }, 'Sign in');
    await next.page.getByRole('alert').waitFor();
    await fill(next.page, { Code: recovery }, 'Sign in');
    await isAt(next.page, '');
    await next.page.goto('/console/settings/second-factor');
    await fill(next.page, { Code: another }, 'Remove the second factor');
    await next.page.getByRole('button', { name: 'Set up' }).waitFor();
  });

  it('let a person join a team, whose owner sees the history of the membership', async () => {
    const [{ page }, guest] = [await signedIn(), await signedIn()];
    await page.goto('/console/team');
    await fill(page, { Email: guest.email }, 'Invite');
    await guest.page.goto(await linkTo(guest.email, 'invite'));
    await fill(guest.page, {}, 'Join');
    await guest.page.getByText('You are on the team').waitFor();
    await page.reload();
    await page.getByRole('table', { name: 'Members' }).getByRole('link', { name: guest.email }).click();
    await page.getByRole('heading', { name: guest.email }).waitFor();
    await page.getByText('History', { exact: true }).click();
    await page.getByRole('table', { name: 'History' }).getByText('role: nothing → "member"').waitFor();
  });

  it('approve one device and reject another, with a sign-in on the way', async () => {
    const email = await anAccount();
    const { page } = await open();
    const ask = async () => {
      const answer = await post('/v1/oauth/device_authorization', { client_id: 'service-desktop' });
      expect(answer.status, await answer.clone().text()).to.equal(200);
      return ((await answer.json()) as { user_code: string }).user_code;
    };
    const first = await ask();
    await page.goto(`/console/device?user_code=${first}`);
    await isAt(page, 'sign-in');
    await fill(page, { Email: email, Password: password }, 'Sign in');
    await isAt(page, `device?user_code=${first}`);
    await fill(page, {}, 'Approve');
    await says(page, 'The device is authorised for');
    await page.goto('/console/device');
    await fill(page, { Code: await ask() }, 'Deny');
    await says(page, 'The device was denied.');
    await page.goto('/console/device');
    await fill(page, { Code: 'XXXX-XXXX' }, 'Approve');
    await page.getByRole('alert').waitFor();
  });

  it('show errors, unknown outcomes, and the ids that support needs', async () => {
    const { page } = await open();
    await page.goto('/console/sign-in');
    await fill(page, { Email: 'nobody@example.com', Password: 'wrong' }, 'Sign in');
    const alert = page.getByRole('alert');
    await alert.filter({ hasText: 'The address or the password is wrong.' }).waitFor();
    expect(await alert.innerText()).to.match(/Request req_/);
    await page.route('**/v1/auth/login', (route) => route.abort());
    await fill(page, {}, 'Sign in');
    await alert.filter({ hasText: 'unknown whether this was done' }).waitFor();
    await page.goto('/console/verify');
    await page.getByText('needs the link of a mail').waitFor();
    await page.goto('/console/no-such-page');
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  });

  for (const [size, viewport] of Object.entries(sizes))
    for (const colorScheme of ['light', 'dark'] as const)
      it(`can be read by everybody, ${size} and ${colorScheme}`, async () => {
        const { page, violations } = await open({ viewport, colorScheme });
        const paths = [
          'sign-in',
          'sign-up',
          'verify?token=a',
          'magic?token=a',
          'reset?token=a',
          'merge?token=a',
          'mfa',
          'nothing',
        ];
        for (const path of paths) {
          await page.goto(`/console/${path}`);
          await page.getByRole('heading', { level: 1 }).waitFor();
          expect(await violations(), path).to.deep.equal([]);
          const wide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
          expect(wide, `${path} is wider than the window`).to.equal(false);
        }
      });

  it('can be used with the keyboard alone', async () => {
    const email = await anAccount();
    const { page } = await open();
    await page.goto('/console/sign-in');
    await page.getByLabel('Email').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await isAt(page, '');
  });
});
