import type { Config } from '../../config/index.ts';
import { parseAllowList } from '../../outbound/address-policy.ts';
import { createOutboundGuard, type OutboundGuard } from '../../outbound/guard.ts';

/** What pages may be loaded from. */
export const openOutboundGuard = (config: Config): OutboundGuard =>
  createOutboundGuard({ allow: parseAllowList(config.OUTBOUND_ALLOW.join()) });
