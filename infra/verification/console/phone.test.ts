import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { listen } from '../../http/index.ts';
import { startTcpProxy, until, type TcpProxy } from '../testbed/index.ts';
import { canBeRead, usePages } from './pages.ts';

/** A page that shows the events it received. */
const site = `<!doctype html><meta name="viewport" content="width=device-width"><title>The <b>site</b></title>
  <style>body { margin: 0; height: 3000px } #pad { height: 300px; background: #0f0; touch-action: none } input { font-size: 20px; width: 90% }</style>
  <div id="pad"></div><h1>Touched</h1><input aria-label="Name">
  <script>
    const tell = (what) => fetch('/told', { method: 'POST', body: what });
    for (const type of ['touchstart', 'touchend'])
      pad.addEventListener(type, ({ changedTouches: [{ clientX, clientY }] }) => tell(type + ' ' + Math.round(clientX) + ' ' + Math.round(clientY)));
    document.querySelector('input').addEventListener('input', ({ target }) => tell('value ' + target.value));
    addEventListener('scroll', () => tell('scrolled'), { once: true });
  </script>`;

type Tapped = { readonly role: 'button'; readonly name: string } | { readonly selector: string };

/** Scripts that run before those of a page. */
const withoutMedia = {
  'no media gets through': `
    const Connection = RTCPeerConnection;
    window.RTCPeerConnection = class extends Connection {
      constructor(options) {
        super({ ...options, iceTransportPolicy: 'relay', iceServers: [] });
      }
    };`,
  'the browser has no WebRTC': 'delete window.RTCPeerConnection; delete window.webkitRTCPeerConnection;',
};

