import type pg from 'pg';
import type { ProxyPorts } from '../../../commands/proxy.ts';
import type { Config } from '../../config/index.ts';
import { createProxyProbe } from '../../outbound/proxy-probe.ts';
import { openOutboundGuard } from './outbound.ts';
import { openVault } from './vault.ts';

/** What saved proxies are unsealed and tried with. */
export const proxyPorts = (config: Config, pool: pg.Pool): Pick<ProxyPorts, 'vault' | 'probe'> => ({
  vault: openVault(config, pool),
  probe: createProxyProbe({
    guard: openOutboundGuard(config),
    checkUrl: config.PROXY_CHECK_URL ?? `${config.BASE_URL}/v1/archetypes`,
  }),
});
