import { expect } from 'chai';
import { reserveSpend, returnSpend, setBundledCeiling } from '../../commands/bundled-llm.ts';
import type { LlmKeyFailure } from '../../contracts/events/own-llm-key.ts';
import { systemClock as clock } from '../../infra/platform/clock.ts';
import { outcomeOf } from '../../infra/verification/security/whole-service.ts';
import { startSettings, unstorable, type Settings } from '../testing/settings.ts';

describe('the model-provider settings of an account over HTTP', () => {
  const tried: string[] = [];
  let failure: LlmKeyFailure | null = null;
  const tryKey = async (key: string) => {
    tried.push(key);
    return failure;
  };
  let settings: Settings;
  before(async () => {
    settings = await startSettings({ tryKey });
  });
  after(() => settings.service.close());

  describe('an own model-provider key', () => {
    const path = '/v1/account/me/byok-llm-key';
    const none = { configured: false, provider: null, last4: null, created_at: null, last_test: null };
    const secret = 'sk-ant-api03-canary_0123-wxyz';

    it('is stored sealed and shown by its last four characters only', async () => {
      const { token, accountId } = await settings.account();
      expect(await settings.get(token, path)).to.deep.equal(none);
      const put = await settings.send(token, `PUT ${path}`, { api_key: secret });
      expect(put.status).to.equal(200);
      expect(put.json).to.deep.equal({
        configured: true,
        provider: 'anthropic',
        last4: 'wxyz',
        created_at: put.json.created_at,
        last_test: null,
      });
      expect(await settings.get(token, path)).to.deep.equal(put.json);
      expect(JSON.stringify(await settings.recorded('own_llm_key', accountId))).not.to.contain('canary');
    });

    it('is deleted, as often as one likes', async () => {
      const { token, accountId } = await settings.account();
      expect((await settings.send(token, `DELETE ${path}`)).status).to.equal(204);
      await settings.send(token, `PUT ${path}`, { api_key: secret });
      expect((await settings.send(token, `DELETE ${path}`)).status).to.equal(204);
      expect(await settings.get(token, path)).to.deep.equal(none);
      expect((await settings.send(token, `DELETE ${path}`)).status).to.equal(204);
      const types = (await settings.recorded('own_llm_key', accountId)).map(([type]) => type);
      expect(types).to.deep.equal(['OwnLlmKeyStored', 'OwnLlmKeyRemoved']);
    });

    it('is tried with its provider, and keeps what came of it until it is replaced', async () => {
      const { token } = await settings.account();
      expect(outcomeOf(await settings.send(token, `POST ${path}/test`))).to.equal('not-found');
      await settings.send(token, `PUT ${path}`, { api_key: secret });
      failure = 'timeout';
      const failed = await settings.send(token, `POST ${path}/test`);
      expect(failed.status).to.equal(200);
      expect(failed.json).to.include({ ok: false, error: 'timeout' });
      expect(tried.at(-1)).to.equal(secret);
      expect((await settings.get(token, path)).last_test).to.deep.equal(failed.json);
      failure = null;
      const passed = await settings.send(token, `POST ${path}/test`);
      expect(passed.json).to.deep.equal({ ok: true, checked_at: passed.json.checked_at });
      expect((await settings.get(token, path)).last_test).to.deep.equal(passed.json);
      await settings.send(token, `PUT ${path}`, { api_key: `${secret}2` });
      expect((await settings.get(token, path)).last_test).to.equal(null);
    });

    it('has the form of a key, and a refusal does not repeat it', async () => {
      const { token } = await settings.account();
      const wrong = [
        'sk-openai-0123456789',
        'sk-ant-',
        'SK-ANT-api03-0123456789',
        ' sk-ant-api03-0123456789',
        'sk-ant-api03-0123456789\r\nx-evil: 1',
        'sk-ant-api03-ключ',
        `sk-ant-${'x'.repeat(249)}`,
        null,
        1,
        {},
        ...unstorable.map((text) => `sk-ant-api03-${text}`),
      ];
      await settings.refused(token, `PUT ${path}`, [{}, ...wrong.map((api_key) => ({ api_key }))]);
      const answer = await settings.send(token, `PUT ${path}`, { api_key: 'sk-ant-canary !' });
      expect(answer.text).not.to.contain('canary');
    });

    it('is for keys of the account’s owner alone', async () => {
      const { accountId } = await settings.account();
      const other = await settings.seen(settings.service.staff.token(accountId, ['read', 'write']));
      for (const target of [`GET ${path}`, `DELETE ${path}`, `POST ${path}/test`])
        expect(outcomeOf(await settings.send(other, target)), target).to.equal('forbidden');
      expect(outcomeOf(await settings.send(other, `PUT ${path}`, { api_key: secret }))).to.equal('forbidden');
    });
  });

  describe('the bundled model', () => {
    const path = '/v1/account/me/bundled-llm-settings';
    const status = '/v1/account/me/bundled-llm-status';
    const shown = (consent: boolean, cap: number) => ({
      bundled_llm_consent: consent,
      bundled_llm_monthly_cap_usd_cents: cap,
    });

    it('needs consent, and has a cap that the account may lower', async () => {
      const { token } = await settings.account();
      expect(await settings.get(token, path)).to.deep.equal(shown(false, 2000));
      const changed = await settings.send(token, `PATCH ${path}`, { bundled_llm_consent: true });
      expect([changed.status, changed.json]).to.deep.equal([200, shown(true, 2000)]);
      await settings.send(token, `PATCH ${path}`, { bundled_llm_monthly_cap_usd_cents: 500 });
      expect(await settings.get(token, path)).to.deep.equal(shown(true, 500));
      expect((await settings.send(token, `PATCH ${path}`, {})).json).to.deep.equal(shown(true, 500));
    });

    it('has a cap that only staff can raise, and lower again', async () => {
      const { token, accountId } = await settings.account();
      const cap = (cents: number) =>
        settings.send(token, `PATCH ${path}`, { bundled_llm_monthly_cap_usd_cents: cents });
      expect(outcomeOf(await cap(2001))).to.equal('validation-failed');
      const { runner, context } = settings.service.staff;
      await settings.seen(setBundledCeiling({ runner, clock }, accountId, 9000, context()));
      expect(await settings.get(token, path)).to.deep.equal(shown(false, 9000));
      expect((await cap(8000)).json).to.deep.equal(shown(false, 8000));
      expect(outcomeOf(await cap(9001))).to.equal('validation-failed');
      await settings.seen(setBundledCeiling({ runner, clock }, accountId, null, context()));
      expect(await settings.get(token, path)).to.deep.equal(shown(false, 2000));
    });

    it('takes a boolean and a whole number of cents, and nothing else', async () => {
      const { token } = await settings.account();
      await settings.refused(token, `PATCH ${path}`, [
        { bundled_llm_consent: 'yes' },
        { bundled_llm_consent: null },
        ...[-1, 0.5, 1e308, '500', null, [500]].map((cents) => ({
          bundled_llm_monthly_cap_usd_cents: cents,
        })),
      ]);
    });

    it('says what the turns of this month have cost, each once', async () => {
      const { token, accountId } = await settings.account();
      const now = new Date();
      const [start, next, before] = [0, 1, -1].map((months) =>
        new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)).toISOString(),
      ) as [string, string, string];
      const spent = {
        available: true,
        spent_cents: 0,
        cap_cents: 2000,
        period_start: start,
        resets_at: next,
      };
      expect(await settings.get(token, status)).to.deep.equal(spent);
      await settings.send(token, `PATCH ${path}`, { bundled_llm_consent: true });
      const { runner, context } = settings.service.staff;
      const ports = { runner, clock, defaultCapCents: 2000 };
      const reserve = (turnId: string, beganAt: string) =>
        reserveSpend(ports, accountId, { turnId, beganAt }, context());
      await reserve('one', start);
      await reserve('two', start);
      await reserve('one', start);
      await settings.seen(reserve('three', before));
      expect(await settings.get(token, status)).to.deep.equal({ ...spent, spent_cents: 20 });
      await settings.seen(returnSpend(ports, accountId, { turnId: 'two', beganAt: start }, context()));
      expect(await settings.get(token, status)).to.deep.equal({ ...spent, spent_cents: 10 });
    });
  });
});
