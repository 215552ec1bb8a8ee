import type { ApiKeyEvent } from '../../contracts/events/api-key.ts';
import type { OrderEvent } from '../../contracts/events/order.ts';
import type { SessionEvent } from '../../contracts/events/session.ts';
import type { WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import { toId } from '../../contracts/ids.ts';
import { events as orders } from '../order/testing.ts';
import { events as endpoints, webhookId } from '../webhook-endpoint/testing.ts';
import { events as sessions } from '../session/testing.ts';

/** Events of the categories with announced events. */
export type SourceEvent = SessionEvent | ApiKeyEvent | WebhookEndpointEvent | OrderEvent;

/** Id of the source events. Must not change, because the files of `golden/` derive from it. */
export const eventId = '0197f1a0-0000-5000-8000-00000000000e';

/** Every kind of announced event, by the name of its file in `golden/`. */
export const announced: Readonly<Record<string, SourceEvent>> = {
  'session.completed': sessions.SessionDestroyed(),
  'session.completed by an idle timeout': sessions.SessionDestroyed({ cause: 'idle' }),
  'session.completed by an agent session': sessions.SessionDestroyed({ cause: 'agent_session' }),
  'session.completed by the duration cap': sessions.SessionDestroyed({ cause: 'duration_cap' }),
  'session.completed by suspension': sessions.SessionDestroyed({ cause: 'suspension' }),
  'session.failed': sessions.SessionErrored(),
  'session.egress_capability_changed': sessions.EgressCapabilitiesReported(),
  'session.challenge_detected': sessions.ChallengeDetected(),
  'session.profile_save_failed': sessions.ProfileSaveFailed(),
  'api_key.revoked': {
    type: 'ApiKeyRevoked',
    data: {
      apiKeyId: toId('apiKey', '0197f1a0-0000-7000-8000-000000000004'),
      accountId: toId('account', '0197f1a0-0000-7000-8000-000000000002'),
      name: 'deploy — “prod” \u{1f511}',
      by: 'owner',
      at: '2026-01-05T13:00:00.000Z',
    },
  },
  'crypto.order.paid': orders.OrderPaid(),
  'crypto.order.failed': orders.OrderFailed(),
  'crypto.order.failed by the window': orders.OrderExpired(),
  'test.ping': endpoints.WebhookTestRequested({ webhookId }),
};

const types = new Set(Object.values(announced).map(({ type }) => type));

/** The other events of those streams. */
export const unannounced: readonly SourceEvent[] = [
  ...[...Object.values(sessions), ...Object.values(endpoints), ...Object.values(orders)],
]
  .map((build): SourceEvent => build())
  .filter(({ type }) => !types.has(type));
