import type { WebhookLimits } from '../../../commands/webhook-endpoint/index.ts';
import type { Config } from '../../config/index.ts';
import { parseAllowList } from '../../outbound/address-policy.ts';
import { createOutboundGuard, type OutboundGuard } from '../../outbound/guard.ts';
import { createWebhookTarget, type WebhookTarget, type WebhookTargetOptions } from '../../webhooks/target.ts';

/** What pages may be loaded from. */
export const openOutboundGuard = (config: Config): OutboundGuard =>
  createOutboundGuard({ allow: parseAllowList(config.OUTBOUND_ALLOW.join()) });

/** The addresses that endpoints may have, at their registration as at each attempt. */
export const openWebhookTarget = (
  config: Config,
  options: Pick<WebhookTargetOptions, 'patienceMs'> = {},
): WebhookTarget => createWebhookTarget({ allow: parseAllowList(config.OUTBOUND_ALLOW.join()), ...options });

export const webhookLimits = (config: Config): WebhookLimits => ({
  perAccount: config.WEBHOOKS_PER_ACCOUNT,
  secretGraceMs: config.WEBHOOK_SECRET_GRACE,
  secretReminderMs: config.WEBHOOK_SECRET_REMINDER,
});
