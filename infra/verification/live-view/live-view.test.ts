import { expect } from 'chai';
import { caller } from '../../http/testing.ts';
import { listen } from '../../http/index.ts';
import { startStack, tempDir, until, type TestStack } from '../testbed/index.ts';
import { PictureParticipant } from './picture-participant.ts';
import { contentOf, encodersIn, filesIn } from './traces.ts';
import { startWatchers, type Watcher } from './watcher.ts';

/** Half red, half in the color of the address, optionally with a number that changes 30 times a second. */
const site = (url: string): string => `<!doctype html><meta name="viewport" content="width=device-width">
  <style>body { margin: 0 } div { height: 300px; font: 60px sans-serif }</style>
  <div style="background: #f00"></div><div id="count" style="background: ${/color=(\w+)/.exec(url)?.[1] ?? 'blue'}"></div>
  ${url.includes('moves') ? '<script>let n = 0; setInterval(() => { count.textContent = ++n }, 33)</script>' : ''}${url.includes('touched') ? touched : ''}`;

/** Writes the touches it receives into its title. */
const touched = `<script>
  document.title = 'untouched';
  addEventListener('touchstart', ({ touches: [touch] }) => { document.title = ['touched', touch.clientX, touch.clientY].join(' '); });
</script>`;

const isRed = ([red = 0, green = 0, blue = 0]: readonly number[]) => red > 180 && green < 80 && blue < 80;
const isLime = ([red = 0, green = 0, blue = 0]: readonly number[]) => red < 90 && green > 180 && blue < 90;

