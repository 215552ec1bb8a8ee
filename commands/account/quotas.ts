import type { QuotaName } from '../../contracts/resources/account-limits.ts';
import { keyQuota } from '../api-key/reservations.ts';
import { recordQuota } from '../engine/records.ts';
import type { AccountQuota } from '../engine/reservations.ts';
import type { CommandPorts } from '../engine/runner.ts';
import { purgeErased } from '../profile/purge.ts';
import { profileReservations } from '../profile/reservations.ts';
import { proxyNoun } from '../proxy.ts';
import { recipeNoun } from '../recipe/index.ts';
import { invitationReservations } from '../team/reservations.ts';
import { webhookQuota } from '../webhook-endpoint/reservations.ts';

/** Every quota of an account but that of its sessions, which end as those of a suspended account do, and their slots with them. */
export const accountQuotas = (ports: CommandPorts): Record<Exclude<QuotaName, 'sessions'>, AccountQuota> => ({
  api_keys: keyQuota(ports),
  webhooks: webhookQuota(ports),
  proxies: recordQuota(ports, proxyNoun),
  profiles: {
    ...profileReservations(ports),
    end: (id, accountId, step) => purgeErased(ports, accountId, id, step),
  },
  recipes: recordQuota(ports, recipeNoun),
  invitations: invitationReservations(ports),
});
