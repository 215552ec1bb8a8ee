import { hourMs } from '../../contracts/durations.ts';
import { subscriberMailTemplates, type MailTemplate } from '../../contracts/events/mail.ts';
import type { MailFacts } from '../../domain/mail.ts';
import { toId, uuidOf } from '../../contracts/ids.ts';
import type { OpenedMail } from './facts.ts';
import {
  consoleLinks,
  subscriberPaths,
  unsubscribePath,
  type ConsolePage,
  type SubscriberLink,
} from './links.ts';
import type { UnsubscribeLink } from './optional.ts';

const uuid = '0197f1a0-0000-7000-8000-000000000001';
const queuedAt = Date.parse('2026-01-05T12:00:00.000Z');
const sampleToken = 'tok_2mVPnTQzO6sVQ4eGJ1hV7a9wBk3xZ8rC5yD0uF1sL4p';
const link = (page: ConsolePage) => consoleLinks('https://service.example/console')(page, sampleToken);
const endpoint = { webhook_id: toId('webhook', uuid), host: 'receiver.example:8443' };
const session_id = toId('session', uuid);
const invoice = {
  invoice_id: 'in_U3RhcGxl',
  tier: 'api_starter',
  amount: '19.00 USD',
  period_starts_at: '2026-01-05T12:00:00.000Z',
  period_ends_at: '2026-02-05T12:00:00.000Z',
};
export const sampleSubscriber = { subscriber: uuid, subscriptionId: toId('statusSubscription', uuid) };

const incident = {
  title: 'Webhooks arrive late',
  components: 'Webhooks',
  message: 'Deliveries wait for up to ten minutes. None is lost.',
};

export const sampleSubscriberLink: SubscriberLink = (page) =>
  `https://service.example${subscriberPaths[page]}?token=${sampleToken}`;

interface Sample {
  readonly facts: MailFacts;
  readonly expiresAfterMs?: number;
}

const samples: Readonly<Record<MailTemplate, Sample>> = {
  'account-verification': { facts: { link: link('verify') }, expiresAfterMs: 24 * hourMs },
  'password-reset': { facts: { link: link('reset') }, expiresAfterMs: hourMs },
  'magic-link': { facts: { link: link('magic') }, expiresAfterMs: hourMs / 4 },
  'sign-in-merge': { facts: { link: link('merge') }, expiresAfterMs: hourMs },
  'sign-in-attempts': { facts: {} },
  'second-factor-attempts': { facts: {} },
  'second-factor-removed': { facts: {} },
  'team-invitation': {
    facts: { link: link('invite'), owner_email: 'ada@workshop.example', role: 'member' },
    expiresAfterMs: 7 * 24 * hourMs,
  },
  'team-member-removed': {
    facts: {
      membership_id: toId('membership', uuid),
      api_keys: toId('apiKey', uuid),
      webhooks: toId('webhook', uuid),
      outcome: 'kept',
    },
  },
  'own-key-reminder': { facts: { secret_since: '2025-11-06', secret_days: 60 } },
  'signup-welcome': { facts: {} },
  'session-success-first': { facts: { session_id } },
  'session-failed-first': { facts: { session_id, reason: 'The browser ended unexpectedly.' } },
  'tier-changed': { facts: { from: 'free', to: 'api_starter' } },
  'webhook-failing': { facts: { ...endpoint, failures: 25, disabled_after: 50 } },
  'webhook-disabled': { facts: { ...endpoint, failures: 50 } },
  'webhook-secret-reminder': { facts: { ...endpoint, secret_since: '2025-11-06', secret_days: 60 } },
  'payment-failed': { facts: { ...invoice, next_attempt_at: '2026-01-08T12:00:00.000Z' } },
  'billing-receipt': { facts: { ...invoice, paid_at: '2026-01-05T12:00:00.000Z' } },
  'billing-renewal-reminder': { facts: { tier: 'api_starter', renews_at: '2026-01-12T12:00:00.000Z' } },
  'deprecation-notice': {
    facts: {
      ...{ what: 'GET /v1/account/usage', announced_since: '2026-11-22', sunset_since: '2027-06-01' },
      replacement: 'GET /v1/usage',
    },
  },
  'webhook-grace-ending': { facts: { ...endpoint, grace_ends_at: '2026-01-06T12:00:00.000Z' } },
  'status-confirm': {
    facts: { link: sampleSubscriberLink('confirm', sampleSubscriber), components: 'all components' },
    expiresAfterMs: 24 * hourMs,
  },
  'status-subscribed': { facts: { components: 'all components' } },
  'incident-posted': { facts: { ...incident, impact: 'minor' } },
  'incident-update': { facts: { ...incident, status: 'identified' } },
  'incident-resolved': { facts: { ...incident, message: 'All deliveries are on time again.' } },
};

/** A mail with made-up facts, to preview its template. */
export function sampleMail(template: MailTemplate): OpenedMail {
  const { facts, expiresAfterMs } = samples[template];
  return {
    mailId: toId('mail', uuid),
    accountId: subscriberMailTemplates.some((each) => each === template) ? null : toId('account', uuid),
    template,
    facts,
    expiresAt: expiresAfterMs === undefined ? undefined : new Date(queuedAt + expiresAfterMs).toISOString(),
  };
}

export const sampleUnsubscribeLink: UnsubscribeLink = (accountId, kind) =>
  `https://service.example${unsubscribePath}?token=${uuidOf(accountId)}.${kind}.3q2-7wAAbM0x9Jk2vTnQzO6sVQ4eGJ1hV7a9wBk3xZ8`;
