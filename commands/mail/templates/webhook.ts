import type { Block } from '../layout.ts';
import type { TemplatesOf } from './types.ts';

interface Endpoint {
  readonly webhook_id: string;
  readonly host: string;
}

const rowsOf = ({ webhook_id, host }: Endpoint, ...more: readonly (readonly [string, string])[]): Block => ({
  rows: [['Endpoint', webhook_id], ['Host', host], ...more],
});
const deliveriesOf = ({ webhook_id }: Endpoint): Block => ({
  requests: [`GET /v1/webhooks/${webhook_id}/deliveries`],
});

/** Mails about webhook endpoints. */
export const webhookTemplates: TemplatesOf<
  'webhook-failing' | 'webhook-disabled' | 'webhook-secret-reminder' | 'webhook-grace-ending'
> = {
  'webhook-failing': ({ failures, disabled_after, ...endpoint }) => ({
    subject: `Your webhook endpoint at ${endpoint.host} is failing`,
    preheader: `The last ${failures} attempts to deliver an event to it failed.`,
    blocks: [
      `The last ${failures} attempts to deliver an event to your webhook endpoint failed.`,
      rowsOf(endpoint),
      `After ${disabled_after} failed attempts in a row the endpoint is permanently disabled, and its pending deliveries are cancelled. A successful attempt resets the count to 0.`,
      'Every attempt and its outcome:',
      deliveriesOf(endpoint),
    ],
  }),
  'webhook-disabled': ({ failures, ...endpoint }) => ({
    subject: `Your webhook endpoint at ${endpoint.host} is disabled`,
    preheader: `${failures} attempts in a row to deliver an event to it failed.`,
    blocks: [
      `${failures} attempts in a row to deliver an event to your webhook endpoint failed. It is permanently disabled, and its pending deliveries are cancelled.`,
      rowsOf(endpoint),
      'Every attempt and its outcome:',
      deliveriesOf(endpoint),
      'To receive events again, create a new endpoint. Missed events can be replayed to it:',
      { requests: ['POST /v1/webhooks', 'POST /v1/webhooks/<the new id>/replay'] },
    ],
  }),
  'webhook-secret-reminder': ({ secret_since, secret_days, ...endpoint }) => ({
    subject: `Rotate the signing secret of your webhook endpoint at ${endpoint.host}`,
    preheader: `It has been in use for ${secret_days} days.`,
    blocks: [
      `The signing secret of your webhook endpoint has been in use for ${secret_days} days. We recommend a new one every 90 days.`,
      rowsOf(endpoint, ['In use since', secret_since]),
      'To rotate it:',
      { requests: [`POST /v1/webhooks/${endpoint.webhook_id}/rotate-secret`] },
      'For a while deliveries are signed with both secrets, so that none fails verification.',
    ],
  }),
  'webhook-grace-ending': ({ grace_ends_at, ...endpoint }) => ({
    subject: `The old signing secret of your webhook endpoint at ${endpoint.host} ends soon`,
    preheader: `It stops signing on ${grace_ends_at}.`,
    blocks: [
      `You rotated the signing secret of your webhook endpoint. The old secret stops signing on ${grace_ends_at}; from then on only the new one signs.`,
      rowsOf(endpoint),
      'Make sure that your receiver checks signatures with the new secret by then.',
    ],
  }),
};