describe('the phone of the console, with a real browser behind it', function () {
  this.timeout(300_000);
  const pages = usePages({ env: { DRIVER: 'webkit' } });
  const told: string[] = [];
  let web: Awaited<ReturnType<typeof listen>>;
  let gateway: TcpProxy | undefined;
  const made = { session: '', agent: '' };

  before(async () => {
    web = await listen((request, reply) => {
      if (request.url !== '/told') return reply.setHeader('content-type', 'text/html').end(site);
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        told.push(body);
        reply.end();
      });
      return undefined;
    }, 0);
    const { api } = pages.person;
    made.session = (await api.sessions.create()).id;
    const agent = await api.agents.create({ mode: 'pair', service_session_id: made.session });
    made.agent = agent.id;
  });
  after(() => Promise.all([web.close(), gateway?.close()]));
  beforeEach(async () => {
    await pages.person.api.sessions.navigate(made.session, { url: `http://127.0.0.1:${web.port}/` });
    told.splice(0);
  });

  const phone = (page: Page) => page.getByRole('region', { name: 'Phone' });
  const glass = (page: Page) => page.getByLabel('Screen of the phone: touch and type');
  const isLive = (page: Page) => phone(page).getByText(/^Live/).first().waitFor({ timeout: 60_000 });
  const isLiveByPictures = (page: Page) =>
    phone(page)
      .getByText(/five pictures a second/)
      .waitFor({ timeout: 60_000 });
  const reaches = (what: string | RegExp) =>
    until(() => told.some((each) => (typeof what === 'string' ? each === what : what.test(each))));
  /** Tall enough for the whole phone. */
  const viewport = { width: 1280, height: 1200 };
  const openAgent = async (): Promise<Page> => {
    const page = await pages.open({ viewport });
    await page.goto(`/console/agents/${made.agent}`);
    await isLive(page);
    return page;
  };
  const takeOver = async (page: Page) => {
    await phone(page).getByRole('button', { name: 'Take over' }).click();
    await phone(page)
      .getByText(/You have the controls/)
      .waitFor();
  };
  /** Converts a point of the phone to the window. */
  const placeOf = async (page: Page, x: number, y: number) => {
    const box = await glass(page).boundingBox();
    if (box === null) throw new Error('There is no screen.');
    return { x: box.x + (x / 393) * box.width, y: box.y + (y / 659) * box.height };
  };
  const near = (text: string, x: number, y: number): boolean => {
    const [, a = '', b = ''] = text.split(' ');
    return Math.abs(Number(a) - x) <= 2 && Math.abs(Number(b) - y) <= 2;
  };

  it('is taken over, touched, typed on and given back', async () => {
    const page = await openAgent();
    await phone(page).getByText('The page as text').click();
    await phone(page).getByText('The agent has the controls.').waitFor();
    await glass(page).click({ force: true });
    await takeOver(page);
    const described = await glass(page).getAttribute('aria-describedby');
    expect(await page.locator(`#${described}`).innerText()).to.include('Escape twice');
    expect(told).to.deep.equal([]);
    const { x, y } = await placeOf(page, 100, 150);
    await page.mouse.click(x, y);
    await reaches(/^touchend/);
    expect(told.filter((each) => near(each, 100, 150))).to.have.length(2);
    const field = await placeOf(page, 100, 390);
    await page.mouse.click(field.x, field.y);
    await phone(page).getByText('A field has the focus: text.').waitFor();
    await page.keyboard.type('Grüße');
    await page.keyboard.press('Backspace');
    await reaches('value Grüß');
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ' 你好 🙂');
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
    })()`);
    await reaches('value Grüß 你好 🙂');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await phone(page).getByText('The agent has the controls.').waitFor();
  });

  it('is scrolled by the wheel, and keeps no finger down when the window loses the focus', async () => {
    const page = await openAgent();
    await takeOver(page);
    const { x, y } = await placeOf(page, 200, 200);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await reaches(/^touchstart/);
    await page.evaluate('dispatchEvent(new Event("blur"))');
    await reaches(/^touchend/);
    await page.mouse.up();
    const below = await placeOf(page, 200, 500);
    await page.mouse.move(below.x, below.y);
    await page.mouse.wheel(0, 200);
    await reaches('scrolled');
    await phone(page).getByRole('button', { name: 'Give back' }).click();
    await phone(page).getByText('The agent has the controls.').waitFor();
  });

  it('shows its page as text, and the age of the picture', async () => {
    const page = await openAgent();
    await phone(page)
      .getByText(/frames a second/)
      .waitFor();
    await phone(page).getByText('The page as text').click();
    await phone(page).getByText('The <b>site</b>').waitFor();
    await phone(page).getByRole('button', { name: 'Read the page' }).click();
    await phone(page).getByRole('listitem').filter({ hasText: 'Touched' }).waitFor();
  });

  it('can be watched on the page of its session, but not touched', async () => {
    const page = await pages.open();
    await page.goto(`/console/sessions/${made.session}`);
    await page.getByRole('button', { name: 'Watch' }).click();
    await isLive(page);
    expect(await page.getByRole('button', { name: 'Take over' }).count()).to.equal(0);
  });

  it('is opened without a sign-in by a link, which can be revoked', async () => {
    const { api } = pages.person;
    const { token, id } = await api.agentSessionLinks.create(made.agent, { right: 'control' });
    const page = await pages.open({ as: null });
    await page.goto(`/console/live#token=${token}`);
    await page.waitForURL('**/console/live');
    await page.getByRole('button', { name: 'Show the phone' }).click();
    await isLive(page);
    await takeOver(page);
    const { x, y } = await placeOf(page, 50, 60);
    await page.mouse.click(x, y);
    await reaches(/^touchend/);
    await api.agentSessionLinks.revoke(made.agent, id);
    await phone(page).getByRole('alert').filter({ hasText: 'ended by the service' }).waitFor();
  });

  it('is that of the link which was opened last in the tab, and no link stays in the address', async () => {
    const page = await pages.open({ as: null });
    for (const link of ['?token=first', '#token=second', '#token=third']) {
      await page.goto(`/console/live${link}`);
      await page.waitForURL('**/console/live');
      const asked = page.waitForRequest('**/v1/agent-session-links/open');
      await page.getByRole('button', { name: 'Show the phone' }).click();
      expect((await asked).postDataJSON(), link).to.deep.equal({ token: link.slice('#token='.length) });
      await page.getByRole('alert').waitFor();
    }
  });

  for (const [where, script] of Object.entries(withoutMedia)) {
    it(`continues by pictures if ${where}`, async () => {
      const page = await pages.open();
      await page.addInitScript(script);
      await page.goto(`/console/agents/${made.agent}`);
      await isLiveByPictures(page);
      await takeOver(page);
      await phone(page).getByRole('button', { name: 'Give back' }).click();
      await phone(page).getByText('The agent has the controls.').waitFor();
    });
  }

  it('shows that there is no picture, until it has joined again', async () => {
    const page = await pages.open();
    await page.addInitScript(withoutMedia['the browser has no WebRTC']);
    const cuts: (() => Promise<void>)[] = [];
    await page.routeWebSocket(/\/frames\?/, (socket) => {
      socket.connectToServer();
      const payload = Buffer.from('{"state":"unavailable"}').toString('base64');
      if (cuts.length === 0) socket.send(JSON.stringify({ topic: 'picture', payload }));
      cuts.push(() => socket.close());
    });
    await page.goto(`/console/agents/${made.agent}`);
    const notice = phone(page).getByText('There is no picture: it could not be encoded.');
    await notice.waitFor({ timeout: 60_000 });
    await cuts[0]?.();
    await notice.waitFor({ state: 'detached' });
    await isLiveByPictures(page);
    expect(cuts).to.have.length(2);
  });

  it('is joined once the network is back, if it fails before there is a token', async () => {
    const page = await pages.open();
    await page.route('**/video-token', (route) => route.abort());
    await page.goto(`/console/agents/${made.agent}`);
    await phone(page)
      .getByText(/Connecting again/)
      .first()
      .waitFor({ timeout: 60_000 });
    await page.unroute('**/video-token');
    await isLive(page);
  });

  it('tells the older window of a person that there is a newer one', async () => {
    const older = await openAgent();
    await openAgent();
    await phone(older).getByText('You are watching this phone in another window.').waitFor();
    await phone(older).getByRole('button', { name: 'Watch here' }).click();
    await isLive(older);
  });

  canBeRead(pages, [
    { name: 'agent-phone', path: () => `/agents/${made.agent}`, until: isLive },
    {
      name: 'live',
      path: '/live?token=lnk',
      until: (page) => page.getByRole('button', { name: 'Show the phone' }).waitFor(),
    },
  ]);

  it('can itself be used on the phone: to sign in by a link, and to open and end a session', async () => {
    const { stack, person } = pages;
    const owner = await pages.somebody();
    const { id } = await owner.api.sessions.create({ label: 'Seen on a phone' });
    // Pages cannot reach the gateway's own port.
    const port = Number(new URL(stack.baseUrl).port);
    gateway = await startTcpProxy({ host: '127.0.0.1', port });
    const { through } = gateway;
    const { sessions } = person.api;
    const open = (url: string) => sessions.navigate(made.session, { url: through(url) });
    const tap = (action: Tapped) => sessions.interact(made.session, { action: { kind: 'tap', ...action } });
    const shows = (text: string) =>
      sessions.wait(made.session, { condition: { kind: 'text', text }, timeout_ms: 30_000 });
    await open(await stack.consoleLink(owner.account.account_id));
    await tap({ role: 'button', name: 'Sign in' });
    await shows('Running now');
    await open(`${stack.baseUrl}/console/sessions`);
    await shows('Seen on a phone');
    await tap({ selector: `main a[href$="${id}"]` });
    await tap({ role: 'button', name: 'End session' });
    await shows('End this session?');
    await tap({ role: 'button', name: 'End session' });
    await until(async () => (await owner.api.sessions.get(id)).status === 'destroyed');
  });

  it('shows the last picture when the browser has ended, and says so', async () => {
    const page = await openAgent();
    await pages.person.api.sessions.destroy(made.session);
    await phone(page).getByText('The browser has ended.').waitFor();
  });
});
