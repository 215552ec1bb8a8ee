import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import pino from 'pino';
import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import {
  operationSchemas,
  type LiveInput,
  type LiveOperation,
  type OperationInput,
} from '../../../contracts/fleet/operations.ts';
import type { Operation } from '../../../contracts/operations.ts';
import { toId, type SessionId } from '../../../contracts/ids.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import { Report } from '../../../contracts/fleet/protocol.ts';
import type { Observation } from '../../../contracts/resources/observation.ts';
import { limitsOf, type Browser, type BrowserReport } from '../node/driver.ts';
import { Uploads } from '../node/uploads.ts';
import { runOperation } from '../node/run-operation.ts';
import { tempDir, until } from '../../verification/testbed/index.ts';
import { shape } from '../shape.ts';
import type { LiveCall } from '../control-plane/port.ts';
import { startNodeOf } from '../testing.ts';
import { createSimulatedDriver, type SimulatedDriverOptions } from './index.ts';

const options = { logger: pino({ level: 'silent' }), graceMs: 100, maxResultBytes: 100_000 };

async function launch(settings: Partial<SimulatedDriverOptions> = {}): Promise<Browser> {
  const [archetype] = archetypeCatalogue.archetypes;
  if (!archetype) throw new Error('The catalogue is empty.');
  const driver = createSimulatedDriver({ guard: createOutboundGuard(), ...settings });
  return driver.launch(toId('session', randomUUID()), archetype, {
    uploads: new Uploads(tempDir('uploads')),
    tenant: 'one',
  });
}

/** `succeeded`, or the kind and category of the failure. */
async function outcome<O extends Operation>(
  browser: Browser,
  operation: O,
  input: OperationInput<O>,
  timeout_ms = 500,
) {
  const settled = await runOperation(browser, { dispatch_id: 'd', operation, input, timeout_ms }, options);
  if (settled.outcome === 'failed') return `${settled.failure.kind} ${settled.failure.category}`;
  expect(shape(operationSchemas[operation].result).is(settled.result), operation).to.equal(true);
  return 'succeeded';
}
const go = (browser: Browser, path: string, timeout_ms = 500) =>
  outcome(browser, 'navigate', { url: `http://sim.test${path}` }, timeout_ms);

