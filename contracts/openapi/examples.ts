import { archetypeCatalogue } from '../archetypes.ts';
import { agentExamples } from './agent-examples.ts';
import { pastExamples } from './past-examples.ts';
import { requestExamples } from './request-examples.ts';
import type { Json } from './json-schema.ts';
import { recordExamples } from './record-examples.ts';
import { webhookExamples } from './webhook-examples.ts';

const sessionId = 'ses_0198f0a2-6c1e-7c43-9d0b-4f3a2b1c0d9e';
const accountId = 'acc_0198f0a1-1111-7abc-8def-0123456789ab';
const at = '2026-01-31T09:30:00.000Z';

const session = {
  id: sessionId,
  account_id: accountId,
  archetype: archetypeCatalogue.default,
  status: 'ready',
  label: 'checkout test',
  metadata: { run: 17 },
  profile_id: null,
  ...{ created_at: at, updated_at: at, ready_at: at, destroyed_at: null },
  ended_reason: null,
};

const organization = {
  display_name: 'Ada Lovelace',
  company: 'Engines & Sons',
  use_case: 'checkout tests',
  size: '11-50',
};
const optOut = { event_type: 'billing-receipt', opted_in: false };
const ownKey = {
  configured: true,
  provider: 'anthropic',
  last4: '-key',
  created_at: at,
  last_test: { ok: true, checked_at: at },
};

const profileId = 'prof_0198f0a5-4444-7abc-8def-0123456789ab';
const profile = {
  id: profileId,
  name: 'Shop in Lisbon',
  archetype: archetypeCatalogue.default,
  description: 'signed in to the shop',
  last_used_at: at,
  created_at: '2026-01-12T08:00:00.000Z',
  updated_at: at,
  storage_bytes: 1_482_752,
  save_state: 'saved',
  cloned_from: null,
  restored_from_snapshot: null,
};
const copy = {
  ...profile,
  id: 'prof_0198f0a6-5555-7abc-8def-0123456789ab',
  name: 'Shop in Lisbon copy',
  ...{ last_used_at: null, created_at: at, storage_bytes: 0, save_state: 'none' },
};
const snapshot = {
  id: 'psnap_0198f0a7-6666-7abc-8def-0123456789ab',
  label: 'before the sale',
  description: null,
  parent_archetype: profile.archetype,
  parent_name: profile.name,
  parent_profile_id: profileId,
  captured_at: at,
  state_blob: '',
};
const bucket = {
  ...{ name: 'default:read', capacity: 120, refill_per_minute: 900 },
  ...{ remaining: 118, reset_seconds: 1 },
};

