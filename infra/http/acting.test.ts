import { expect } from 'chai';
import { pino } from 'pino';
import { toId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { bucketSizes } from '../../contracts/rate-buckets.ts';
import { createRateLimits } from '../rate-limits/index.ts';
import { errorsBase, owner as caller, startApi, stranger } from './testing.ts';
import type { FindTeamCaller } from './acting.ts';
import type { Answer } from './testing.ts';
import type { Identity, RateVerdict } from './index.ts';

const ofDigit = (digit: string) =>
  toId('account', '11111111-1111-4111-8111-111111111111'.replaceAll('1', digit));
const [modest, lavish, suspended, member] = [ofDigit('3'), ofDigit('4'), ofDigit('5'), ofDigit('6')];
const id = 'whk_33333333-3333-4333-8333-333333333333';
const bucket = 'default:write';
const target = `DELETE /v1/webhooks/${id}`;

/** It needs a fresh second factor. */
const confirmed = `POST /v1/webhooks/${id}/rotate-secret`;
const roomy: RateVerdict = { limit: 60, remaining: 59, resetSeconds: 1 };

/** The caller is an admin on the teams of three owners, of these tiers, and a member on that of a fourth. */
const findTeamCaller: FindTeamCaller<Identity> = (identity, owner) => {
  if (owner === stranger) return Promise.resolve(undefined);
  const tier = owner === lavish ? 'enterprise' : 'free';
  const isOwnerSuspended = owner === suspended;
  return Promise.resolve({
    caller: { ...identity, accountId: owner, tier },
    role: owner === member ? 'member' : 'admin',
    isOwnerSuspended,
  });
};

const outcome = ({ status, json }: Answer) =>
  status < 400 ? status : String(json.type).replace(`${errorsBase}/`, '');
const remaining = ({ headers }: Answer) => Number(/r=(\d+)/.exec(headers.ratelimit ?? '')?.[1]);

describe('rate limits of a team member who acts on an owner’s account', () => {
  let api: Awaited<ReturnType<typeof startApi<'write'>>>;
  beforeEach(async () => {
    const limits = createRateLimits({ logger: pino({ level: 'silent' }), now: () => 0 });
    api = await startApi('write', { findTeamCaller, limit: (payer, from) => limits.consume(payer, from) });
  });
  const watchedApis: (typeof api)[] = [];
  afterEach(() => Promise.all([api, ...watchedApis.splice(0)].map(({ close }) => close())));

  const act = (owner: string) => api.call(target, { headers: { 'X-Service-Account': owner } });
  const own = () => api.call(target);
  const times = async (count: number, ask: () => Promise<Answer>): Promise<Answer[]> => {
    const answers = [];
    for (let n = 0; n < count; n += 1) answers.push(await ask());
    return answers;
  };
  const { burst: callers } = bucketSizes[caller.tier][bucket];
  const { burst: modestOwners } = bucketSizes.free[bucket];

  it('count against the caller, as the fields show, and then against the owner', async () => {
    const first = await act(lavish);
    expect(first.headers['ratelimit-policy']).to.equal(`"${bucket}";q=${callers}`);
    expect(remaining(first)).to.equal(callers - 1);
    const rest = await times(callers - 1, () => act(lavish));
    expect(rest.map(({ status }) => status)).to.deep.equal(rest.map(() => first.status));
    const refused = await act(lavish);
    expect([outcome(refused), remaining(refused)]).to.deep.equal(['rate-limited', 0]);
    expect(outcome(await act(modest))).to.equal('rate-limited');
  });

  it('reveal only the time to wait about an owner whose bucket is empty, and refund nothing', async () => {
    await times(modestOwners, () => act(modest));
    const refused = await act(modest);
    expect(outcome(refused)).to.equal('rate-limited');
    expect(refused.headers['retry-after']).to.equal(String(refused.json.retry_after_seconds));
    expect(refused.headers).not.to.have.any.keys('ratelimit', 'ratelimit-policy');
    expect(refused.text).not.to.contain(bucket);
    expect(remaining(await own())).to.equal(callers - modestOwners - 2);
  });

  /** An API that records who pays for each request, and whose team is looked up. */
  const watch = async (options: {
    readonly verdicts?: readonly RateVerdict[];
    readonly isStale?: boolean;
  }) => {
    const payers: string[] = [];
    const lookedUp: string[] = [];
    const verdicts = options.verdicts?.values();
    const watched = await startApi('write', {
      findTeamCaller: (identity, owner, ...asked) => {
        lookedUp.push(owner);
        return findTeamCaller(identity, owner, ...asked);
      },
      confirmation: async () => {
        lookedUp.push('second factor');
        return options.isStale ? 'stale' : 'fresh';
      },
      limit: async (payer) => {
        const verdict = verdicts === undefined ? roomy : verdicts.next().value;
        if (verdict === undefined) throw refuse('rate-limited', undefined, { retry_after_seconds: 1 });
        payers.push(payer.accountId);
        return verdict;
      },
    });
    watchedApis.push(watched);
    const ask = (account: string, at = target) =>
      watched.call(at, { headers: { 'X-Service-Account': account }, body: {} });
    return { payers, lookedUp, ask };
  };

  it('do not count against the owner if the request is refused because of its header', async () => {
    const { payers, ask } = await watch({});
    expect(outcome(await ask(stranger))).to.equal('not-found');
    expect(outcome(await ask('acc_malformed'))).to.equal('validation-failed');
    expect(outcome(await ask(caller.accountId))).to.equal(204);
    expect(outcome(await ask(suspended))).to.equal('forbidden');
    expect(payers).to.deep.equal(payers.map(() => caller.accountId));
    expect(payers).to.have.length(4);
    expect(outcome(await ask(modest))).to.equal(204);
    expect(payers.slice(4)).to.deep.equal([caller.accountId, modest]);
  });

  it('count a member who is refused for its role, or for a second factor that is not fresh', async () => {
    const { payers, ask } = await watch({ isStale: true });
    const refused = await ask(member);
    expect([outcome(refused), remaining(refused)]).to.deep.equal(['forbidden', roomy.remaining]);
    expect(payers).to.deep.equal([caller.accountId]);
    expect(outcome(await ask(caller.accountId, confirmed))).to.equal('mfa-step-up-required');
    expect(payers).to.deep.equal([caller.accountId, caller.accountId]);
  });

  it('refuse a caller whose bucket is empty before its team or its second factor is looked up', async () => {
    const { lookedUp, ask } = await watch({ verdicts: [roomy] });
    expect(outcome(await ask(suspended))).to.equal('forbidden');
    expect(lookedUp.splice(0)).to.deep.equal([suspended]);
    for (const owner of [stranger, suspended, member, modest])
      expect(outcome(await ask(owner)), owner).to.equal('rate-limited');
    expect(outcome(await ask(caller.accountId, confirmed))).to.equal('rate-limited');
    expect(lookedUp).to.deep.equal([]);
  });
});
