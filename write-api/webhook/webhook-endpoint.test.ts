import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { dayMs } from '../../contracts/durations.ts';
import { toId, uuidOf, type WebhookId } from '../../contracts/ids.ts';
import { problems } from '../../contracts/problems.ts';
import { fixedClock, startWriteSide, type WriteSide } from '../testing.ts';

const slug = ({ json }: { json: Record<string, unknown> }) => String(json.type).split('/').at(-1);

describe('webhook endpoints over HTTP', () => {
  const clock = fixedClock();
  const lookUps: string[] = [];
  let side: WriteSide;
  before(async () => {
    side = await startWriteSide({
      clock,
      lookup: async (name) => {
        lookUps.push(name);
        if (name.startsWith('gone.')) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
        return name.startsWith('inside.') ? ['93.184.215.14', '10.0.0.1'] : ['93.184.215.14'];
      },
    });
  });
  after(() => side.close());

  const url = 'https://receiver.example/hooks';
  const events = ['session.completed'];
  const create = (token: string, body: object = {}) =>
    side.call('POST /v1/webhooks', { token, body: { url, events, ...body } });
  const registered = async (token: string, body: object = {}) => {
    const { status, json, text } = await create(token, body);
    expect(status, text).to.equal(201);
    return { id: String(json.id) as WebhookId, secret: String(json.secret) };
  };
  const patch = (token: string, id: string, body: object) =>
    side.call(`PATCH /v1/webhooks/${id}`, { token, body });
  const remove = (token: string, id: string) => side.call(`DELETE /v1/webhooks/${id}`, { token });
  const rotate = (token: string, id: string) => side.call(`POST /v1/webhooks/${id}/rotate-secret`, { token });
  const stream = (id: WebhookId) => side.events(`webhook_endpoint-${uuidOf(id)}`);
  const typesOf = async (id: WebhookId) => (await stream(id)).map(({ type }) => type);
  const now = () => clock.now().toISOString();

  it('are registered with a secret that is shown once and kept sealed', async () => {
    const { token, accountId } = await side.staff.account('team');
    const { status, json, headers } = await create(token, { description: 'orders' });
    expect(status).to.equal(201);
    expect(headers['x-service-position']).to.match(/^\d+\/\d+$/);
    expect(json.secret).to.match(/^whsec_[\w-]{43}$/);
    expect(json).to.deep.include({
      url,
      events,
      description: 'orders',
      consecutive_failures: 0,
      disabled_at: null,
      created_at: now(),
      updated_at: now(),
      secret_created_at: now(),
      previous_secret_expires_at: null,
    });
    const [made] = await stream(json.id as WebhookId);
    const { secretId, sealed, remindAt } = (made?.data as { secret: Record<string, string> }).secret;
    expect(await side.vault.open(accountId, `webhook-secret ${secretId}`, String(sealed))).to.deep.equal({
      text: json.secret,
    });
    expect(Date.parse(String(remindAt))).to.equal(clock.now().getTime() + 60 * dayMs);
  });

  it('take the subscribable events of the contract and no others', async () => {
    const { token } = await side.staff.account('team');
    for (const wrong of [
      [],
      ['test.ping'],
      ['*'],
      ['session.created'],
      ['session.failed', 'session.failed'],
      'all',
    ]) {
      const answer = await create(token, { events: wrong });
      expect([answer.status, slug(answer)], JSON.stringify(wrong)).to.deep.equal([400, 'validation-failed']);
      expect(answer.text).to.contain('/body/events');
    }
    await registered(token, { events: ['crypto.order.paid', 'session.profile_save_failed'] });
  });

  it('take public https addresses, and say what is wrong with any other', async () => {
    const { token } = await side.staff.account('team');
    const refusals: [string, string][] = [
      ['http://receiver.example/', 'https only'],
      ['https://receiver.example:8443/', 'port 443'],
      ['https://user@receiver.example/', 'user name or password'],
      ['receiver.example', 'absolute'],
      ['https://169.254.169.254/', 'not public'],
      ['https://inside.example/', 'not public'],
      ['https://gone.example/', 'does not resolve'],
    ];
    for (const [wrong, reason] of refusals) {
      const answer = await create(token, { url: wrong });
      expect([answer.status, slug(answer)], wrong).to.deep.equal([400, 'validation-failed']);
      expect(answer.json.errors, wrong).to.have.nested.property('[0].path', '/body/url');
      expect(answer.json.detail, wrong).to.contain(reason);
      expect(answer.text, wrong).not.to.contain('10.0.0.1');
    }
  });

  it('change what they subscribe to, and nothing else', async () => {
    const { token } = await side.staff.account('team');
    const { id } = await registered(token, { description: 'before' });
    clock.advance(1000);
    const subscribed = await patch(token, id, { events: ['session.failed', 'api_key.revoked'] });
    expect(subscribed.json).to.deep.include({
      events: ['session.failed', 'api_key.revoked'],
      description: 'before',
      updated_at: now(),
    });
    expect(subscribed.json).not.to.have.property('secret');
    const cleared = await patch(token, id, { description: null });
    expect(cleared.json.events).to.deep.equal(['session.failed', 'api_key.revoked']);
    expect(cleared.json).not.to.have.property('description');
    clock.advance(1000);
    const moved = await patch(token, id, { url: 'https://other.example/', secret: 'mine' });
    expect(moved.status).to.equal(200);
    expect(moved.headers['x-service-unknown-fields']).to.equal('url,secret');
    expect(moved.json).to.deep.equal(cleared.json);
    expect((await patch(token, id, {})).json).to.deep.equal(cleared.json);
    expect(await typesOf(id)).to.deep.equal(['WebhookRegistered', 'WebhookChanged', 'WebhookChanged']);
    expect(slug(await patch(token, id, { events: [] }))).to.equal('validation-failed');
  });

  it('are deleted once, however often their owner asks, and as unknown as none from then on', async () => {
    const { token, accountId } = await side.staff.account('team');
    const { id } = await registered(token);
    const ends = await Promise.all([remove(token, id), remove(token, id)]);
    expect(ends.map(({ status, text }) => [status, text])).to.deep.equal([
      [204, ''],
      [204, ''],
    ]);
    expect((await remove(token, id)).status).to.equal(204);
    const places = (await side.events(`account_webhooks-${uuidOf(accountId)}`)).map(({ type }) => type);
    expect(places).to.deep.equal(['WebhookAdmitted', 'WebhookDismissed']);
    expect((await typesOf(id)).filter((type) => type === 'WebhookDeleted')).to.have.length(1);
    const stranger = await side.staff.account('team');
    const answers = await Promise.all([
      remove(stranger.token, id),
      patch(token, id, { description: 'x' }),
      rotate(token, id),
      side.call(`POST /v1/webhooks/${id}/test`, { token }),
      side.call(`POST /v1/webhooks/${id}/replay`, { token, body: { since: '2026-01-01T00:00:00Z' } }),
    ]);
    for (const { status, json } of answers)
      expect([status, json.detail]).to.deep.equal([404, problems['not-found'].detail]);
  });

  it('rotate their secret, and again not before the old one’s grace has ended', async () => {
    const { token } = await side.staff.account('team');
    const { id, secret } = await registered(token);
    const graceEndsAt = new Date(clock.now().getTime() + dayMs).toISOString();
    const { status, json } = await rotate(token, id);
    expect(status).to.equal(200);
    expect(json.secret)
      .to.match(/^whsec_[\w-]{43}$/)
      .and.not.to.equal(secret);
    expect(json.previous_secret_expires_at).to.equal(graceEndsAt);
    expect((await patch(token, id, {})).json.previous_secret_expires_at).to.equal(graceEndsAt);
    clock.advance(dayMs - 1);
    const early = await rotate(token, id);
    expect([early.status, slug(early)]).to.deep.equal([409, 'conflict']);
    expect(early.text).to.contain(graceEndsAt);
    clock.advance(1);
    expect((await patch(token, id, {})).json.previous_secret_expires_at).to.equal(null);
    expect((await rotate(token, id)).status).to.equal(200);
  });

  it('of another account are as unknown as none, before their body is looked at', async () => {
    const [mine, theirs] = [await side.staff.account('team'), await side.staff.account('team')];
    const { id } = await registered(theirs.token);
    const calls = [id, toId('webhook', randomUUID()), theirs.apiKeyId, 'nonsense'].flatMap(
      (each): [string, object?][] => [
        [`PATCH /v1/webhooks/${each}`, { events: 7 }],
        [`DELETE /v1/webhooks/${each}`],
        [`POST /v1/webhooks/${each}/rotate-secret`],
        [`POST /v1/webhooks/${each}/test`],
        [`POST /v1/webhooks/${each}/replay`, { since: 7 }],
      ],
    );
    for (const [target, body] of calls) {
      const answer = await side.call(target, { token: mine.token, ...(body && { body }) });
      expect([answer.status, answer.json.detail], target).to.deep.equal([404, problems['not-found'].detail]);
    }
    expect(await typesOf(id)).to.deep.equal(['WebhookRegistered']);
  });

  it('look at the body before the cap, and look nothing up for a body that is refused', async () => {
    const { token } = await side.staff.account('team');
    await Promise.all(Array.from({ length: 20 }, () => registered(token)));
    lookUps.length = 0;
    expect(slug(await create(token, { url: 'https://unasked.example/', events: ['nothing'] }))).to.equal(
      'validation-failed',
    );
    expect(lookUps).to.deep.equal([]);
    expect(slug(await create(token, { url: 'https://gone.example/' }))).to.equal('validation-failed');
    expect(slug(await create(token))).to.equal('tier-limit');
  });

  it('leave neither a secret nor what their owner wrote in the log, nor in any file of the store', async () => {
    const { token } = await side.staff.account('team');
    const { id, secret } = await registered(token, { description: 'a canary beside it' });
    const rotated = String((await rotate(token, id)).json.secret);
    const files = readdirSync(side.storeFiles(), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
    expect(files.some((text) => text.includes(id))).to.equal(true);
    for (const text of files)
      for (const each of [
        'a canary beside it',
        secret,
        rotated,
        Buffer.from(secret).toString('base64').slice(4, 48),
      ])
        expect(text.includes(each)).to.equal(false);
  });
});