describe('the simulated driver', () => {
  it('reports a challenge once for as long as it is shown, and anew when it reappears', async () => {
    const browser = await launch();
    const ids: string[] = [];
    browser.onReport((report) => report.kind === 'challenge_detected' && ids.push(report.challenge_id));
    const cleared = async (index: number) =>
      (await browser.live.challenge({ challenge_id: ids[index] ?? '' }, limitsOf(500))).cleared;
    for (const path of ['/challenge', '/challenge']) await go(browser, path);
    expect([ids.length, await cleared(0)]).to.deep.equal([1, false]);
    await go(browser, '/');
    expect(await cleared(0)).to.equal(true);
    await go(browser, '/challenge');
    expect([ids.length, await cleared(0), await cleared(1)]).to.deep.equal([2, true, false]);
  });

  it('answers every operation with a result of the contract', async () => {
    const browser = await launch();
    expect(await go(browser, '/')).to.equal('succeeded');
    expect(await outcome(browser, 'interact', { action: { kind: 'tap', selector: '#to-form' } })).to.equal(
      'succeeded',
    );
    expect(await outcome(browser, 'wait', { condition: { kind: 'url', pattern: '**/form' } })).to.equal(
      'succeeded',
    );
    expect(await outcome(browser, 'state_capture', null)).to.equal('succeeded');
    for (const kind of ['screenshot', 'dom_snapshot', 'pdf'] as const) {
      expect(await outcome(browser, 'capture', { kind })).to.equal('succeeded');
    }
    const schema = { type: 'object', properties: { heading: { type: 'string', 'x-selector': 'h1' } } };
    expect(await outcome(browser, 'extract', { schema })).to.equal('succeeded');
    const login = { url: 'http://sim.test/login', fields: { username: 'ada', password: 'correct' } };
    expect(await outcome(browser, 'login', { ...login, site: 'sim.test' })).to.equal('page invalid_request');
    expect(await outcome(browser, 'login', { ...login, site: 'http://sim.test' })).to.equal('succeeded');
  });

  it('has an address for each kind of failure', async () => {
    const browser = await launch();
    expect(await go(browser, '/unreachable')).to.equal('page page_load_failed');
    expect(await go(browser, '/timeout', 30)).to.equal('timeout page_load_failed');
    expect(await outcome(browser, 'navigate', { url: 'http://10.0.0.1/' })).to.equal('page page_load_failed');
    expect(await outcome(browser, 'interact', { action: { kind: 'tap', selector: '#no' } })).to.equal(
      'page element_not_found',
    );
    expect(await outcome(browser, 'search', { query: 'q' })).to.equal('unavailable invalid_request');
    const upload = { kind: 'upload' as const, selector: 'a', handle: 'h' };
    expect(await outcome(browser, 'interact', { action: upload })).to.equal('page invalid_request');
    expect(await go(browser, '/hang', 30)).to.equal('silent session_error');
  });

  it('stops typing at the time limit', async () => {
    const browser = await launch();
    await go(browser, '/form');
    const type = (text: string, delay_ms: number) =>
      outcome(browser, 'interact', { action: { kind: 'type', selector: '#name', text, delay_ms } }, 100);
    expect(await type('a'.repeat(40), 20)).to.equal('timeout unknown');
    expect(await type('.', 0)).to.equal('succeeded');
    const schema = { type: 'object', properties: { name: { type: 'string', 'x-selector': '#name' } } };
    const extract = { dispatch_id: 'd', operation: 'extract' as const, input: { schema }, timeout_ms: 500 };
    const settled = await runOperation(browser, extract, options);
    expect(settled)
      .to.have.nested.property('result.data.name')
      .that.matches(/^a{1,39}\.$/);
  });

  it('takes as long as the gesture', async () => {
    const browser = await launch();
    const actions = [
      { kind: 'long_press', x: 1, y: 1, duration_ms: 2_000 },
      { kind: 'swipe', x1: 1, y1: 1, x2: 9, y2: 9, duration_ms: 2_000 },
      { kind: 'drag', from: { x: 1, y: 1 }, to: { x: 9, y: 9 } },
    ] as const;
    for (const action of actions)
      expect(await outcome(browser, 'interact', { action }, 50), action.kind).to.equal('timeout unknown');
  });

  it('dies at /crash, reports that once, and then fails every operation', async () => {
    const browser = await launch();
    let deaths = 0;
    browser.onDeath(() => (deaths += 1));
    expect(await go(browser, '/crash')).to.equal('driver session_error');
    expect(await go(browser, '/')).to.equal('driver session_error');
    await browser.close();
    expect(deaths).to.equal(1);
  });

  it('fails the running operation when it is closed, without reporting a death', async () => {
    const browser = await launch();
    let deaths = 0;
    browser.onDeath(() => (deaths += 1));
    const running = go(browser, '/timeout', 5_000);
    await browser.close();
    expect(await running).to.equal('driver session_error');
    expect(deaths).to.equal(0);
  });

  it('reports challenges and egress capabilities of the pages that have them', async () => {
    const told: BrowserReport[] = [];
    const browser = await launch();
    browser.onReport((report) => told.push(report));
    for (const path of ['/challenge', '/dead-proxy']) expect(await go(browser, path)).to.equal('succeeded');
    const isReport = shape(Report);
    const of = { report_id: 'r', session_id: toId('session', randomUUID()), at: '2026-01-05T12:00:00Z' };
    for (const report of told) expect(isReport.is({ ...report, ...of }), report.kind).to.equal(true);
    expect(told.map(({ kind }) => kind)).to.deep.equal(['challenge_detected', 'egress_capabilities']);
  });

  it('leaves the data of sites, unless one of its pages cannot be saved or it has died', async () => {
    const visited = async (...paths: string[]) => {
      const browser = await launch();
      for (const path of paths) await go(browser, path);
      return browser.leave().then(
        ({ census }) => census,
        (error: unknown) => error,
      );
    };
    expect(await visited('/', '/counter')).to.include({ cookies: 2, origins: 1 });
    expect(await visited('/unsaveable?reason=seal_failed')).to.include({ reason: 'seal_failed' });
    expect(await visited('/counter', '/crash')).to.be.instanceOf(Error);
  });

  describe('beside its operations', () => {
    let on: Awaited<ReturnType<typeof startNodeOf>>;
    let call: LiveCall;
    const ask = async <O extends LiveOperation>(operation: O, input: LiveInput<O>) => {
      const answer = await on.fleet.live(call, operation, input);
      return answer.status === 'ok' ? answer.result : answer.reason;
    };
    const visit = (path: string) => on.operate(call.session, 'navigate', { url: `http://sim.test${path}` });
    beforeEach(async () => {
      on = await startNodeOf(createSimulatedDriver({ guard: createOutboundGuard() }));
      call = { node: on.node, session: await on.create(), timeoutMs: 500 };
    });
    afterEach(() => on.stop());

    it('goes back and forward, to the end of its history', async () => {
      for (const path of ['/', '/form']) await visit(path);
      for (const [direction, url] of [
        ['back', 'http://sim.test/'],
        ['forward', 'http://sim.test/form'],
      ] as const) {
        expect(await ask('history', { direction })).to.equal(null);
        expect(await ask('page_state', null)).to.include({ state: 'loaded', url });
      }
      expect(await ask('history', { direction: 'forward' })).to.equal('The history of the tab ends there.');
    });

    it('reports the state of its page during an operation', async () => {
      const slow = visit('/slow?ms=1000');
      await until(async () => JSON.stringify(await ask('page_state', null)).includes('"loading"'));
      await slow;
      await visit('/unreachable').catch(() => undefined);
      expect(await ask('page_state', null)).to.have.nested.property('error.kind', 'load_failed');
      const hanging = visit('/hang').catch(() => undefined);
      await until(async () => JSON.stringify(await ask('page_state', null)).includes('"stalled"'));
      await on.sessions.destroy(call.session);
      await hanging;
    });

    it('sets all cookies or none', async () => {
      const cookie = { domain: 'sim.test', name: 'a', value: '1' };
      expect(await ask('cookies_set', { cookies: [cookie] })).to.equal(null);
      await ask('cookies_set', {
        cookies: [
          { ...cookie, value: '2' },
          { ...cookie, domain: '' },
        ],
      });
      expect(await ask('cookies', null)).to.deep.equal({ cookies: [{ ...cookie, path: '/' }] });
    });

    it('lists no expired cookie', async () => {
      const cookie = { domain: 'sim.test', name: 'a', value: '1', path: '/' };
      await ask('cookies_set', { cookies: [cookie, { ...cookie, name: 'b', expires: Date.now() - 1 }] });
      expect(await ask('cookies', null)).to.deep.equal({ cookies: [cookie] });
    });

    it('chooses a file by its handle, and stores downloads', async () => {
      const account = toId('account', randomUUID());
      const file = { ...call, account, name: 'a.txt', mime: 'text/plain', size: 2 };
      const put = await on.fleet.putFile(file, Readable.from([Buffer.from('ok')]));
      await visit('/form');
      const handle = put.status === 'ok' ? put.result.id : '';
      const action = { kind: 'upload' as const, selector: '#file', handle };
      const { summary } = await on.operate(call.session, 'interact', { action });
      expect(summary).to.equal('Chose 1 files.');
      await visit('/report.csv');
      const entry = { name: 'report.csv', mime: 'text/csv', size: 24 };
      expect(await ask('downloads', null)).to.deep.equal({ files: [entry] });
      const answer = await on.fleet.download(call, 'report.csv');
      const content = answer.status === 'ok' ? await text(answer.result.content) : answer.reason;
      expect(content).to.equal('fruit,price\napple,19.90\n');
    });

    it('is observed, and refs of the observation are valid until the page is replaced', async () => {
      await visit('/');
      const seen = (await ask('observe', null)) as Observation;
      expect(seen).to.include({ url: 'http://sim.test/', title: 'Simulated home' });
      expect(seen.headings).to.deep.equal(['Welcome']);
      expect(seen.elements.map(({ role, name }) => `${role} ${name}`)).to.deep.equal([
        'link Form',
        'link Sign in',
      ]);
      const tap = { kind: 'tap', ref: seen.elements[0]?.ref ?? '' } as const;
      for (const target of [{ ref: tap.ref }, { text: 'Form' }, { selector: 'a' }])
        expect(await ask('meet', target)).to.deep.equal({ selector: '#to-form', text: 'Form', role: 'link' });
      expect(await ask('meet', { text: 'Nowhere' })).to.equal('No element matches the target.');
      await on.operate(call.session, 'interact', { action: tap });
      expect(await ask('page_state', null)).to.include({ url: 'http://sim.test/form' });
      const again = on.operate(call.session, 'interact', { action: tap });
      expect(await again.catch(String)).to.include('Observe it again.');
    });

    it('returns the values of fields, except passwords and text that was typed as sensitive', async () => {
      const type = (selector: string, text: string, sensitive: boolean) =>
        on.operate(call.session, 'interact', { action: { kind: 'type', selector, text, sensitive } });
      const values = async () =>
        ((await ask('observe', null)) as Observation).elements.map(({ value }) => value);
      await visit('/login');
      await type('#username', 'ada', false);
      await type('#password', 'hush', false);
      expect(await values()).to.deep.equal(['ada', undefined, undefined]);
      await type('#username', 'canary', true);
      expect(await values()).to.deep.equal([undefined, undefined, undefined]);
    });

    it('acts on neither of two equally matching elements in strict mode', async () => {
      await visit('/');
      const action = { kind: 'tap', selector: '.price' } as const;
      await on.operate(call.session, 'interact', { action });
      const strict = on.operate(call.session, 'interact', { action, strict: true });
      expect(await strict.catch(String)).to.equal(
        'Error: The target matches .price li and .price li equally. Name one of them by its ref, or be more specific.',
      );
    });

    it('shows pages the position of the phone', async () => {
      const where = async (session: SessionId) => {
        await on.operate(session, 'navigate', { url: 'http://sim.test/where' });
        const schema = { properties: { at: { 'x-selector': '#where' } } };
        return (await on.operate(session, 'extract', { schema })).data;
      };
      const located = await on.create({ geolocation: { latitude: 1.5, longitude: 2 } });
      expect(await where(located)).to.deep.equal({ at: '1.5, 2' });
      expect(await where(call.session)).to.deep.equal({ at: 'nowhere' });
    });
  });
});
