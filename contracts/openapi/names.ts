import { Account, AuditEntry } from '../resources/account.ts';
import { ApiKey, CreateApiKey, IssuedApiKey, RotateApiKey, RotatedApiKey } from '../resources/api-key.ts';
import { Archetype, ArchetypeCatalogue } from '../resources/archetype.ts';
import * as session from '../resources/session.ts';
import { DeliveryAttempt, Webhook, WebhookDelivery, WebhookReplay } from '../resources/webhook.ts';
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
  DeliveryAttempt,
  EgressCapabilities,
  Extract: session.Extract,
  ExtractResult: session.ExtractResult,
  Interact: session.Interact,
  InteractResult: session.InteractResult,
  IssuedApiKey,
  Login: session.Login,
  LoginResult: session.LoginResult,
  Navigate: session.Navigate,
  NavigateResult: session.NavigateResult,
  RotateApiKey,
  RotatedApiKey,
  Search: session.Search,
  SearchResult: session.SearchResult,
  Session: session.Session,
  StateResult: session.StateResult,
  Wait: session.Wait,
  WaitResult: session.WaitResult,
  Webhook,
  WebhookDelivery,
  WebhookEnvelope,
  WebhookReplay,
};

export const schemaNames: ReadonlyMap<object, string> = new Map(
  Object.entries(namedSchemas).map(([name, schema]) => [schema, name]),
);
