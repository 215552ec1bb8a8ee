import { Account, AuditEntry } from '../resources/account.ts';
import { ApiKey, CreateApiKey, IssuedApiKey, RotateApiKey, RotatedApiKey } from '../resources/api-key.ts';
import { Archetype, ArchetypeCatalogue } from '../resources/archetype.ts';
import * as session from '../resources/session.ts';
import * as delivery from '../resources/webhook-delivery.ts';
import * as endpoint from '../resources/webhook-endpoint.ts';
import * as replay from '../resources/webhook-replay.ts';
import { EgressCapabilities } from '../operations.ts';
import type { TSchema } from '../schema.ts';
import { WebhookEnvelope } from '../webhooks/envelope.ts';

/** The schemas that the documents name; any other is written where it is used. */
export const namedSchemas: Readonly<Record<string, TSchema>> = {
  Account,
  Action: session.Action,
  ApiKey,
  Archetype,
  ArchetypeCatalogue,
  AuditEntry,
  Capture: session.Capture,
  CaptureResult: session.CaptureResult,
  Condition: session.Condition,
  Cookie: session.Cookie,
  CreateApiKey,
  CreateSession: session.CreateSession,
  CreateWebhook: endpoint.CreateWebhook,
  DeliveryAttempt: delivery.DeliveryAttempt,
  DeliveryReplayed: delivery.DeliveryReplayed,
  EgressCapabilities,
  Extract: session.Extract,
  ExtractResult: session.ExtractResult,
  Interact: session.Interact,
  InteractResult: session.InteractResult,
  IssuedApiKey,
  IssuedWebhook: endpoint.IssuedWebhook,
  Login: session.Login,
  LoginResult: session.LoginResult,
  Navigate: session.Navigate,
  NavigateResult: session.NavigateResult,
  ReplayForecast: replay.ReplayForecast,
  ReplayRange: replay.ReplayRange,
  RotateApiKey,
  RotatedApiKey,
  RotatedSecret: endpoint.RotatedSecret,
  Search: session.Search,
  SearchResult: session.SearchResult,
  Session: session.Session,
  StateResult: session.StateResult,
  TestSent: delivery.TestSent,
  UpdateWebhook: endpoint.UpdateWebhook,
  Wait: session.Wait,
  WaitResult: session.WaitResult,
  Webhook: endpoint.Webhook,
  WebhookDelivery: delivery.WebhookDelivery,
  WebhookEnvelope,
  WebhookReplay: replay.WebhookReplay,
};

export const schemaNames: ReadonlyMap<object, string> = new Map(
  Object.entries(namedSchemas).map(([name, schema]) => [schema, name]),
);
