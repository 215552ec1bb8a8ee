import type { ProxyPorts } from '../../../commands/proxy.ts';
import type { Config } from '../../config/index.ts';
import { parseAllowList } from '../../outbound/address-policy.ts';
import { createOutboundGuard, type OutboundGuard, type OutboundGuardOptions } from '../../outbound/guard.ts';
import { createInternalAddresses } from '../../outbound/internal-addresses.ts';
import { createProxyProbe } from '../../outbound/proxy-probe.ts';
import { lookupAll } from '../../outbound/lookup.ts';
import { createWebhookTarget, type WebhookTarget, type WebhookTargetOptions } from '../../webhooks/target.ts';
import { internalAddresses } from './internal-addresses.ts';
import { publicUrl } from './public-url.ts';

/** Addresses of the installation outside the configuration: those of nodes. */
export type OtherAddresses = () => readonly string[] | Promise<readonly string[]>;

const rulesOf = (config: Config, others?: OtherAddresses): OutboundGuardOptions => ({
  allow: parseAllowList(config.OUTBOUND_ALLOW.join()),
  internal: createInternalAddresses({
    own: internalAddresses(config),
    lookup: lookupAll,
    ...(others && { others }),
  }),
});

/** The guard of pages' addresses. */
export const openOutboundGuard = (config: Config, others?: OtherAddresses): OutboundGuard =>
  createOutboundGuard(rulesOf(config, others));

/** The rule for endpoints' addresses, at registration and at each attempt. */
export const openWebhookTarget = (
  config: Config,
  others: OtherAddresses,
  options: Pick<WebhookTargetOptions, 'patienceMs'> = {},
): WebhookTarget => createWebhookTarget({ ...rulesOf(config, others), ...options });

/** Checks proxies of customers, whose hosts must not be the installation's, nodes included. */
export const openProxyProbe = (config: Config, others: OtherAddresses): ProxyPorts['probe'] =>
  createProxyProbe({
    guard: openOutboundGuard(config, others),
    checkUrl: config.PROXY_CHECK_URL ?? `${publicUrl(config)}/v1/archetypes`,
  });
