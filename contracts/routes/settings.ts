import * as bundled from '../resources/bundled-llm.ts';
import * as email from '../resources/email-preferences.ts';
import { Organization, PutOrganization } from '../resources/organization.ts';
import * as ownKey from '../resources/own-llm-key.ts';
import type { Route } from '../route.ts';
import { area, noContent, ok } from './rows.ts';

const tag = 'Account';
const { read, write, detail } = area({
  tag,
  reads: ['read', 'account_owner'],
  writes: ['write', 'account_owner'],
});
const owner = area({ tag, reads: ['account_owner'], writes: ['account_owner'], readRole: 'admin' });
/** Settings of the caller's own account, even with `X-Service-Account`. */
const own = { accountHeader: 'ignored' } as const;

const keyPath = '/v1/account/me/byok-llm-key';
const bundledPath = '/v1/account/me/bundled-llm';

/** Settings of an account. */
export const settingsRoutes = [
  ...detail('/v1/account/me/organization', 'organization', Organization, 'organization', {}),
  write('PUT /v1/account/me/organization', 'organization.put', {
    summary: 'Set who uses the account; replaces all previous values',
    body: PutOrganization,
    success: ok(Organization, 'The organization as it is now.'),
    problems: ['conflict'],
  }),
  owner.read('GET /v1/account/email-preferences', 'email-preferences.get', {
    summary: 'List which optional mails the account gets',
    success: ok(email.EmailPreferences, 'Every optional type of mail.'),
    problems: [],
  }),
  owner.write('PUT /v1/account/email-preferences', 'email-preferences.put', {
    summary: 'Opt out of one type of mail, or back in',
    body: email.PutEmailPreference,
    success: ok(email.EmailPreference, 'The type with its current setting.'),
    problems: ['conflict'],
  }),
  owner.read(`GET ${keyPath}`, 'byok-llm-key.get', {
    ...own,
    summary: "Metadata of the account's own model-provider key; never the key itself",
    success: ok(ownKey.OwnLlmKey, 'Metadata of the stored key, if any.'),
    problems: [],
  }),
  owner.write(`PUT ${keyPath}`, 'byok-llm-key.put', {
    ...own,
    stepUp: true,
    summary: 'Store a model-provider key, replacing the previous one',
    body: ownKey.PutOwnLlmKey,
    success: ok(ownKey.OwnLlmKey, 'Metadata of the stored key.'),
    problems: ['conflict'],
  }),
  owner.write(`DELETE ${keyPath}`, 'byok-llm-key.delete', {
    ...own,
    summary: 'Remove the stored model-provider key',
    success: noContent('No key is stored.'),
    problems: ['conflict'],
  }),
  owner.write(`POST ${keyPath}/test`, 'byok-llm-key.test', {
    ...own,
    summary: 'Ask the provider whether it accepts the stored key',
    bucket: 'byok_llm_key:test',
    success: ok(ownKey.OwnLlmKeyTest, 'The result of the test, also if the key was rejected.'),
    problems: ['not-found', 'conflict'],
  }),
  read(`GET ${bundledPath}-settings`, 'bundled-llm-settings.get', {
    ...own,
    summary: 'Settings of the bundled model',
    success: ok(bundled.BundledLlmSettings, 'The settings.'),
    problems: [],
  }),
  write(`PATCH ${bundledPath}-settings`, 'bundled-llm-settings.update', {
    ...own,
    summary: 'Consent to the bundled model, or lower its monthly cap',
    body: bundled.UpdateBundledLlmSettings,
    success: ok(bundled.BundledLlmSettings, 'The settings as they are now.'),
    problems: ['conflict'],
  }),
  read(`GET ${bundledPath}-status`, 'bundled-llm-status.get', {
    ...own,
    summary: 'Spending on the bundled model in this calendar month',
    success: ok(bundled.BundledLlmStatus, 'The month up to now.'),
    problems: [],
  }),
] as const satisfies readonly Route[];
