import { expect } from 'chai';
import { Service } from 'service/client';
import { startStack, until, type TestStack } from '../testbed/index.ts';
import { clients, type ToolClient } from './clients.ts';

const secret = JSON.stringify({ site: 'http://sim.test', username: 'ada', password: 'correct' });

describe('browsers as tools of agents', function () {
  this.timeout(240_000);
  let stack: TestStack;
  before(async () => {
    stack = await startStack({ limitMs: 180_000 });
  });
  after(() => stack.stop());

  const place = async (tier: 'api_scale' | 'personal' = 'api_scale') => ({
    baseUrl: stack.baseUrl,
    apiKey: (await stack.account(tier)).api_key,
    env: { SERVICE_SECRET_SHOP: secret },
  });
  const serviceOf = ({ apiKey }: { readonly apiKey: string }) =>
    new Service({ baseUrl: stack.baseUrl, apiKey });
  const openIn = async (service: Service) => {
    const open: string[] = [];
    for await (const { id, status } of service.sessions.list())
      if (status !== 'destroyed' && status !== 'errored') open.push(id);
    return open;
  };
  const idIn = ({ structured }: { readonly structured: Readonly<Record<string, unknown>> }) =>
    String(structured.session);

  for (const [name, connect] of Object.entries(clients))
    it(`open, look, act, extract, save, sign in and close: ${name}`, async () => {
      const at = await place();
      const client = await connect(at);
      try {
        await walk(client, name.startsWith('stdio'));
        expect(client.version).to.be.oneOf([undefined, name.endsWith('2026') ? '2026-07-28' : '2025-11-25']);
      } finally {
        await client.close();
      }
      await until(async () => (await openIn(serviceOf(at))).length === 0);
    });

  async function walk(client: ToolClient, hasSecrets: boolean) {
    expect(await client.tools()).to.have.length(14);
    const opened = await client.call('open_browser', { url: 'http://sim.test/form' });
    expect(opened.isError, opened.text).to.equal(false);
    const session = idIn(opened);
    expect(opened.structured).to.include({ url: 'http://sim.test/form', title: 'Simulated form' });
    const looked = await client.call('look', { session });
    expect(looked.text).to.include(`Open: ${session}`);
    const [{ ref = '' } = {}] = looked.structured.elements as { ref?: string }[];
    const actions = [
      { kind: 'type', ref, text: 'Ada' },
      { kind: 'check', selector: '#agree', checked: true },
      { kind: 'wait', ms: 1 },
    ];
    const acted = await client.call('act', { session, actions });
    expect(acted.isError, acted.text).to.equal(false);
    expect(acted.text).to.include(`~ ${ref} textbox`);
    expect(acted.size).to.be.below(2000);
    const sent = await client.call('act', { session, actions: [{ kind: 'tap', selector: '#send' }] });
    expect(sent.structured).to.include({ url: 'http://sim.test/sent', title: 'Sent' });
    const back = await client.call('act', {
      session,
      actions: [{ kind: 'back' }, { kind: 'go', url: 'http://sim.test/' }],
    });
    expect(back.structured, back.text).to.include({ url: 'http://sim.test/' });
    const schema = {
      type: 'object',
      properties: { prices: { type: 'array', 'x-selector': '.price', items: { type: 'string' } } },
    };
    const { structured: extracted } = await client.call('extract', { session, schema });
    expect(extracted).to.deep.include({ matched: true });
    const { structured: saved } = await client.call('save_page', { session, as: 'html' });
    expect(await client.read(String(saved.uri))).to.include('<html>');
    const failed = await client.call('act', {
      session,
      actions: [{ kind: 'tap', ref: 'e999' }, { kind: 'back' }],
    });
    expect([failed.isError, failed.structured.did]).to.deep.equal([true, [{ kind: 'tap', ok: false }]]);
    expect(failed.text).to.match(/1 after it were not tried[^]*Look at the page/);
    await client.call('act', { session, actions: [{ kind: 'go', url: 'http://sim.test/login' }] });
    const signed = await client.call('sign_in', { session, secret: 'shop' });
    expect(signed.structured.status, signed.text).to.equal(hasSecrets ? 'done' : undefined);
    expect(signed.text).not.to.include('correct');
    await client.call('act', { session, actions: [{ kind: 'go', url: 'http://sim.test/report.csv' }] });
    const kept = await client.call('files', { session });
    expect(kept.text, kept.text).to.include('report.csv');
    expect((await client.call('files', { session, name: 'report.csv' })).text).to.include('apple,19.90');
    expect(await client.read('service://reference')).to.include('Actions of act');
    const closed = await client.call('close_browser', { session });
    expect(closed.text).to.include('No browser is open.');
    const gone = await client.call('look', { session });
    expect([gone.isError, gone.text.includes('open_browser')]).to.deep.equal([true, true]);
  }

  it('end with the process that uses them, even while they are being opened, unless they are kept', async () => {
    const at = await place();
    const service = serviceOf(at);
    const client = await clients['stdio, 2026'](at);
    const kept = idIn(await client.call('open_browser', { keep: true }));
    await client.call('open_browser');
    const opening = client.call('open_browser').catch(() => undefined);
    await until(async () => (await openIn(service)).length === 3);
    process.kill(client.pid ?? 0, 'SIGTERM');
    await opening;
    await until(async () => (await openIn(service)).join() === kept);
    await client.close();
  });
  it('are one browser for one key', async () => {
    const at = await place();
    for (const connect of [clients['HTTP, 2026'], clients['HTTP, 2025']]) {
      const client = await connect(at);
      const key = `once-${client.version}`;
      const both = await Promise.all([
        client.call('open_browser', { key }),
        client.call('open_browser', { key }),
      ]);
      const again = await client.call('open_browser', { key });
      expect(new Set([...both, again].filter(({ isError }) => !isError).map(idIn)).size).to.equal(1);
      await client.close();
    }
  });
  it('are ended by the service once nobody uses them', async () => {
    const at = await place();
    const client = await clients['HTTP, 2026'](at);
    const session = idIn(await client.call('open_browser'));
    expect((await serviceOf(at).sessions.get(session)).idle_timeout_seconds).to.equal(600);
    await client.close();
  });
  it('are only those of the calling account', async () => {
    const [one, other] = await Promise.all([place(), place()]);
    const [mine, theirs] = await Promise.all([clients['HTTP, 2026'](one), clients['HTTP, 2026'](other)]);
    const session = idIn(await mine.call('open_browser'));
    expect((await theirs.call('look', { session })).text).to.include('list_browsers');
    expect((await theirs.call('list_browsers')).structured).to.deep.equal({ browsers: [] });
    await Promise.all([mine.close(), theirs.close()]);
  });
  it('stop an action that is cancelled in the middle, and do nothing after it', async () => {
    const at = await place();
    for (const connect of [clients['stdio, 2026'], clients['HTTP, 2026']]) {
      const client = await connect(at);
      const session = idIn(await client.call('open_browser', { url: 'http://sim.test/' }));
      const cancelled = new AbortController();
      const actions = [
        { kind: 'wait', ms: 3000 },
        { kind: 'go', url: 'http://sim.test/sent' },
      ];
      const acting = client
        .call('act', { session, actions }, { signal: cancelled.signal })
        .catch(() => 'cancelled');
      const service = serviceOf(at);
      await until(async () => (await service.sessions.get(session)).status === 'busy');
      cancelled.abort();
      expect(await acting).to.equal('cancelled');
      await until(async () => (await service.sessions.get(session)).status === 'ready');
      expect((await client.call('look', { session })).structured.url).to.equal('http://sim.test/');
      await client.call('close_browser', { session });
      await client.close();
    }
  });
  it('answer a thousand calls one after the other and fifty at once, each with its own result', async () => {
    const at = await place();
    const service = serviceOf(at);
    const open = await Promise.all(
      ['/', '/form', '/sent', '/login'].map(async (path) => {
        const session = await service.sessions.create({ idle_timeout_seconds: 600 });
        await session.navigate(`http://sim.test${path}`);
        return { session: session.id, url: `http://sim.test${path}` };
      }),
    );
    for (const connect of [clients['stdio, 2026'], clients['HTTP, 2026']]) {
      const client = await connect(at);
      for (let n = 0; n < 500; n += 1) expect(await client.tools()).to.have.length(14);
      const looked = await Promise.all(
        Array.from({ length: 50 }, async (_, n) => {
          const { session = '', url } = open[n % open.length] ?? {};
          // Over HTTP the gateway refuses more than 32 of an account that are under way, by a 429.
          const refused = (error: unknown) => ({ structured: {}, text: String(error), isError: true });
          const { structured, text, isError } = await client.call('look', { session }).catch(refused);
          if (isError) expect(text).to.match(/Wait|Too many/);
          else expect(structured).to.include({ session, url });
          return isError;
        }),
      );
      expect(looked.filter((isError) => !isError)).to.have.length.above(10);
      await client.close();
    }
  });
});