describe("live view, by LiveKit's own library in Chromium", function () {
  this.timeout(120_000);
  let stack: TestStack;
  let pages: Awaited<ReturnType<typeof listen>>;
  let watchers: Awaited<ReturnType<typeof startWatchers>>;
  let call: (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;
  let session: string;
  const runtimeDir = tempDir('live');

  before(async () => {
    pages = await listen((request, reply) => {
      reply.setHeader('content-type', 'text/html');
      reply.end(site(request.url ?? ''));
    }, 0);
    [stack, watchers] = await Promise.all([
      startStack({
        env: { DRIVER: 'webkit', OUTBOUND_ALLOW: '127.0.0.0/8', WEBKIT_RUNTIME_DIR: runtimeDir },
        limitMs: 120_000,
      }),
      startWatchers(),
    ]);
    const { api_key: token } = await stack.account('api_scale');
    const asCaller = caller(Number(new URL(stack.baseUrl).port));
    call = async (method, path, body) => {
      const { status, json, text } = await asCaller(`${method} ${path}`, { token, ...(body && { body }) });
      expect(status, text).to.be.below(300);
      return json;
    };
  });
  after(async () => {
    await watchers.close();
    await stack.stop();
    await pages.close();
  });
  beforeEach(async () => {
    session = String((await call('POST', '/v1/sessions', {})).id);
  });
  afterEach(async () => {
    await watchers.closePages();
    await call('DELETE', `/v1/sessions/${session}`);
  });

  const go = (query: string) =>
    call('POST', `/v1/sessions/${session}/navigate`, { url: `http://127.0.0.1:${pages.port}/?${query}` });
  const agent = (): Promise<Record<string, unknown>> =>
    call('POST', '/v1/agent-sessions', { mode: 'manual', service_session_id: session });
  const watchOnly = () => call('POST', `/v1/sessions/${session}/video-token`);
  const framesMore = async (watcher: Watcher, more: number) => {
    const { frames } = await watcher.state();
    await until(async () => (await watcher.state()).frames >= frames + more, { limitMs: 20_000 });
  };

  it('shows the page in the size of its viewport, and follows it', async () => {
    await go('color=lime');
    const { video } = await agent();
    const watcher = await watchers.open();
    await watcher.join(video as object);
    await until(async () => (await watcher.state()).width > 0);
    const { width, height, identities } = await watcher.state();
    expect([width, height, identities]).to.deep.equal([393, 659, ['browser']]);
    await until(async () => isRed(await watcher.color(100, 150)) && isLime(await watcher.color(100, 450)));
    await go('color=red');
    await until(async () => isRed(await watcher.color(100, 450)));
    await watcher.leave();
  });

  it('starts the browser of a person who comes to drive, opens its page there, and takes a tap as a real touch', async () => {
    await call('DELETE', `/v1/sessions/${session}`);
    const initial_url = `http://127.0.0.1:${pages.port}/?color=lime&touched`;
    const created = await call('POST', '/v1/agent-sessions', { mode: 'manual', initial_url });
    expect(created.service_session_id).to.equal(null);
    const watcher = await watchers.open();
    await watcher.join(created.video as object);
    await until(async () => isRed(await watcher.color(100, 150)) && isLime(await watcher.color(100, 450)));
    const { mode, epoch } = await watcher.latest('control');
    expect([mode, epoch]).to.deep.equal(['manual', 1]);
    await until(async () => (await watcher.latest('page')).state === 'loaded');
    expect(await watcher.tap(Number(epoch), 50, 60)).to.deep.equal(['browser', '{"seq":1,"ok":true}']);
    const { id } = created;
    await until(async () => {
      const { page_state } = await call('GET', `/v1/agent-sessions/${String(id)}/page-state`);
      return (page_state as { title: string }).title === 'touched 50 60';
    });
    session = String((await call('GET', `/v1/agent-sessions/${String(id)}`)).service_session_id);
    await call('DELETE', `/v1/agent-sessions/${String(id)}`);
    await until(async () => (await watcher.state()).reasons.length > 0);
    expect((await watcher.state()).reasons).to.deep.equal(['ROOM_DELETED']);
  });

  it('starts nothing for a person who only watches, and says why', async () => {
    await call('DELETE', `/v1/sessions/${session}`);
    const { id } = await call('POST', '/v1/agent-sessions', { mode: 'ai' });
    const watcher = await watchers.open();
    const refused = await watcher.refused(await call('POST', `/v1/agent-sessions/${String(id)}/video-token`));
    expect(String(refused)).to.include('the first message that needs one starts it');
    expect((await call('GET', `/v1/agent-sessions/${String(id)}`)).service_session_id).to.equal(null);
  });

  it('continues frame by frame while the page moves, for two people who watch', async () => {
    await go('moves');
    const video = (await agent()).video as object;
    const watch = await watchOnly();
    const two = [await watchers.open(), await watchers.open()] as const;
    await Promise.all([two[0].join(video), two[1].join(watch)]);
    await Promise.all(two.map((watcher) => framesMore(watcher, 40)));
    for (const watcher of two) await watcher.leave();
  });

  it("gives a person's place to the newest join, and the older one does not reconnect by itself", async () => {
    const { id, video } = await agent();
    const [first, second] = [await watchers.open(), await watchers.open()];
    await first.join(video as object);
    await second.join(await call('POST', `/v1/agent-sessions/${String(id)}/video-token`));
    await until(async () => (await first.state()).reasons.length > 0);
    expect((await first.state()).reasons).to.deep.equal(['DUPLICATE_IDENTITY']);
    await framesMore(second, 2);
    await second.leave();
  });

  it('reconnects after a broken socket', async () => {
    await go('moves');
    const watcher = await watchers.open();
    await watcher.join(await watchOnly());
    await watcher.cut();
    await until(async () => (await watcher.state()).reasons.includes('RECONNECTED'), { limitMs: 30_000 });
    await framesMore(watcher, 10);
    await watcher.leave();
  });

  it('ends with the browser, and its token is invalid then', async () => {
    const watch = await watchOnly();
    const watcher = await watchers.open();
    await watcher.join(watch);
    await call('DELETE', `/v1/sessions/${session}`);
    await until(async () => (await watcher.state()).reasons.length > 0);
    expect((await watcher.state()).reasons).to.deep.equal(['ROOM_DELETED']);
    const late = await watchers.open();
    expect(String(await late.refused(watch))).to.match(/true,404|no browser/);
  });

  it('refuses a token that was changed, and says so', async () => {
    const watch = await watchOnly();
    const watcher = await watchers.open();
    const changed = { ...watch, token: `${String(watch.token).slice(0, -4)}AAAA` };
    expect(String(await watcher.refused(changed))).to.match(
      /^true,401,.*The video token is malformed, expired, or from another deployment\./,
    );
  });

  it('falls back to pictures over a WebSocket without media, and leaves none of them on disk', async () => {
    await go('moves');
    const { id } = await agent();
    const video = await call('POST', `/v1/agent-sessions/${String(id)}/video-token`);
    const participant = await PictureParticipant.join(video);
    const { pictures } = participant;
    await until(() => pictures.length >= 3, { limitMs: 60_000 });
    for (const picture of pictures) expect(picture.readUInt16BE(0), 'JPEG').to.equal(0xffd8);
    const counts = await until(() => participant.on('frames').find(({ size }) => size !== null) ?? false);
    expect(counts.size).to.deep.equal({ width: 393, height: 659 });
    const parts = pictures.map((picture) => picture.subarray(picture.length / 2, picture.length / 2 + 64));
    for (const directory of [runtimeDir, stack.dataDir])
      for (const path of filesIn(directory)) {
        const content = contentOf(path);
        for (const part of parts) expect(content.includes(part), path).to.equal(false);
      }
    participant.leave();
  });

  it('has no encoder without participants', async () => {
    const watcher = await watchers.open();
    await watcher.join(await watchOnly());
    await until(() => encodersIn(runtimeDir).length === 1);
    await watcher.leave();
    await until(() => encodersIn(runtimeDir).length === 0, { limitMs: 12_000 });
  });
});