/** Requests and answers to show, by route id; a test holds them to their schemas. */
export const examples: Readonly<Record<string, { readonly request?: Json; readonly response?: Json }>> = {
  ...{ ...agentExamples, ...recordExamples, ...pastExamples },
  'sessions.create': { request: { label: 'checkout test', metadata: { run: 17 } }, response: session },
  'sessions.get': { response: session },
  'sessions.list': { response: { data: [session], has_more: false, next_cursor: '' } },
  'sessions.navigate': {
    request: { url: 'https://example.com/', wait_until: 'load', timeout_ms: 30_000 },
    response: { final_url: 'https://example.com/', status: 200, duration_ms: 412 },
  },
  'sessions.interact': {
    request: { action: { kind: 'type', selector: '#email', text: 'ada@example.com' } },
    response: { kind: 'type', duration_ms: 38, summary: 'Typed into #email' },
  },
  'sessions.wait': {
    request: { condition: { kind: 'selector', selector: '.results', state: 'visible' }, timeout_ms: 10_000 },
    response: { matched: true, duration_ms: 240 },
  },
  'sessions.capture': { request: { kind: 'screenshot' } },
  'sessions.extract': {
    request: {
      selector: 'main',
      schema: {
        type: 'object',
        properties: { title: { type: 'string', 'x-selector': 'h1' } },
        required: ['title'],
      },
    },
    response: { data: { title: 'Example Domain' }, matched: true, duration_ms: 12 },
  },
  'sessions.search': { request: { query: 'webkit release notes', limit: 5 } },
  'sessions.login': {
    request: {
      url: 'https://example.com/login',
      site: 'example.com',
      fields: { username: 'ada', password: 'correct horse' },
      success: { kind: 'url', pattern: '**/home' },
    },
  },
  'api-keys.create': { request: { name: 'ci', scopes: ['read', 'write'] } },
  ...requestExamples,
  ...webhookExamples,
  'account.me': {
    response: {
      id: accountId,
      email: 'ada@example.com',
      tier: 'team',
      teams: [],
      mfa_enrolled: false,
      suspended: null,
      created_at: at,
    },
  },
  'account.rate-limits': {
    response: {
      tier: 'team',
      buckets: [bucket],
      quotas: [{ name: 'sessions', limit: 3, used: 1 }],
      more_quotas: [{ name: 'recipes', limit: 500, used: 0 }],
    },
  },
  'usage.get': {
    response: {
      period_start: '2026-01-01T00:00:00.000Z',
      period_end: '2026-02-01T00:00:00.000Z',
      sessions: { count: 42, minutes: 1310.25, concurrent_peak: 3 },
      agent: { turns: 12, input_tokens: 21_700, output_tokens: 1_940, cost_cents: 80 },
      storage: { profile_bytes: 0 },
      limits: { concurrent_sessions: 3, api_keys: 20, webhooks: 20, proxies: 50 },
    },
  },
  'usage.series': {
    response: {
      metric: 'sessions.count',
      bucket: 'day',
      points: [
        { t: '2026-01-30T00:00:00.000Z', value: 7 },
        { t: '2026-01-31T00:00:00.000Z', value: 2 },
      ],
    },
  },
  'organization.put': { request: organization, response: organization },
  'organization.get': { response: organization },
  'email-preferences.put': { request: optOut, response: optOut },
  'byok-llm-key.put': {
    request: { api_key: 'sk-ant-api03-an-example-of-a-key' },
    response: { ...ownKey, last_test: null },
  },
  'byok-llm-key.get': { response: ownKey },
  'byok-llm-key.test': { response: { ok: false, checked_at: at, error: 'rejected' } },
  'bundled-llm-settings.update': {
    request: { bundled_llm_consent: true },
    response: { bundled_llm_consent: true, bundled_llm_monthly_cap_usd_cents: 2000 },
  },
  'bundled-llm-status.get': {
    response: {
      available: true,
      spent_cents: 130,
      cap_cents: 2000,
      period_start: '2026-01-01T00:00:00.000Z',
      resets_at: '2026-02-01T00:00:00.000Z',
    },
  },
  'profiles.create': {
    request: { name: profile.name, description: profile.description },
    response: { ...profile, last_used_at: null, storage_bytes: 0, save_state: 'none' },
  },
  'profiles.list': { response: { data: [profile], has_more: false, next_cursor: '' } },
  'profiles.get': { response: profile },
  'profiles.update': { request: { name: 'Shop in Porto' }, response: { ...profile, name: 'Shop in Porto' } },
  'profiles.trash': {
    response: {
      data: [{ ...profile, trashed_at: at, purge_at: '2026-03-02T09:30:00.000Z' }],
      has_more: false,
      next_cursor: '',
    },
  },
  'profiles.clone': { request: {}, response: { ...copy, cloned_from: profileId } },
  'profiles.transfer': {
    request: { to_account_id: 'acc_0198f0a1-2222-7abc-8def-0123456789ab' },
    response: {
      id: profileId,
      to_account_id: 'acc_0198f0a1-2222-7abc-8def-0123456789ab',
      status: 'offered',
      expires_at: '2026-02-07T09:30:00.000Z',
    },
  },
  'profile-snapshots.create': { request: { label: snapshot.label }, response: snapshot },
  'profile-snapshots.list': { response: { data: [snapshot], has_more: false, next_cursor: '' } },
  'profile-snapshots.restore': {
    request: { name: copy.name },
    response: { ...copy, restored_from_snapshot: snapshot.id },
  },
};
