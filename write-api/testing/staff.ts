import { randomUUID } from 'node:crypto';
import pino from 'pino';
import type { CommandContext } from '../../commands/engine/context.ts';
import { createRunner, type Runner } from '../../commands/engine/runner.ts';
import { createWebSessionCommands, type NewWebSession } from '../../commands/web-session/index.ts';
import { scopes as everyScope, type Scope } from '../../contracts/events/api-key.ts';
import { uuidOf, type AccountId, type WebhookDeliveryId, type WebhookId } from '../../contracts/ids.ts';
import type { Tier } from '../../contracts/tiers.ts';
import { webhookDelivery } from '../../domain/webhook-delivery/webhook-delivery.ts';
import { deliveryIdOf } from '../../domain/webhook-event/webhook-event.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { composeStaffCommands } from '../../infra/main/composition/commands.ts';
import type { WritePorts } from '../../infra/main/composition/write-ports.ts';

const logger = pino({ level: 'silent' });

const byStaff = (): CommandContext => ({
  commandId: randomUUID(),
  correlationId: randomUUID(),
  causationId: 'test',
  by: 'request:test',
  actor: { kind: 'staff', account_id: null },
  requestId: null,
});

const allScopes: readonly Scope[] = ['read', 'write', 'account_owner'];

type StaffPorts = Pick<WritePorts, 'store' | 'config' | 'clock' | 'vault' | 'peppers' | 'tokens' | 'erased'>;

/** Commands of staff, with a runner of their own. */
export function staffOf(given: StaffPorts) {
  const { store, config, clock } = given;
  const runner = createRunner({ store, logger, cacheEntries: 100 });
  const ports = { ...given, runner, refreshMs: config.REFRESH_TTL, freshMs: config.STEP_UP_FRESH };
  const { accounts, apiKeys: keys } = composeStaffCommands(ports);
  const webSessions = createWebSessionCommands(ports);

  return {
    accounts,
    keys,
    runner,
    context: byStaff,
    /** An account with a key of these scopes. */
    async account(tier: Tier, scopes = allScopes, email = `${randomUUID()}@example.com`) {
      const { accountId } = await accounts.create({ email, tier }, byStaff());
      const key = await keys.create(
        accountId,
        { name: 'first', scopes, expiresAt: null },
        'staff',
        byStaff(),
      );
      return { accountId, token: key.text, apiKeyId: key.record.apiKeyId };
    },
    delivery: (accountId: AccountId, webhookId: WebhookId) =>
      scheduleDelivery(runner, accountId, webhookId, clock),
    /** Tokens of a person, or of a person's device, signed in to the account. */
    session: (accountId: AccountId, session: Partial<NewWebSession> = {}) =>
      webSessions.open(
        { accountId, kind: 'web_session', scopes: [...everyScope], epoch: 0, confirmed: false, ...session },
        { ip: null, userAgent: null },
        byStaff(),
      ),
    async token(accountId: AccountId, scopes: readonly Scope[], expiresAt: string | null = null) {
      const key = await keys.create(accountId, { name: 'more', scopes, expiresAt }, 'staff', byStaff());
      return key.text;
    },
  };
}

/** Schedules a delivery as the fan-out does. */
async function scheduleDelivery(
  runner: Runner,
  accountId: AccountId,
  webhookId: WebhookId,
  clock: Clock,
): Promise<WebhookDeliveryId> {
  const eventId = randomUUID();
  const deliveryId = deliveryIdOf(eventId, webhookId, 'event');
  const facts = { deliveryId, webhookId, accountId, eventId, eventType: 'session.completed' } as const;
  const sent = { body: `{"id":"${eventId}"}`, trigger: 'event', replayOf: null, replayId: null } as const;
  const schedule = { type: 'ScheduleDelivery', ...facts, ...sent, at: clock.now().toISOString() } as const;
  await runner.run(webhookDelivery, uuidOf(deliveryId), schedule, byStaff());
  return deliveryId;
}
