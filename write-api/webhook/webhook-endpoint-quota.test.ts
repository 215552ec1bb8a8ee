import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, uuidOf, type WebhookId } from '../../contracts/ids.ts';
import { accountWebhooks } from '../../domain/account-webhooks.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import type { Answer } from '../../infra/http/testing.ts';
import { fixedClock, startWriteSide, type WriteSide } from '../testing.ts';

const slug = ({ json }: { json: Record<string, unknown> }) => String(json.type).split('/').at(-1);

describe('the quota of an account’s webhooks', () => {
  const clock = fixedClock();
  let side: WriteSide;
  before(async () => {
    side = await startWriteSide({ clock, storeDeadlineMs: 30_000 });
  });
  after(() => side.close());

  const body = { url: 'https://receiver.example/hooks', events: ['session.completed'] };
  const create = (token: string) => side.call('POST /v1/webhooks', { token, body });
  const now = () => clock.now().toISOString();
  const context = () => side.staff.context();

  it('is at most twenty an account, exactly, however many are asked for at once', async () => {
    const { token, accountId } = await side.staff.account('team');
    const other = await side.serve();
    /** Sends the request, and again if it conflicted with another process. */
    const insist = async ({ call }: Pick<WriteSide, 'call'>): Promise<Answer> => {
      const answer = await call('POST /v1/webhooks', { token, body });
      return slug(answer) === 'conflict' ? insist({ call }) : answer;
    };
    const processes = Array.from({ length: 30 }, (_each, index) => (index % 2 === 0 ? side : other));
    const answers = await Promise.all(processes.map(insist));
    await other.close();
    const made = answers.filter(({ status }) => status === 201);
    expect(made).to.have.length(20);
    expect(new Set(answers.filter(({ status }) => status !== 201).map(slug))).to.deep.equal(
      new Set(['tier-limit']),
    );
    const { state } = await side.staff.runner.load(accountWebhooks, uuidOf(accountId));
    expect(state.reservations.map(({ id }) => id)).to.have.members(made.map(({ json }) => json.id));

    const [first, second] = made.map(({ json }) => json.id as WebhookId);
    if (first === undefined || second === undefined) throw new Error('none was made');
    expect((await side.call(`DELETE /v1/webhooks/${first}`, { token })).status).to.equal(204);
    expect((await create(token)).status).to.equal(201);
    expect(slug(await create(token))).to.equal('tier-limit');
    // As left by a process killed between an endpoint's end and its release.
    await side.staff.runner.run(
      webhookEndpoint,
      uuidOf(second),
      { type: 'DeleteWebhook', at: now() },
      context(),
    );
    expect((await create(token)).status).to.equal(201);
    expect(slug(await create(token))).to.equal('tier-limit');
  });

  it('is not lost to a request that died before its endpoint was there', async () => {
    const { token, accountId } = await side.staff.account('team');
    for (let n = 0; n < 20; n += 1) {
      const id = toId('webhook', randomUUID());
      const reserve = { type: 'Reserve', accountId, id, name: null, limit: 20, at: now() } as const;
      await side.staff.runner.run(accountWebhooks, uuidOf(accountId), reserve, context());
    }
    clock.advance(59_999);
    expect(slug(await create(token))).to.equal('tier-limit');
    clock.advance(1);
    expect((await create(token)).status).to.equal(201);
  });
});
