import { expect } from 'chai';
import { isOptedIn } from '../../commands/email-preferences.ts';
import { emailEventTypes } from '../../contracts/events/email-preferences.ts';
import { outcomeOf } from '../../infra/verification/security/whole-service.ts';
import { startSettings, unstorable, type Settings } from '../testing/settings.ts';

describe('the settings of an account over HTTP', () => {
  let settings: Settings;
  before(async () => {
    settings = await startSettings();
  });
  after(() => settings.service.close());

  describe('organization', () => {
    const path = '/v1/account/me/organization';
    const ada = { display_name: 'Ada Ł. 😀', company: 'Engines & Sons', use_case: 'tests', size: '11-50' };
    const nothing = { display_name: null, company: null, use_case: null, size: null };

    it('is empty at first, and then what was put last, as a whole', async () => {
      const { token } = await settings.account();
      expect(await settings.get(token, path)).to.deep.equal(nothing);
      const put = await settings.send(token, `PUT ${path}`, ada);
      expect([put.status, put.json]).to.deep.equal([200, ada]);
      expect(put.headers['x-service-position']).to.match(/^\d+\/\d+$/);
      expect(await settings.get(token, path)).to.deep.equal(ada);
      const partial = await settings.send(token, `PUT ${path}`, { company: 'Other', size: null, other: 1 });
      expect(partial.headers['x-service-unknown-fields']).to.equal('other');
      expect(await settings.get(token, path)).to.deep.equal({ ...nothing, company: 'Other' });
    });

    it('is sealed in the record, and out of the audit log', async () => {
      const { token, accountId } = await settings.account();
      await settings.send(token, `PUT ${path}`, ada);
      const [[type, text = ''] = []] = await settings.recorded('organization', accountId);
      expect(type).to.equal('OrganizationDescribed');
      for (const said of Object.values(ada)) expect(text).not.to.contain(said);
      const log = await settings.get(token, '/v1/account/audit-log');
      const [entry] = log.data as [{ action: string; payload: object; target: object }];
      expect(entry).to.deep.include({
        action: 'organization.updated',
        payload: {},
        target: { type: 'account', id: accountId },
      });
    });

    it('reads as empty once the data key of the account is destroyed', async () => {
      const { token, accountId } = await settings.account();
      await settings.send(token, `PUT ${path}`, ada);
      await settings.service.vault.forget(accountId);
      expect(await settings.get(token, path)).to.deep.equal(nothing);
    });

    it('takes strings of limited length or null, and nothing else', async () => {
      const { token, accountId } = await settings.account();
      await settings.refused(token, `PUT ${path}`, [
        { display_name: 'x'.repeat(121) },
        { company: 'x'.repeat(201) },
        { use_case: 'x'.repeat(501) },
        { size: 'x'.repeat(51) },
        { size: 11 },
        { company: {} },
        { use_case: ['a'] },
        { display_name: true },
        [],
        ...unstorable.map((company) => ({ company })),
      ]);
      expect(await settings.recorded('organization', accountId)).to.deep.equal([]);
    });

    it('takes a reader to read, and a writer to write', async () => {
      const { accountId } = await settings.account();
      const reader = await settings.seen(settings.service.staff.token(accountId, ['read']));
      expect(outcomeOf(await settings.send(reader, `GET ${path}`))).to.equal(200);
      expect(outcomeOf(await settings.send(reader, `PUT ${path}`, ada))).to.equal('forbidden');
      const writer = await settings.seen(settings.service.staff.token(accountId, ['write']));
      expect(outcomeOf(await settings.send(writer, `PUT ${path}`, ada))).to.equal(200);
    });
  });

  describe('e-mail preferences', () => {
    const path = '/v1/account/email-preferences';

    it('are opted in to everything at first, and opted out of one type at a time', async () => {
      const { token, accountId } = await settings.account();
      const all = (out?: string) =>
        emailEventTypes.map((event_type) => ({ event_type, opted_in: event_type !== out }));
      expect(await settings.get(token, path)).to.deep.equal({ preferences: all() });
      const out = { event_type: 'billing-receipt', opted_in: false };
      const put = await settings.send(token, `PUT ${path}`, out);
      expect([put.status, put.json]).to.deep.equal([200, out]);
      expect(await settings.get(token, path)).to.deep.equal({ preferences: all('billing-receipt') });
      const { runner } = settings.service.staff;
      expect(await isOptedIn(runner, accountId, 'billing-receipt')).to.equal(false);
      expect(await isOptedIn(runner, accountId, 'tier-changed')).to.equal(true);
      await settings.send(token, `PUT ${path}`, { ...out, opted_in: true });
      expect(await settings.get(token, path)).to.deep.equal({ preferences: all() });
      expect(await isOptedIn(runner, accountId, 'billing-receipt')).to.equal(true);
    });

    it('take a known type and a boolean, and nothing else', async () => {
      const { token } = await settings.account();
      await settings.refused(token, `PUT ${path}`, [
        {},
        { event_type: 'tier-changed' },
        { opted_in: false },
        { event_type: 'password-reset', opted_in: false },
        { event_type: '__proto__', opted_in: false },
        { event_type: 'tier-changed', opted_in: 'false' },
        { event_type: 'tier-changed', opted_in: null },
        { event_type: ['tier-changed'], opted_in: false },
      ]);
    });

    it('are for keys of the account’s owner alone', async () => {
      const { accountId } = await settings.account();
      const other = await settings.seen(settings.service.staff.token(accountId, ['read', 'write']));
      const body = { event_type: 'tier-changed', opted_in: false };
      expect(outcomeOf(await settings.send(other, `GET ${path}`))).to.equal('forbidden');
      expect(outcomeOf(await settings.send(other, `PUT ${path}`, body))).to.equal('forbidden');
    });
  });

  it('have an entry in the audit log for each change, and none for a change that changes nothing', async () => {
    const { token } = await settings.account();
    const key = '/v1/account/me/byok-llm-key';
    const optOut = { event_type: 'tier-changed', opted_in: false };
    for (const [target, body] of [
      ['PUT /v1/account/email-preferences', optOut],
      ['PUT /v1/account/email-preferences', optOut],
      ['PATCH /v1/account/me/bundled-llm-settings', { bundled_llm_monthly_cap_usd_cents: 1 }],
      [`PUT ${key}`, { api_key: 'sk-ant-api03-0123456789' }],
      [`POST ${key}/test`, undefined],
      [`DELETE ${key}`, undefined],
      [`DELETE ${key}`, undefined],
    ] as const)
      expect((await settings.send(token, target, body)).status, target).to.be.below(300);
    const { data } = (await settings.get(token, '/v1/account/audit-log')) as {
      data: { action: string; payload: object }[];
    };
    expect(data.slice(0, 5).map(({ action, payload }) => [action, payload])).to.deep.equal([
      ['byok_llm_key.deleted', {}],
      ['byok_llm_key.tested', { ok: true, error: null }],
      ['byok_llm_key.stored', { provider: 'anthropic', last4: '6789' }],
      ['bundled_llm.updated', { consent: false, cap_cents: 1 }],
      ['email_preference.updated', optOut],
    ]);
  });
});
