import { expect } from 'chai';
import type { BundledSpendEvent } from '../../contracts/events/bundled-llm.ts';
import { ModelNotServed, ProviderKeyRefused, ProviderUnavailable } from '../../infra/model/port.ts';
import { outcomeOf } from '../../infra/verification/security/whole-service.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { ScriptedModel, startAgents, used, type Agents } from '../testing/agents.ts';

const own = { 'x-byok-llm-api-key': 'sk-ant-own-canary' };

describe('a message to an agent that the bundled model reads', () => {
  const model = new ScriptedModel();
  let agents: Agents;
  before(async () => {
    const turnSettings = { controlCheckMs: 20, lastWordsMs: 50 };
    agents = await startAgents({ model, turnSettings, config: { LLM_API_KEY: 'sk-ant-bundled' } });
  });
  after(() => agents.close());

  it('needs consent', async () => {
    const answer = await agents.message(await agents.open(), 'do it');
    expect([answer.status, outcomeOf(answer)]).to.deep.equal([402, 'bundled-llm-consent-required']);
  });

  it('takes the stored key where none is sent, and never the bundled one in its place', async () => {
    const opened = await agents.open();
    await agents.side.call('PUT /v1/account/me/byok-llm-key', {
      token: opened.token,
      body: { api_key: 'sk-ant-stored-0123456789' },
    });
    await consent(opened.token);
    model.plans({ decision: 'answer', answer: 'Yes.' });
    expect((await agents.message(opened, 'are you there?')).status).to.equal(200);
    expect(model.asked.at(-1)?.apiKey).to.equal('sk-ant-stored-0123456789');
    model.fails(new ProviderKeyRefused('no'));
    expect((await agents.message(opened, 'are you there?')).status).to.equal(502);
    expect(await spent(opened.accountId)).to.equal(0);
    model.plans({ decision: 'answer', answer: 'Yes.' });
    await agents.message(opened, 'are you there?', own);
    expect(model.asked.at(-1)?.apiKey).to.equal('sk-ant-own-canary');
  });

  it('costs ten cents, whatever the provider charges', async () => {
    const opened = await consenting();
    model.plans({ decision: 'answer', answer: 'Yes.' });
    const answer = await agents.message(opened, 'are you there?');
    expect(answer.json.usage).to.deep.include({ decomposer_kind: 'bundled', cost_usd_cents: 10 });
    expect(model.asked.at(-1)?.apiKey).to.equal('sk-ant-bundled');
    expect(await spent(opened.accountId)).to.equal(10);
  });

  it('costs as much where it fails and the provider has reported use', async () => {
    const opened = await consenting();
    model.fails(new ProviderUnavailable('down', 1, used));
    expect((await agents.message(opened, 'are you there?')).status).to.equal(503);
    expect(await spent(opened.accountId)).to.equal(10);
  });

  const unused: readonly (readonly [where: string, error: Error, status: number])[] = [
    ['the provider is down', new ProviderUnavailable('down', 1), 503],
    ['the provider refuses the key', new ProviderKeyRefused('no'), 502],
    ['the provider does not offer the model', new ModelNotServed('no', 5), 503],
    ['a store is away', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }), 503],
  ];
  for (const [where, error, expected] of unused)
    it(`costs nothing where ${where}`, async () => {
      const opened = await consenting();
      model.fails(error);
      const { status } = await agents.message(opened, 'are you there?');
      expect([status, await spendingOf(opened.accountId)]).to.deep.equal([expected, reservedAndReturned]);
    });

  it('costs nothing where control changes before the model has answered', async () => {
    const opened = await consenting();
    model.plans(() => new Promise(() => undefined));
    const answer = agents.message(opened, 'think about it');
    await until(async () => (await spent(opened.accountId)) === 10);
    await agents.shut(opened.id);
    expect((await answer).status).to.equal(409);
    expect(await spendingOf(opened.accountId)).to.deep.equal(reservedAndReturned);
  });

  it('costs nothing where its steps, by rules, are not carried out before a model fills in a result', async () => {
    const account = await agents.side.staff.account('personal');
    await agents.side.call('POST /v1/sessions', { token: account.token, body: {} });
    const opened = await consenting(account);
    const more = { result_schema: { type: 'object' } };
    const answer = await agents.message(opened, 'go to http://sim.test/', {}, more);
    expect([answer.status, outcomeOf(answer)]).to.deep.equal([429, 'concurrency-limit']);
    expect(await spendingOf(opened.accountId)).to.deep.equal(reservedAndReturned);
  });

  it('is answered by exactly as many turns at the same time as the cap has room for', async () => {
    const account = await agents.side.staff.account('enterprise');
    await consent(account.token, { bundled_llm_monthly_cap_usd_cents: 50 });
    const sessions = await Promise.all(Array.from({ length: 10 }, () => agents.open({ account })));
    for (let turn = 0; turn < 5; turn += 1) model.plans({ decision: 'answer', answer: 'Yes.' });
    const answers = await Promise.all(sessions.map((opened) => agents.message(opened, 'are you there?')));
    const refused = answers.filter(({ status }) => status === 402);
    expect(answers.filter(({ status }) => status === 200)).to.have.length(5);
    expect(refused).to.have.length(5);
    for (const { json } of refused) expect(json).to.deep.include({ spent_cents: 50, cap_cents: 50 });
    expect(await spent(account.accountId)).to.equal(50);
  });

  const consent = (token: string, more: object = {}) =>
    agents.side.call('PATCH /v1/account/me/bundled-llm-settings', {
      token,
      body: { bundled_llm_consent: true, ...more },
    });

  /** An agent session of an account that has consented. */
  async function consenting(account?: Awaited<ReturnType<Agents['side']['staff']['account']>>) {
    const opened = await agents.open({ ...(account && { account }) });
    await consent(opened.token);
    return opened;
  }

  /** The account's total spending on turns, after each change. */
  async function spendingOf(accountId: string): Promise<readonly number[]> {
    return (await agents.side.allEvents())
      .filter(({ category }) => category === 'bundled_spend')
      .map(({ data }) => data as BundledSpendEvent['data'])
      .filter((data) => data.accountId === accountId)
      .map(({ totalCents }) => totalCents);
  }
  const reservedAndReturned = [10, 0];

  const spent = async (accountId: string): Promise<number> => (await spendingOf(accountId)).at(-1) ?? 0;
});
