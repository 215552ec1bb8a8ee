import type { QuotaName } from '../../contracts/resources/account-limits.ts';
import type { RecordName } from '../../contracts/records.ts';
import { recordNouns } from '../../domain/catalogue.ts';
import { keyQuota } from '../api-key/reservations.ts';
import { recordReservations } from '../engine/records.ts';
import type { AccountQuota } from '../engine/reservations.ts';
import type { CommandPorts } from '../engine/runner.ts';
import { purgeErased } from '../profile/purge.ts';
import { profileReservations } from '../profile/reservations.ts';
import { invitationReservations } from '../team/reservations.ts';
import { webhookQuota } from '../webhook-endpoint/reservations.ts';

/**
 * Every quota of an account except that of sessions, whose slots are released when they end as those of a suspended account do.
 */
export const accountQuotas = (ports: CommandPorts): Record<Exclude<QuotaName, 'sessions'>, AccountQuota> => ({
  api_keys: keyQuota(ports),
  webhooks: webhookQuota(ports),
  ...ofRecords(ports),
  profiles: {
    ...profileReservations(ports),
    end: (id, accountId, step) => purgeErased(ports, accountId, id, step),
  },
  invitations: invitationReservations(ports),
});

const ofRecords = (ports: CommandPorts): Record<RecordName, AccountQuota> =>
  Object.fromEntries(
    Object.entries(recordNouns).map(([name, noun]) => [name, recordReservations(ports, noun)]),
  ) as Record<RecordName, AccountQuota>;
