import { webhookEndpointEvents, type WebhookEndpointEvent } from '../../contracts/events/webhook-endpoint.ts';
import type { Decider } from '../kit/decider.ts';
import type { WebhookEndpointCommand } from './commands.ts';
import { decide } from './decide.ts';
import { evolve } from './evolve.ts';
import { noWebhook, type WebhookEndpoint } from './state.ts';

/** One endpoint: active → disabled (for good) or deleted. Its secrets are sealed; its failed attempts are counted. */
export const webhookEndpoint: Decider<WebhookEndpoint, WebhookEndpointCommand, WebhookEndpointEvent> = {
  category: webhookEndpointEvents,
  initialState: noWebhook,
  decide,
  evolve,
  snapshotEvery: 200,
  stateVersion: 2,
};

export { disabled } from './decide.ts';
export { webhookNotices, type WebhookNotice } from './notices.ts';
export { signingSecrets } from './state.ts';
export type {
  ExistingWebhook,
  PreviousSecret,
  SealedSecret,
  SigningSecret,
  WebhookEndpoint,
} from './state.ts';
export type * from './commands.ts';
