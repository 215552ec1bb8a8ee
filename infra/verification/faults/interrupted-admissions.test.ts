import { expect } from 'chai';
import { pino } from 'pino';
import type { ApiKey } from '../../../contracts/resources/api-key.ts';
import { connectEventStore, type EventStore, type RecordedEvent } from '../../event-store/client/index.ts';
import type { Answer } from '../../http/testing.ts';
import { startFaultyStack, until, type FaultyStack } from '../testbed/index.ts';
import { newClient, type Client } from './client.ts';
import { createWallClock } from './surroundings.ts';

const inTime = { limitMs: 30_000, everyMs: 20 };
/** How long an admission without its key or endpoint counts against the cap. */
const leaseMs = 60_000;

const slug = ({ json }: Answer): string | undefined => String(json.type).split('/').at(-1);
const countOf = (types: readonly string[], type: string): number =>
  types.filter((each) => each === type).length;

/** Requests with two appends to two streams: the cap's stream first, then that of the resource. */
describe('Between two appends of one request', () => {
  const clock = createWallClock('UTC');
  let stack: FaultyStack;
  let store: EventStore;
  before(async () => {
    const env = {
      LD_PRELOAD: clock.library,
      ...clock.environment,
      RATE_LIMITS: 'off',
      OUTBOUND_ALLOW: '127.0.0.0/8',
    };
    stack = await startFaultyStack({ env, through: [] });
    store = connectEventStore({ url: stack.stores.eventStore.url, logger: pino({ level: 'silent' }) });
  });
  after(() => Promise.all([store.close(), stack.stop()]));

  const eventsIn = async (stream: string): Promise<RecordedEvent[]> => {
    const events: RecordedEvent[] = [];
    for await (const event of store.readStream(stream)) events.push(event);
    return events;
  };
  const typesIn = async (stream: string) => (await eventsIn(stream)).map(({ type }) => type);
  const accountStream = ({ account }: Client) => account.account_id.replace('acc_', 'account-');
  const keyStream = (id: string) => id.replace('key_', 'api_key-');

  /** A request whose first append is stored and not acknowledged. Resolves then; its answer is still to come. */
  async function stall(
    { call }: Client,
    target: string,
    body: object,
    { stream, type }: { readonly stream: string; readonly type: string },
  ): Promise<{ readonly answer: Promise<Answer | 'broken'> }> {
    const before = countOf(await typesIn(stream), type);
    await stack.stores.eventStore.set({ dropAfterCommit: 1 });
    const answer = call(target, body).catch(() => 'broken' as const);
    await until(async () => countOf(await typesIn(stream), type) > before, inTime);
    return { answer };
  }
  async function killDuring(...stalled: Parameters<typeof stall>): Promise<void> {
    const { answer } = await stall(...stalled);
    await stack.kill('write-api');
    const end = await answer;
    expect(end === 'broken' ? 502 : end.status).to.be.oneOf([502, 503]);
  }

  describe('a rotation', () => {
    let client: Client;
    let previous: string;
    const rotate = (id: string) => client.call(`POST /v1/api-keys/${id}/rotate`, {});
    const rotated = () => ({ stream: keyStream(previous), type: 'ApiKeyRotated' });
    const successor = async (): Promise<string> => {
      const event = (await eventsIn(keyStream(previous))).find(({ type }) => type === 'ApiKeyRotated');
      return (event?.data as { successor: { apiKeyId: string } }).successor.apiKeyId;
    };
    const keys = async () => {
      const { json } = await client.call('GET /v1/api-keys');
      return (json.data as readonly ApiKey[]).map(({ id, status }) => [id, status]);
    };
    const expectCompletedOnce = async (id: string): Promise<void> => {
      await until(async () => (await typesIn(accountStream(client))).length === 4, inTime);
      await until(async () => (await keys()).length === 2, inTime);
      expect(await keys()).to.deep.equal([
        [id, 'active'],
        [previous, 'rotated'],
      ]);
      expect(await typesIn(keyStream(id))).to.deep.equal(['ApiKeyCreated']);
      expect(await typesIn(accountStream(client))).to.deep.equal([
        'AccountCreated',
        'ApiKeyAdmitted',
        'ApiKeyDismissed',
        'ApiKeyAdmitted',
      ]);
    };
    const works = async (key: string) =>
      (await client.call('GET /v1/api-keys', undefined, { authorization: `Bearer ${key}` })).status === 200;

    beforeEach(async () => {
      client = await newClient(stack, 'personal');
      previous = client.account.api_key_id;
      stack.pause('processes');
    });
    afterEach(() => {
      stack.resumeAll();
      return stack.ready();
    });

    it('whose process is killed before the successor exists is completed by the role `processes`', async () => {
      await killDuring(client, `POST /v1/api-keys/${previous}/rotate`, {}, rotated());
      const id = await successor();
      expect(await typesIn(keyStream(id))).to.deep.equal([]);
      stack.resume('processes');
      await expectCompletedOnce(id);
    });

    it('that was completed by `processes` is reported so to a retry, and the successor whose text is lost can be rotated', async () => {
      await killDuring(client, `POST /v1/api-keys/${previous}/rotate`, {}, rotated());
      const early = await until(async () => {
        const answer = await rotate(previous);
        return answer.status !== 502 && answer.status !== 503 && answer;
      }, inTime);
      stack.resume('processes');
      const id = await successor();
      await expectCompletedOnce(id);
      for (const answer of [early, await rotate(previous)]) {
        expect([answer.status, slug(answer)], answer.text).to.deep.equal([409, 'conflict']);
        expect(answer.json.detail).to.equal('The key is already rotated.');
      }
      const { status, text, json } = await rotate(id);
      expect(status, text).to.equal(200);
      expect(await works(String(json.key))).to.equal(true);
    });

    it('that a frozen process continues, after `processes` completed it, is done once and answered', async () => {
      const { answer } = await stall(client, `POST /v1/api-keys/${previous}/rotate`, {}, rotated());
      stack.pause('write-api');
      stack.resume('processes');
      const id = await successor();
      await expectCompletedOnce(id);
      stack.resume('write-api');
      const end = await answer;
      if (end === 'broken') throw new Error('The connection broke.');
      expect([end.status, end.json.id], end.text).to.deep.equal([200, id]);
      expect(await works(String(end.json.key))).to.equal(true);
      await expectCompletedOnce(id);
    });
  });

  for (const { what, cap, inUse, route, body, streamOf, admitted, dismissed } of [
    {
      what: 'API key',
      cap: 5,
      inUse: 1,
      route: '/v1/api-keys',
      body: { name: 'one of five' },
      streamOf: accountStream,
      admitted: 'ApiKeyAdmitted',
      dismissed: 'ApiKeyDismissed',
    },
    {
      what: 'webhook endpoint',
      cap: 20,
      inUse: 0,
      route: '/v1/webhooks',
      body: { url: 'https://127.0.0.1/hooks', events: ['session.completed'] },
      streamOf: ({ account }: Client) => account.account_id.replace('acc_', 'account_webhooks-'),
      admitted: 'WebhookAdmitted',
      dismissed: 'WebhookDismissed',
    },
  ])
    it(`an admission killed before its ${what} exists is reclaimed at the cap after its lease, by one of several racing clients`, async () => {
      const client = await newClient(stack, 'personal');
      const stream = streamOf(client);
      const create = () => client.call(`POST ${route}`, body);
      const listed = async () => {
        const { json } = await client.call(`GET ${route}?limit=100`);
        return (json.data as readonly unknown[]).length;
      };
      for (let n = inUse; n < cap - 1; n += 1) expect((await create()).status).to.equal(201);
      await killDuring(client, `POST ${route}`, body, { stream, type: admitted });
      await stack.ready();
      expect(await listed()).to.equal(cap - 1);
      expect(slug(await create())).to.equal('tier-limit');

      clock.set(new Date(clock.now().getTime() + leaseMs));
      const answers = await Promise.all(Array.from({ length: 4 }, create));
      expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
      expect(answers.filter((answer) => slug(answer) === 'tier-limit')).to.have.length(3);
      expect(slug(await create())).to.equal('tier-limit');
      expect(await listed()).to.equal(cap);
      const types = await typesIn(stream);
      expect([countOf(types, admitted), countOf(types, dismissed)]).to.deep.equal([cap + 1, 1]);
    });
});
