import { expect } from 'chai';
import { buckets } from '../contracts/rate-buckets.ts';
import type { AccountLimits } from '../contracts/resources/account-limits.ts';
import { startWholeService, type WholeService } from '../infra/verification/security/whole-service.ts';

const path = 'GET /v1/account/rate-limits';

interface Limits {
  readonly tier: string;
  readonly buckets: readonly {
    readonly name: string;
    readonly capacity: number;
    readonly refill_per_minute: number;
    readonly remaining: number;
    readonly reset_seconds: number;
  }[];
  readonly quotas: readonly { readonly name: string; readonly limit: number; readonly used: number }[];
}

describe('the limits of an account over HTTP', () => {
  let service: WholeService;
  before(async () => {
    service = await startWholeService({ enforceRates: true });
  });
  after(() => service.close());

  const account = async () => {
    const made = await service.staff.account('team');
    await service.caughtUp();
    return made;
  };
  const limits = async (token: string) => {
    const answer = await service.call(path, { token });
    expect(answer.status, answer.text).to.equal(200);
    return { ...(answer.json as unknown as Limits), headers: answer.headers };
  };
  const quotas = async (token: string) =>
    Object.fromEntries((await limits(token)).quotas.map(({ name, limit, used }) => [name, [used, limit]]));

  it('have every bucket with its size, and only the one of reading them is spent from', async () => {
    const { token } = await account();
    const first = await limits(token);
    expect(first.tier).to.equal('team');
    expect(first.buckets.map(({ name }) => name)).to.deep.equal(buckets);
    const second = await limits(token);
    for (const { name, capacity, remaining, reset_seconds } of second.buckets) {
      if (name === 'default:read') continue;
      expect([remaining, reset_seconds], name).to.deep.equal([capacity, 0]);
    }
    const read = second.buckets.find(({ name }) => name === 'default:read');
    expect(read).to.include({ capacity: 120, refill_per_minute: 900 });
    const [, said] = /r=(\d+)/.exec(second.headers.ratelimit ?? '') ?? [];
    expect(read?.remaining)
      .to.be.within(Number(said), Number(said) + 1)
      .and.to.be.below(120);
  });

  it('have every quota with what is taken of it', async () => {
    const { token } = await account();
    expect(await quotas(token)).to.deep.equal({
      sessions: [0, 3],
      api_keys: [1, 20],
      webhooks: [0, 20],
      proxies: [0, 50],
      profiles: [0, 50],
    });
    const { json } = await service.call('GET /v1/account/rate-limits', { token });
    expect(json.more_quotas).to.deep.equal([
      { name: 'recipes', limit: 500, used: 0 },
      { name: 'invitations', limit: 20, used: 0 },
    ]);
    const create = (target: string, body: object) => service.call(`POST ${target}`, { token, body });
    const session = (await create('/v1/sessions', {})).json;
    const key = (await create('/v1/api-keys', { name: 'second' })).json;
    await create(`/v1/api-keys/${String(key.id)}/rotate`, {});
    const hook = { url: 'https://receiver.example/hooks', events: ['session.completed'] };
    const webhook = (await create('/v1/webhooks', hook)).json;
    const proxy = { label: 'home', scheme: 'http', host: 'proxy.example', port: 8080 };
    const invitation = { email: 'guest@example.com', role: 'member' };
    const invited = (await create('/v1/team/invites', invitation)).json;
    const later = async () => (await service.call('GET /v1/account/rate-limits', { token })).json.more_quotas;
    const open = async () => ((await later()) as AccountLimits['more_quotas'])[1]?.used;
    expect(await open()).to.equal(1);
    await service.call(`DELETE /v1/team/invites/${String(invited.id)}`, { token });
    expect(await open()).to.equal(0);
    const saved = (await create('/v1/account/me/proxies', proxy)).json;
    const profile = (await create('/v1/profiles', { name: 'work' })).json;
    expect(await quotas(token)).to.deep.equal({
      sessions: [1, 3],
      api_keys: [2, 20],
      webhooks: [1, 20],
      proxies: [1, 50],
      profiles: [1, 50],
    });
    for (const target of [
      `sessions/${String(session.id)}`,
      `webhooks/${String(webhook.id)}`,
      `account/me/proxies/${String(saved.id)}`,
      `profiles/${String(profile.id)}`,
    ])
      expect((await service.call(`DELETE /v1/${target}`, { token })).status, target).to.equal(204);
    expect(await quotas(token)).to.deep.equal({
      sessions: [0, 3],
      api_keys: [2, 20],
      webhooks: [0, 20],
      proxies: [0, 50],
      profiles: [0, 50],
    });
  });

  it('follow the tier and overrides at once', async () => {
    const { token, accountId } = await account();
    const { accounts, context } = service.staff;
    // The credential is cached now.
    expect((await service.call(path, { token })).json.tier).to.equal('team');
    await accounts.setTier(accountId, 'agency', context());
    await accounts.overrideConcurrency(accountId, 40, context());
    await accounts.overrideProfileCap(accountId, 300, context());
    await service.caughtUp();
    const { json } = await service.call(path, { token });
    const { tier, buckets: shown } = json as unknown as Limits;
    expect(tier).to.equal('agency');
    expect(shown.find(({ name }) => name === 'default:read')?.capacity).to.equal(200);
    expect(await quotas(token)).to.deep.include({ sessions: [0, 40], profiles: [0, 300] });
  });

  it('are shown to a key that may read', async () => {
    const { accountId } = await account();
    const token = await service.staff.token(accountId, ['write:sessions']);
    await service.caughtUp();
    expect((await service.call(path, { token })).status).to.equal(403);
  });
});
