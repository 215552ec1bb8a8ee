import { createServer } from 'node:http';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import {
  Conflict,
  Service,
  SessionDestroyed,
  type IndexedEntry,
  type TurnStep,
  type WebhookEnvelope,
} from 'service/client';
import type { DemoServer } from '../../main/demo/loopback.ts';
import { freePort } from '../../platform/free-port.ts';
import { useWalkStack } from '../stack/walk-stack.ts';
import { answersIn, firstMissing } from '../stack/walkthrough.ts';
import { until, type TestStack } from '../testbed/index.ts';
import { checkout, installed, run } from './packed.ts';

const tsx = import.meta.resolve('tsx');
const examples = readFileSync(join(checkout, 'docs/client-examples.md'), 'utf8');
const programs = [...examples.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]+?)^```$/gm)];

describe('the walkthroughs with the client, on real WebKit', function () {
  this.timeout(240_000);
  const walk = useWalkStack();
  let site: DemoServer;
  let stack: TestStack;
  let key: string;
  let service: Service;

  beforeEach(async () => {
    ({ site, stack } = walk());
    key = (await stack.account('api_scale')).api_key;
    service = new Service({ baseUrl: stack.baseUrl, apiKey: key });
  });

  it('a first session', async () => {
    const session = await service.sessions.create({ label: 'first' });
    expect((await session.navigate(`${site.url}/`)).final_url).to.equal(`${site.url}/`);
    const { data } = await session.extract({
      type: 'object',
      properties: { heading: { type: 'string', 'x-selector': 'h1' } },
      required: ['heading'],
    });
    expect(data.heading).to.equal('Who is there?');
    const { data: picture, encoding } = await session.capture('screenshot');
    expect(Buffer.from(picture, encoding).subarray(1, 4).toString()).to.equal('PNG');
    expect((await session.state()).url).to.equal(`${site.url}/`);
    await session.end();
    const actions: string[] = [];
    for await (const { action } of service.auditLog.list({ limit: 3 })) actions.push(action);
    expect(actions).to.include('session.destroyed');
  });

  it('a browser', async () => {
    expect((await service.archetypes.list()).default).to.match(/^iphone-/);
    const options = { idempotencyKey: 'walk' };
    const session = await service.sessions.create({ label: 'walk', metadata: { reason: 'readme' } }, options);
    const again = await service.sessions
      .create({ label: 'walk', metadata: { reason: 'readme' } }, options)
      .withResponse();
    expect([again.data.id, again.replayed]).to.deep.equal([session.id, true]);

    await session.navigate(`${site.url}/`, { wait_until: 'load' });
    await session.type({ selector: '#name', text: 'Ada' });
    await session.tap({ role: 'button', name: 'Greet' });
    expect(await session.wait({ kind: 'text', text: 'Hello, Ada!' }, { timeout_ms: 5000 })).to.include({
      matched: true,
    });
    expect((await session.state()).local_storage).to.deep.equal({ greeted: 'Ada' });
    expect((await session.capture('dom_snapshot')).data).to.contain('Hello, Ada!');
    expect(
      Buffer.from((await session.capture('pdf')).data, 'base64')
        .subarray(0, 4)
        .toString(),
    ).to.equal('%PDF');

    await session.navigate(`${site.url}/shop`);
    const { data } = await session.extract({
      type: 'array',
      'x-selector': '.item',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', 'x-selector': '.name' },
          price: { type: 'number', 'x-selector': '.price' },
        },
      },
    });
    expect(data).to.deep.equal([
      { name: 'Apple', price: 1.2 },
      { name: 'Pear', price: 0.9 },
    ]);
    expect((await session.search('fruit', { limit: 2 })).results.map(({ title }) => title)).to.deep.equal([
      'Apples',
      'Pears',
    ]);
    const fields = { username: 'ada', password: 'correct horse' };
    const success = { kind: 'url', pattern: '**/account' } as const;
    expect((await session.login({ url: `${site.url}/login`, fields, success })).status).to.equal(
      'authenticated',
    );

    await session.end();
    await session.end();
    expect((await session.refresh()).status).to.equal('destroyed');
    const refusal: unknown = await session.navigate(site.url).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(SessionDestroyed);
    expect(await service.auditLog.export({ format: 'csv' })).to.contain('session.destroyed');
    expect(await service.usage.get()).to.be.an('object');
    expect(await service.usage.series({ metric: 'sessions.minutes', bucket: 'hour' })).to.be.an('object');
    expect(await service.account.rateLimits()).to.be.an('object');
  });

  it('a receiver of webhooks', async () => {
    const first = await service.sessions.create();
    await first.end();
    const port = await freePort();
    const endpoint = await service.webhooks.create({
      url: `http://127.0.0.1:${port}/`,
      events: ['session.completed', 'api_key.revoked'],
    });
    const received: WebhookEnvelope[] = [];
    const secrets = [endpoint.secret];
    const receiver = createServer((request, response) => {
      void buffer(request).then((body) => {
        const signature = request.headers['x-service-signature'];
        received.push(service.webhooks.verify({ body, signature, secret: secrets }));
        response.writeHead(204).end();
      });
    }).listen(port, '127.0.0.1');
    const arrived = (id: string) =>
      until(() => received.find((event) => event.id === id), { limitMs: 60_000 });

    await arrived((await service.webhooks.test(endpoint.id)).event_id);
    const last = await service.sessions.create();
    await last.end();
    const isEndOf = (id: string) => (event: WebhookEnvelope) =>
      event.type === 'session.completed' && event.data.session_id === id;
    const event = await until(() => received.find(isEndOf(last.id)), { limitMs: 60_000 });
    secrets.push((await service.webhooks.rotateSecret(endpoint.id)).secret);
    await arrived((await service.webhooks.test(endpoint.id)).event_id);

    const since = new Date(Date.now() - 3_600_000).toISOString();
    const delivery = await until(async () => {
      for await (const each of service.webhooks.deliveries(endpoint.id, { status: 'delivered' }))
        if (each.event_id === event.id) return each;
      return undefined;
    });
    await service.webhookDeliveries.replay(delivery.id);
    expect(await service.webhooks.replay(endpoint.id, { since, dry_run: true })).to.be.an('object');
    await service.webhooks.replay(endpoint.id, { since });
    await until(() => received.find(isEndOf(first.id)), { limitMs: 60_000 });
    const ids: string[] = [];
    for await (const { id } of service.events.list({ limit: 1 })) ids.push(id);
    expect(ids).to.include(event.id);
    await service.webhooks.delete(endpoint.id);
    receiver.close();
    receiver.closeAllConnections();
  });

  it('an agent', async () => {
    const agent = await service.agents.create({ mode: 'ai' });
    const steps: TurnStep[] = [];
    const options = { idempotencyKey: 'greet' };
    const order = `go to ${site.url}/ then type "Ada" into "Name" then tap "Greet"`;
    for await (const step of agent.send(order, options)) steps.push(step);
    expect(steps.filter(({ kind }) => kind === 'intent')).to.have.length(3);
    expect(await agent.send(order, options)).to.include({ kind: 'plan-executed', ok: true });
    expect((await agent.pageState()).page_state?.url).to.equal(`${site.url}/`);
    expect((await agent.cookies()).status).to.equal('ok');

    const picture = await agent.send('take a screenshot');
    const [result] = picture.kind === 'plan-executed' ? picture.results : [];
    const captured = result?.kind === 'success' ? (result.captureId ?? '') : '';
    expect((await agent.capture(captured)).encoding).to.equal('base64');
    await agent.send('wait for "Hello, Ada!"');

    expect(await agent.recipeSuggestion()).to.have.nested.property('suggestion.parameters');
    const recipe = await service.recipes.create({ agent_session_id: agent.id, name: 'Greet a visitor' });
    const greeted = await agent.send('Greet Grace.', { recipe_id: recipe.id, parameters: { name: 'Grace' } });
    expect(greeted).to.include({ ok: true });
    await service.recipes.delete(recipe.id);

    await agent.setMode('pair');
    expect((await agent.takeover({ client_id: 'ada' })).pair_mode_state.kind).to.equal('takeover-pending');
    const refused: unknown = await agent.send('tap "Greet"').then(undefined, (error: unknown) => error);
    expect(refused).to.be.instanceOf(Conflict);
    await agent.setMode('manual');
    expect((await agent.send('Seen to it by hand.')).kind).to.equal('logged-manual');
    await agent.end();
    expect(agent.status).to.equal('closed');
    const entries: IndexedEntry[] = [];
    for await (const entry of agent.transcript({ after: 1 })) entries.push(entry);
    expect(entries.map(({ index }) => index)).to.deep.equal(entries.map((_entry, at) => at + 2));
    expect(entries.at(-1)?.entry.body).to.equal('Seen to it by hand.');
  });

  it('a profile, and what it was', async () => {
    const profile = await service.profiles.create({ name: 'shop' });
    const { position } = await service.profiles.get(profile.id).withResponse();
    const session = await service.profiles.launch(profile.id);
    expect((await session.navigate(`${site.url}/account`)).final_url).to.match(/\/login$/);
    await session.login({
      url: `${site.url}/login`,
      fields: { username: 'ada', password: 'correct horse' },
      success: { kind: 'url', pattern: '**/account' },
    });
    await session.end();
    const next = await service.profiles.launch(profile.id);
    expect((await next.navigate(`${site.url}/account`)).final_url).to.match(/\/account$/);
    await next.end();
    await until(async () => (await service.profiles.get(profile.id)).save_state === 'saved', {
      limitMs: 60_000,
    });
    const { data, passphrase } = await service.profiles.export(profile.id);
    const imported = await service.profiles.import({ name: 'imported', data, passphrase });
    expect(imported.id).not.to.equal(profile.id);

    await service.profiles.update(profile.id, { name: 'market' });
    expect((await service.profiles.get(profile.id, { as_of: position })).name).to.equal('shop');
    const [change] = (await firstPage(service.profiles.past(profile.id, { limit: 1 }))).data;
    expect(change).to.include({ action: 'profile.updated' });
  });

  for (const [, name = '', program = ''] of programs)
    it(`the example ${name}`, async () => {
      const { folder } = await installed();
      writeFileSync(join(folder, name), program);
      const hook = `http://127.0.0.1:${await freePort()}/`;
      const env = { BASE: stack.baseUrl, KEY: key, SITE: site.url, HOOK: hook, TRY: name };
      const said = await run(process.execPath, ['--import', tsx, name], folder, env);
      const answers = answersIn(`\`\`\`bash\n${program.replace(/^\/\/ =>/gm, '# =>')}\`\`\``);
      expect(answers).not.to.deep.equal([]);
      expect(firstMissing(answers, said), said).to.equal(undefined);
    });

  it('are five examples', () => {
    expect(programs).to.have.length(5);
  });
});

async function firstPage<T>(list: { byPage(): AsyncIterable<T> }): Promise<T> {
  for await (const page of list.byPage()) return page;
  throw new Error('The list has no page.');
}
