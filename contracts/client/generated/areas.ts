// Written by `npm run docs` from the routes and their schemas. Do not edit.

import { area } from '../area.ts';
import type { Call } from '../call.ts';
import type { Connection } from '../connection.ts';
import type { List } from '../list.ts';
import type { CallOptions } from '../options.ts';
import * as rows from './operations.ts';
import type * as t from './types.ts';

export interface StatusOperations {
  /** Public status of the service; the last known one while its stores are unavailable. `GET /v1/status` */
  get(options?: CallOptions): Call<t.PublicStatus>;
  /** Public status as a stream of events: the current one, then one at each change. `GET /v1/status/stream` */
  stream(options?: CallOptions): AsyncGenerator<t.PublicStatus, void, undefined>;
  /** Share of successful probes, and number of incidents. `GET /v1/status/sla` */
  sla(options?: CallOptions): Call<t.StatusUptime>;
  /** Incidents as an Atom feed (RFC 4287). `GET /v1/status/feed.atom` */
  feed(options?: CallOptions): Call<string>;
  /** Subscribe to incidents by mail; a first mail contains a link to confirm. `POST /v1/status/subscribe` */
  subscribe(body: t.SubscribeToStatus, options?: CallOptions): Call<t.Accepted>;
  /** Confirmation page of the link in the mail; opening it changes nothing, since programs open links, too. `GET /v1/status/subscribe/confirm` */
  confirmPage(query: {
    /** From the link in the mail. */
    token: string;
  } & CallOptions, options?: CallOptions): Call<string>;
  /** Confirm a subscription; idempotent. The body is ignored. `POST /v1/status/subscribe/confirm` */
  confirm(query: {
    /** From the link in the mail. */
    token: string;
  } & CallOptions, options?: CallOptions): Call<t.SubscriptionConfirmed>;
  /** Confirmation page of the link that unsubscribes; opening it changes nothing. `GET /v1/status/subscribe/unsubscribe` */
  unsubscribePage(query: {
    /** From the link in the mail. */
    token: string;
  } & CallOptions, options?: CallOptions): Call<string>;
  /** End a subscription, also by one click in a mail program (RFC 8058); idempotent. The body is ignored. `POST /v1/status/subscribe/unsubscribe` */
  unsubscribe(query: {
    /** From the link in the mail. */
    token: string;
  } & CallOptions, options?: CallOptions): Call<t.Unsubscribed>;
}

export interface IncidentsOperations {
  /** Read one incident, now or in the past. `GET /v1/status/incidents/{id}` */
  get(id: string, query?: {
    /** Shows the resource as it was then. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    as_of?: string | undefined;
  } & CallOptions, options?: CallOptions): Call<t.StatusIncident>;
  /** List the changes of the incident, newest first. `GET /v1/status/incidents/{id}/history` */
  past(id: string, query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
    /** With `to`: the changes between both, as one entry. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    from?: string | undefined;
    /** With `from`. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    to?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.HistoryEntry>;
}

export interface AuthOperations {
  /** Sign up; the address is verified by a mail. `POST /v1/auth/signup` */
  signup(body: t.SignUp, options?: CallOptions): Call<t.SignedUp>;
  /** Verify the address of an account with the link in a mail. `POST /v1/auth/verify-email` */
  verifyEmail(body: t.TokenBody, options?: CallOptions): Call<t.Verified>;
  /** Send the verification link again; the previous one stops working. `POST /v1/auth/verify-email/resend` */
  verifyEmailResend(body: t.EmailBody, options?: CallOptions): Call<t.Accepted>;
  /** Sign in with address and password. `POST /v1/auth/login` */
  login(body: t.LoginRequest, options?: CallOptions): Call<t.SignedIn>;
  /** Sign out: the session ends and its tokens stop working; idempotent. `POST /v1/auth/logout` */
  logout(body?: t.RefreshBody, options?: CallOptions): Call<void>;
  /** Exchange a refresh token for a new access token and refresh token. `POST /v1/auth/refresh` */
  refresh(body?: t.RefreshBody, options?: CallOptions): Call<t.SignedInTokens>;
  /** Send a sign-in link; the previous one stops working. `POST /v1/auth/magic-link/request` */
  magicLinkRequest(body: t.EmailBody, options?: CallOptions): Call<t.Accepted>;
  /** Sign in with the link in a mail. `POST /v1/auth/magic-link/consume` */
  magicLinkConsume(body: t.TokenBody, options?: CallOptions): Call<t.SignedIn>;
  /** Send a link to set a new password; the previous one stops working. `POST /v1/auth/password-reset/request` */
  passwordResetRequest(body: t.EmailBody, options?: CallOptions): Call<t.Accepted>;
  /** Set a new password with the link in a mail; every session of the account ends. `POST /v1/auth/password-reset/confirm` */
  passwordResetConfirm(body: t.ConfirmPasswordReset, options?: CallOptions): Call<t.PasswordReset>;
  /** Confirm a second way to sign in with the link in the mail. `POST /v1/auth/merge/confirm` */
  mergeConfirm(body: t.TokenBody, options?: CallOptions): Call<t.Confirmed>;
}

export interface ArchetypesOperations {
  /** The device identities a session can take, and the default one. `GET /v1/archetypes` */
  list(options?: CallOptions): Call<t.ArchetypeCatalogue>;
}

export interface SessionsOperations {
  /** Start a browser session; returns once the browser is ready. `POST /v1/sessions` */
  create(body?: t.CreateSession, options?: CallOptions): Call<t.Session>;
  /** List sessions, newest first. `GET /v1/sessions` */
  list(query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.Session>;
  /** Read one session, now or in the past. `GET /v1/sessions/{id}` */
  get(id: string, query?: {
    /** Shows the resource as it was then. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    as_of?: string | undefined;
  } & CallOptions, options?: CallOptions): Call<t.Session>;
  /** List the changes of the session, newest first. `GET /v1/sessions/{id}/history` */
  past(id: string, query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
    /** With `to`: the changes between both, as one entry. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    from?: string | undefined;
    /** With `from`. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    to?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.HistoryEntry>;
  /** Load a page. `POST /v1/sessions/{id}/navigate` */
  navigate(id: string, body: t.Navigate, options?: CallOptions): Call<t.NavigateResult>;
  /** Tap, type, scroll and similar actions. `POST /v1/sessions/{id}/interact` */
  interact(id: string, body: t.Interact, options?: CallOptions): Call<t.InteractResult>;
  /** Wait for a condition. `POST /v1/sessions/{id}/wait` */
  wait(id: string, body: t.Wait, options?: CallOptions): Call<t.WaitResult>;
  /** Screenshot, DOM snapshot or PDF. `POST /v1/sessions/{id}/capture` */
  capture(id: string, body: t.Capture, options?: CallOptions): Call<t.CaptureResult>;
  /** Read structured data from the page. `POST /v1/sessions/{id}/extract` */
  extract(id: string, body: t.Extract, options?: CallOptions): Call<t.ExtractResult>;
  /** Search the web with the configured engine. `POST /v1/sessions/{id}/search` */
  search(id: string, body: t.Search, options?: CallOptions): Call<t.SearchResult>;
  /** Fill and submit a login form. `POST /v1/sessions/{id}/login` */
  login(id: string, body: t.Login, options?: CallOptions): Call<t.LoginResult>;
  /** Address, title, cookies and local storage of the page; claims the browser. `GET /v1/sessions/{id}/state` */
  state(id: string, options?: CallOptions): Call<t.StateResult>;
  /** Text of the page, and its elements with a `ref` for actions; does not claim the browser. `GET /v1/sessions/{id}/observation` */
  observe(id: string, query?: {
    /** Default: false. */
    picture?: "true" | "false" | undefined;
  } & CallOptions, options?: CallOptions): Call<t.PageObservation>;
  /** Create a token that only permits watching the browser, valid for a day. `POST /v1/sessions/{id}/video-token` */
  videoToken(id: string, options?: CallOptions): Call<t.SessionVideoToken>;
  /** End a session and release its slot; idempotent. `DELETE /v1/sessions/{id}` */
  destroy(id: string, options?: CallOptions): Call<void>;
}

export interface AgentsOperations {
  /** Open an agent session. `POST /v1/agent-sessions` */
  create(body?: t.CreateAgentSession, options?: CallOptions): Call<t.AgentSession>;
  /** Close an agent session, and end the driver session that it started; idempotent. `DELETE /v1/agent-sessions/{id}` */
  close(id: string, options?: CallOptions): Call<t.AgentSession>;
  /** Change who acts on messages. `POST /v1/agent-sessions/{id}/mode` */
  mode(id: string, body: t.ChangeMode, options?: CallOptions): Call<t.AgentSession>;
  /** Report input of a person; in pair mode the first report asks for the controls. `POST /v1/agent-sessions/{id}/input-event` */
  inputEvent(id: string, body: t.SendInput, options?: CallOptions): Call<t.InputTaken>;
  /** Ask for the controls. `POST /v1/agent-sessions/{id}/takeover` */
  takeover(id: string, body: t.TakeOver, options?: CallOptions): Call<t.PairModeChanged>;
  /** Give the controls back to the agent. `POST /v1/agent-sessions/{id}/handback` */
  handback(id: string, body?: t.HandBack, options?: CallOptions): Call<t.PairModeChanged>;
  /** Report that the challenge that paused the session is solved. `POST /v1/agent-sessions/{id}/resume` */
  resume(id: string, body?: t.Resume, options?: CallOptions): Call<t.ResumeAccepted>;
  /** Create a token to watch the browser, valid for a day. `POST /v1/agent-sessions/{id}/video-token` */
  videoToken(id: string, options?: CallOptions): Call<t.VideoToken>;
  /** Get a key to control the browser over the video connection, valid for a day. `GET /v1/agent-sessions/{id}/gui-control-key` */
  guiControlKey(id: string, options?: CallOptions): Call<t.GuiControlKey>;
  /** Read the content of a capture, as long as its browser keeps it. `GET /v1/agent-sessions/{id}/captures/{capture_id}` */
  capture(id: string, capture_id: string, options?: CallOptions): Call<t.CaptureResult>;
  /** State of the active page; works while a turn runs. `GET /v1/agent-sessions/{id}/page-state` */
  pageState(id: string, options?: CallOptions): Call<t.PageStateAnswer>;
  /** The cookies of the browser. `GET /v1/agent-sessions/{id}/cookies` */
  cookies(id: string, options?: CallOptions): Call<t.CookiesAnswer>;
  /** Set cookies: all of them, or none. `POST /v1/agent-sessions/{id}/cookies/set` */
  cookiesSet(id: string, body: t.SetCookies, options?: CallOptions): Call<t.LiveStatus>;
  /** Go back or forward. `POST /v1/agent-sessions/{id}/history` */
  history(id: string, body: t.GoInHistory, options?: CallOptions): Call<t.LiveStatus>;
  /** Send a file to the browser; an upload step selects it by its handle. `POST /v1/agent-sessions/{id}/files` */
  upload(id: string, body: t.UploadFile, options?: CallOptions): Call<t.UploadAnswer>;
  /** List the files that the browser has downloaded. `GET /v1/agent-sessions/{id}/downloads` */
  downloads(id: string, options?: CallOptions): Call<t.DownloadsAnswer>;
  /** Read the content of a downloaded file. `GET /v1/agent-sessions/{id}/downloads/content` */
  download(id: string, query: {
    name: string;
  } & CallOptions, options?: CallOptions): Call<t.DownloadContent>;
  /** List agent sessions, newest first. `GET /v1/agent-sessions` */
  list(query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.AgentSession>;
  /** Read one agent session, now or in the past. `GET /v1/agent-sessions/{id}` */
  get(id: string, query?: {
    /** Shows the resource as it was then. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    as_of?: string | undefined;
  } & CallOptions, options?: CallOptions): Call<t.AgentSession>;
  /** List the changes of the agent session, newest first. `GET /v1/agent-sessions/{id}/history` */
  past(id: string, query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
    /** With `to`: the changes between both, as one entry. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    from?: string | undefined;
    /** With `from`. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    to?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.HistoryEntry>;
  /** Read the conversation as a page, or as a stream of events until the session is closed. `GET /v1/agent-sessions/{id}/transcript` */
  transcript(id: string, options?: CallOptions): AsyncGenerator<t.IndexedEntry, void, undefined>;
  /** Send a message; returns when its turn has ended, or streams events. `POST /v1/agent-sessions/{id}/message` */
  message(id: string, body: t.AgentMessage, options?: CallOptions): Call<t.MessageAnswer>;
  /** Preview a recipe of this agent session; nothing is saved. `GET /v1/agent-sessions/{id}/recipe-suggestion` */
  recipeSuggestion(id: string, options?: CallOptions): Call<t.RecipeSuggestion>;
}

export interface AgentSessionLinksOperations {
  /** Create a link to the live view for somebody without an account; it ends with the session. `POST /v1/agent-sessions/{id}/links` */
  create(id: string, body: {
    right: "watch" | "control";
    /** Default: 600. */
    ttl_seconds?: number | undefined;
  }, options?: CallOptions): Call<{
    id: string;
    agent_session_id: string;
    right: "watch" | "control";
    created_at: string;
    created_by: string | null;
    expires_at: string;
    uses: number;
    last_used_at: string | null;
    token: string;
  }>;
  /** List the active links, newest first. `GET /v1/agent-sessions/{id}/links` */
  list(id: string, options?: CallOptions): Call<{
    data: ({
      id: string;
      agent_session_id: string;
      right: "watch" | "control";
      created_at: string;
      created_by: string | null;
      expires_at: string;
      uses: number;
      last_used_at: string | null;
    })[];
  }>;
  /** Revoke a link; whoever joined with it is disconnected. `DELETE /v1/agent-sessions/{id}/links/{link_id}` */
  revoke(id: string, link_id: string, options?: CallOptions): Call<void>;
  /** Exchange a link for a token of its room, without signing in. `POST /v1/agent-session-links/open` */
  open(body: {
    token: string;
  }, options?: CallOptions): Call<{
    right: "watch" | "control";
    expires_at: string;
    video: t.VideoToken;
  }>;
}

export interface KeysOperations {
  /** Create an API key; the key itself is shown once. `POST /v1/api-keys` */
  create(body: t.CreateApiKey, options?: CallOptions): Call<t.IssuedApiKey>;
  /** List API keys, newest first. `GET /v1/api-keys` */
  list(query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.ApiKey>;
  /** Read one API key, now or in the past. `GET /v1/api-keys/{id}` */
  get(id: string, query?: {
    /** Shows the resource as it was then. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    as_of?: string | undefined;
  } & CallOptions, options?: CallOptions): Call<t.ApiKey>;
  /** List the changes of the API key, newest first. `GET /v1/api-keys/{id}/history` */
  past(id: string, query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
    /** With `to`: the changes between both, as one entry. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    from?: string | undefined;
    /** With `from`. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    to?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.HistoryEntry>;
  /** Replace a key; the old one works for the grace window. `POST /v1/api-keys/{id}/rotate` */
  rotate(id: string, body?: t.RotateApiKey, options?: CallOptions): Call<t.RotatedApiKey>;
  /** Revoke a key at once; idempotent. `DELETE /v1/api-keys/{id}` */
  revoke(id: string, options?: CallOptions): Call<void>;
}

export interface AccountOperations {
  /** The caller's own account. `GET /v1/account/me` */
  me(options?: CallOptions): Call<t.Account>;
  /** Rate limits and quotas of the account, and what is left of them. `GET /v1/account/rate-limits` */
  rateLimits(options?: CallOptions): Call<t.AccountLimits>;
  /** Deprecated routes and fields that the account still uses, earliest removal first. `GET /v1/account/deprecations` */
  deprecations(options?: CallOptions): Call<t.UsedDeprecations>;
  /** The same as `GET /v1/usage`. `GET /v1/account/usage` */
  usage(options?: CallOptions): Call<t.Usage>;
  /** The same as `GET /v1/usage/series`. `GET /v1/account/usage/series` */
  usageSeries(query?: {
    /** Default: sessions.count. */
    metric?: "sessions.count" | "sessions.minutes" | "sessions.concurrent_peak" | "agent.turns" | "agent.input_tokens" | "agent.output_tokens" | "agent.cost_cents" | "storage.profile_bytes" | undefined;
    /** Default: day. */
    bucket?: "hour" | "day" | undefined;
    /** By default 30 days before `to`, or one day before it if `bucket` is `hour`. */
    from?: string | undefined;
    /** By default now. */
    to?: string | undefined;
  } & CallOptions, options?: CallOptions): Call<t.UsageSeries>;
}

export interface AuditLogOperations {
  /** The audit log, newest first. `GET /v1/account/audit-log` */
  list(query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
    action?: string | undefined;
    /** The id of an account, for what its owner or its API keys did, and for attempts to sign in to it; the id of an API key; or an `actor_type`. */
    actor?: string | undefined;
    since?: string | undefined;
    until?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.AuditEntry, { names: t.TargetNames; }>;
  /** Export the audit log as CSV or JSON lines, oldest first. `GET /v1/account/audit-log/export` */
  export(query?: {
    /** Default: csv. */
    format?: "csv" | "jsonl" | undefined;
    action?: string | undefined;
    /** The id of an account, for what its owner or its API keys did, and for attempts to sign in to it; the id of an API key; or an `actor_type`. */
    actor?: string | undefined;
    since?: string | undefined;
    until?: string | undefined;
    cursor?: string | undefined;
    /** Default: 10000. */
    limit?: number | undefined;
  } & CallOptions, options?: CallOptions): Call<string>;
  /** Prove that an entry is in the audit log. `GET /v1/account/audit-log/{sequence}/proof` */
  proof(sequence: string | number, query?: {
    size?: number | undefined;
  } & CallOptions, options?: CallOptions): Call<t.InclusionProof>;
  /** Prove that the audit log at one size extends the log at a smaller size. `GET /v1/account/audit-log/consistency` */
  consistency(query: {
    from: number;
    to?: number | undefined;
  } & CallOptions, options?: CallOptions): Call<t.ConsistencyProof>;
  /** The signed head of the audit log, to keep for later checks. `GET /v1/account/audit-log/checkpoint` */
  checkpoint(options?: CallOptions): Call<t.AuditCheckpoint>;
  /** The keys that sign heads of audit logs. `GET /.well-known/audit-log/keys` */
  keys(options?: CallOptions): Call<t.AuditKeys>;
  /** The head of the audit log in the public tree, with its inclusion proof. `GET /v1/account/audit-log/anchor` */
  anchor(options?: CallOptions): Call<t.Anchor>;
}

export interface RequestsOperations {
  /** Trace a request: its events and their effects, webhooks and mails. `GET /v1/requests/{request_id}` */
  get(request_id: string, options?: CallOptions): Call<t.RequestTree>;
}

export interface UsageOperations {
  /** Usage of the account in this calendar month. `GET /v1/usage` */
  get(options?: CallOptions): Call<t.Usage>;
  /** Usage of the account by hour or by day. `GET /v1/usage/series` */
  series(query?: {
    /** Default: sessions.count. */
    metric?: "sessions.count" | "sessions.minutes" | "sessions.concurrent_peak" | "agent.turns" | "agent.input_tokens" | "agent.output_tokens" | "agent.cost_cents" | "storage.profile_bytes" | undefined;
    /** Default: day. */
    bucket?: "hour" | "day" | undefined;
    /** By default 30 days before `to`, or one day before it if `bucket` is `hour`. */
    from?: string | undefined;
    /** By default now. */
    to?: string | undefined;
  } & CallOptions, options?: CallOptions): Call<t.UsageSeries>;
}

export interface PublicTreeOperations {
  /** The head of the public tree as a signed note (c2sp.org/tlog-checkpoint). `GET /.well-known/audit-log/checkpoint` */
  checkpoint(options?: CallOptions): Call<string>;
  /** A tile of the public tree (c2sp.org/tlog-tiles). `GET /.well-known/audit-log/tile/{level}/{last}` */
  tile(level: string | number, last: string | number, options?: CallOptions): Call<Uint8Array>;
  /** A tile of the public tree (c2sp.org/tlog-tiles). `GET /.well-known/audit-log/tile/{level}/{first}/{last}` */
  tile2(level: string | number, first: string | number, last: string | number, options?: CallOptions): Call<Uint8Array>;
  /** A tile of the public tree (c2sp.org/tlog-tiles). `GET /.well-known/audit-log/tile/{level}/{first}/{second}/{last}` */
  tile3(level: string | number, first: string | number, second: string | number, last: string | number, options?: CallOptions): Call<Uint8Array>;
  /** A tile of the public tree (c2sp.org/tlog-tiles). `GET /.well-known/audit-log/tile/{level}/{first}/{second}/{third}/{last}` */
  tile4(level: string | number, first: string | number, second: string | number, third: string | number, last: string | number, options?: CallOptions): Call<Uint8Array>;
}

export interface WebhooksOperations {
  /** List endpoints, newest first. `GET /v1/webhooks` */
  list(query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.Webhook>;
  /** Read one endpoint, now or in the past. `GET /v1/webhooks/{id}` */
  get(id: string, query?: {
    /** Shows the resource as it was then. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    as_of?: string | undefined;
  } & CallOptions, options?: CallOptions): Call<t.Webhook>;
  /** List the changes of the endpoint, newest first. `GET /v1/webhooks/{id}/history` */
  past(id: string, query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
    /** With `to`: the changes between both, as one entry. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    from?: string | undefined;
    /** With `from`. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    to?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.HistoryEntry>;
  /** An endpoint's deliveries with every attempt, newest first. `GET /v1/webhooks/{id}/deliveries` */
  deliveries(id: string, query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
    status?: "pending" | "retrying" | "delivered" | "dead_letter" | "cancelled" | undefined;
    event_type?: "session.completed" | "session.failed" | "api_key.revoked" | "session.egress_capability_changed" | "crypto.order.paid" | "crypto.order.failed" | "session.challenge_detected" | "session.profile_save_failed" | "test.ping" | undefined;
    since?: string | undefined;
    until?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.WebhookDelivery>;
  /** Progress of a replay of a range. `GET /v1/webhooks/{id}/replays/{replay_id}` */
  replayProgress(id: string, replay_id: string, options?: CallOptions): Call<t.WebhookReplay>;
  /** Register an endpoint; its signing secret is shown once. `POST /v1/webhooks` */
  create(body: t.CreateWebhook, options?: CallOptions): Call<t.IssuedWebhook>;
  /** Replace the subscriptions of an endpoint; not retroactive. `PATCH /v1/webhooks/{id}` */
  update(id: string, body: t.UpdateWebhook, options?: CallOptions): Call<t.Webhook>;
  /** Delete an endpoint and cancel its pending deliveries; idempotent. `DELETE /v1/webhooks/{id}` */
  delete(id: string, options?: CallOptions): Call<void>;
  /** Replace the signing secret; both sign for the grace window. `POST /v1/webhooks/{id}/rotate-secret` */
  rotateSecret(id: string, options?: CallOptions): Call<t.RotatedSecret>;
  /** Send one `test.ping`, whatever the endpoint subscribes to. `POST /v1/webhooks/{id}/test` */
  test(id: string, options?: CallOptions): Call<t.TestSent>;
  /** Send a range of past events again, also from before the endpoint existed. `POST /v1/webhooks/{id}/replay` */
  replay(id: string, body: t.ReplayRange, options?: CallOptions): Call<t.WebhookReplay | t.ReplayForecast>;
  /** Cancel a running replay; deliveries that it has made are still sent. `DELETE /v1/webhooks/{id}/replays/{replay_id}` */
  cancelReplay(id: string, replay_id: string, options?: CallOptions): Call<void>;
}

export interface EventsOperations {
  /** Every event of the account, oldest first and without gaps, for clients that cannot receive webhooks. `GET /v1/events` */
  list(query?: {
    /** Default: 50. */
    limit?: number | undefined;
    /** The `next_cursor` of the previous page, or the value of an `X-Service-Position`. By default the page starts at the account's first event. */
    after?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.WebhookEnvelope>;
}

export interface WebhookDeliveriesOperations {
  /** Read a delivery with its attempts and the request of each. `GET /v1/webhook-deliveries/{id}` */
  get(id: string, options?: CallOptions): Call<t.WebhookDeliveryDetail>;
  /** Send the event of an ended delivery again, as a new delivery. `POST /v1/webhook-deliveries/{id}/replay` */
  replay(id: string, options?: CallOptions): Call<t.DeliveryReplayed>;
}

export interface ProxiesOperations {
  /** Create a saved proxy. `POST /v1/account/me/proxies` */
  create(body: t.CreateProxy, options?: CallOptions): Call<t.Proxy>;
  /** List saved proxies, newest first. `GET /v1/account/me/proxies` */
  list(query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.Proxy>;
  /** Read one saved proxy, now or in the past. `GET /v1/account/me/proxies/{id}` */
  get(id: string, query?: {
    /** Shows the resource as it was then. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    as_of?: string | undefined;
  } & CallOptions, options?: CallOptions): Call<t.Proxy>;
  /** List the changes of the saved proxy, newest first. `GET /v1/account/me/proxies/{id}/history` */
  past(id: string, query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
    /** With `to`: the changes between both, as one entry. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    from?: string | undefined;
    /** With `from`. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    to?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.HistoryEntry>;
  /** Change a saved proxy. `PATCH /v1/account/me/proxies/{id}` */
  update(id: string, body: t.UpdateProxy, options?: CallOptions): Call<t.Proxy>;
  /** Delete a saved proxy. `DELETE /v1/account/me/proxies/{id}` */
  delete(id: string, options?: CallOptions): Call<void>;
  /** Test the proxy by sending a request through it. `POST /v1/account/me/proxies/{id}/check` */
  check(id: string, options?: CallOptions): Call<{
    ok: boolean;
    reason: "unreachable" | "auth_failed" | "timeout" | "egress_blocked" | null;
    at: string;
  }>;
}

export interface RecipesOperations {
  /** Save a recipe of an agent session. `POST /v1/recipes` */
  create(body: t.CreateRecipe, options?: CallOptions): Call<t.Recipe>;
  /** List recipes, newest first. `GET /v1/recipes` */
  list(query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.Recipe>;
  /** Read one recipe, now or in the past. `GET /v1/recipes/{id}` */
  get(id: string, query?: {
    /** Shows the resource as it was then. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    as_of?: string | undefined;
  } & CallOptions, options?: CallOptions): Call<t.Recipe>;
  /** List the changes of the recipe, newest first. `GET /v1/recipes/{id}/history` */
  past(id: string, query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
    /** With `to`: the changes between both, as one entry. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    from?: string | undefined;
    /** With `from`. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    to?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.HistoryEntry>;
  /** Delete a recipe. `DELETE /v1/recipes/{id}` */
  delete(id: string, options?: CallOptions): Call<void>;
}

export interface ProfilesOperations {
  /** Create a profile. `POST /v1/profiles` */
  create(body: t.CreateProfile, options?: CallOptions): Call<t.Profile>;
  /** List profiles, newest first. `GET /v1/profiles` */
  list(query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
    /** The id of a profile or a snapshot. Lists only the profiles that were cloned or restored directly from it. */
    made_from?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.Profile>;
  /** List the profiles in the trash, newest first. `GET /v1/profiles/trash` */
  trash(query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.TrashedProfile>;
  /** Read one profile, now or in the past. `GET /v1/profiles/{id}` */
  get(id: string, query?: {
    /** Shows the resource as it was then. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    as_of?: string | undefined;
  } & CallOptions, options?: CallOptions): Call<t.Profile>;
  /** List the changes of the profile, newest first. `GET /v1/profiles/{id}/history` */
  past(id: string, query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
    /** With `to`: the changes between both, as one entry. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    from?: string | undefined;
    /** With `from`. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    to?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.HistoryEntry>;
  /** Change the name or the description of a profile. `PATCH /v1/profiles/{id}` */
  update(id: string, body: t.UpdateProfile, options?: CallOptions): Call<t.Profile>;
  /** Move a profile to the trash, where it is purged after 30 days. `DELETE /v1/profiles/{id}` */
  trashOne(id: string, options?: CallOptions): Call<void>;
  /** Take a profile out of the trash. `POST /v1/profiles/{id}/restore` */
  restore(id: string, options?: CallOptions): Call<t.Profile>;
  /** Permanently delete a profile in the trash, with its state. `DELETE /v1/profiles/{id}/purge` */
  purge(id: string, options?: CallOptions): Call<void>;
  /** Create a profile of the same archetype and description, without state. `POST /v1/profiles/{id}/clone` */
  clone(id: string, body?: t.CloneProfile, options?: CallOptions): Call<t.Profile>;
  /** Transfer a profile to another account, which has seven days to accept it. `POST /v1/profiles/{id}/transfer` */
  transfer(id: string, body: t.TransferProfile, options?: CallOptions): Call<t.Transfer>;
  /** Accept a profile that another account has offered. `POST /v1/profiles/{id}/transfer/accept` */
  acceptTransfer(id: string, options?: CallOptions): Call<t.Profile>;
  /** Create a profile from an exported one. `POST /v1/profiles/import` */
  import(body: t.ImportProfile, options?: CallOptions): Call<t.Profile>;
  /** Start a session with the profile. `POST /v1/profiles/{id}/launch` */
  launch(id: string, body?: t.LaunchProfile, options?: CallOptions): Call<t.Session>;
  /** Export a profile with its state as a sealed file. `POST /v1/profiles/{id}/export` */
  export(id: string, body?: t.ExportProfile, options?: CallOptions): Call<t.ExportedProfile>;
  /** Drop parts of the saved state. `POST /v1/profiles/{id}/trim` */
  trim(id: string, body?: t.TrimProfile, options?: CallOptions): Call<t.Trimmed>;
}

export interface ProfileSnapshotsOperations {
  /** Capture the name and archetype of a profile as a snapshot. `POST /v1/profiles/{id}/snapshots` */
  create(id: string, body: t.CaptureSnapshot, options?: CallOptions): Call<t.ProfileSnapshot>;
  /** List the snapshots of a profile, newest first. `GET /v1/profiles/{id}/snapshots` */
  listOfProfile(id: string, query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.ProfileSnapshot>;
  /** List all snapshots of the account, newest first. `GET /v1/profile-snapshots` */
  list(query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.ProfileSnapshot>;
  /** Read one snapshot, now or in the past. `GET /v1/profile-snapshots/{id}` */
  get(id: string, query?: {
    /** Shows the resource as it was then. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    as_of?: string | undefined;
  } & CallOptions, options?: CallOptions): Call<t.ProfileSnapshot>;
  /** List the changes of the snapshot, newest first. `GET /v1/profile-snapshots/{id}/history` */
  past(id: string, query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
    /** With `to`: the changes between both, as one entry. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    from?: string | undefined;
    /** With `from`. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    to?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.HistoryEntry>;
  /** Create a profile from a snapshot; the original is unchanged. `POST /v1/profile-snapshots/{id}/restore` */
  restore(id: string, body: t.RestoreSnapshot, options?: CallOptions): Call<t.Profile>;
  /** Delete a snapshot. `DELETE /v1/profile-snapshots/{id}` */
  delete(id: string, options?: CallOptions): Call<void>;
}

export interface OrganizationOperations {
  /** Read one organization, now or in the past. `GET /v1/account/me/organization` */
  get(query?: {
    /** Shows the resource as it was then. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    as_of?: string | undefined;
  } & CallOptions, options?: CallOptions): Call<t.Organization>;
  /** List the changes of the organization, newest first. `GET /v1/account/me/organization/history` */
  past(query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
    /** With `to`: the changes between both, as one entry. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    from?: string | undefined;
    /** With `from`. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    to?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.HistoryEntry>;
  /** Set who uses the account; replaces all previous values. `PUT /v1/account/me/organization` */
  put(body: t.PutOrganization, options?: CallOptions): Call<t.Organization>;
}

export interface EmailPreferencesOperations {
  /** List which optional mails the account gets. `GET /v1/account/email-preferences` */
  get(options?: CallOptions): Call<t.EmailPreferences>;
  /** Opt out of one type of mail, or back in. `PUT /v1/account/email-preferences` */
  put(body: t.PutEmailPreference, options?: CallOptions): Call<t.EmailPreference>;
}

export interface ByokLlmKeyOperations {
  /** Metadata of the account's own model-provider key; never the key itself. `GET /v1/account/me/byok-llm-key` */
  get(options?: CallOptions): Call<t.OwnLlmKey>;
  /** Store a model-provider key, replacing the previous one. `PUT /v1/account/me/byok-llm-key` */
  put(body: t.PutOwnLlmKey, options?: CallOptions): Call<t.OwnLlmKey>;
  /** Remove the stored model-provider key. `DELETE /v1/account/me/byok-llm-key` */
  delete(options?: CallOptions): Call<void>;
  /** Ask the provider whether it accepts the stored key. `POST /v1/account/me/byok-llm-key/test` */
  test(options?: CallOptions): Call<t.OwnLlmKeyTest>;
}

export interface BundledLlmSettingsOperations {
  /** Settings of the bundled model. `GET /v1/account/me/bundled-llm-settings` */
  get(options?: CallOptions): Call<t.BundledLlmSettings>;
  /** Consent to the bundled model, or lower its monthly cap. `PATCH /v1/account/me/bundled-llm-settings` */
  update(body: t.UpdateBundledLlmSettings, options?: CallOptions): Call<t.BundledLlmSettings>;
}

export interface BundledLlmStatusOperations {
  /** Spending on the bundled model in this calendar month. `GET /v1/account/me/bundled-llm-status` */
  get(options?: CallOptions): Call<t.BundledLlmStatus>;
}

export interface MfaOperations {
  /** Begin to enrol a second factor; its secret is shown once. `POST /v1/auth/mfa/enroll` */
  enroll(options?: CallOptions): Call<t.MfaEnrolment>;
  /** Confirm the second factor with a code; recovery codes are shown once. `POST /v1/auth/mfa/confirm` */
  confirm(body: t.MfaCode, options?: CallOptions): Call<t.MfaRecoveryCodes>;
  /** Disable the second factor. `POST /v1/auth/mfa/disable` */
  disable(body: t.MfaDisableCode, options?: CallOptions): Call<void>;
  /** Confirm your identity with a code; routes that require this work for ten minutes. `POST /v1/auth/mfa/step-up` */
  stepUp(body: t.MfaCode, options?: CallOptions): Call<t.MfaFreshness>;
  /** Sign in with the second factor, after the first. `POST /v1/auth/mfa/login` */
  login(body: t.MfaLogin, options?: CallOptions): Call<t.SignedInTokens>;
}

export interface LegalOperations {
  /** Accept the current terms. `POST /v1/legal/accept` */
  accept(body: t.AcceptTerms, options?: CallOptions): Call<t.AcceptedTerms>;
}

export interface OauthOperations {
  /** Request the authorisation of a device (RFC 8628). `POST /v1/oauth/device_authorization` */
  deviceAuthorization(body: t.DeviceAuthorizationRequest, options?: CallOptions): Call<t.DeviceAuthorization>;
  /** Exchange an approved device code, or a refresh token, for tokens. `POST /v1/oauth/token` */
  token(body: t.TokenRequest, options?: CallOptions): Call<t.OAuthTokens>;
  /** Approve or deny the device that shows a code. `POST /v1/oauth/device` */
  device(body: t.DeviceAnswer, options?: CallOptions): Call<t.AnsweredDevice>;
  /** Metadata for OAuth clients (RFC 8414). `GET /.well-known/oauth-authorization-server` */
  metadata(options?: CallOptions): Call<t.AuthorizationServer>;
}

export interface EmailOperations {
  /** Confirmation page for opting out of one kind of mail; changes nothing. `GET /v1/email/unsubscribe` */
  unsubscribePage(query?: {
    /** From the link in the mail. */
    token?: string | undefined;
  } & CallOptions, options?: CallOptions): Call<string>;
  /** Opt out of one kind of mail (RFC 8058); the body is ignored. `POST /v1/email/unsubscribe` */
  unsubscribe(query?: {
    /** From the link in the mail. */
    token?: string | undefined;
  } & CallOptions, options?: CallOptions): Call<string>;
}

export interface TeamInvitesOperations {
  /** Invite an address to the caller's team; the link in the mail works for seven days. `POST /v1/team/invites` */
  create(body: t.CreateInvitation, options?: CallOptions): Call<t.Invitation>;
  /** List the open invitations, newest first. `GET /v1/team/invites` */
  list(query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.Invitation>;
  /** Withdraw an open invitation: its link stops working. `DELETE /v1/team/invites/{id}` */
  withdraw(id: string, options?: CallOptions): Call<void>;
  /** Join a team with an invitation's token; only the account of the invited address can. `POST /v1/team/invites/accept` */
  accept(body: t.AcceptInvitation, options?: CallOptions): Call<t.Membership>;
}

export interface TeamMembersOperations {
  /** List the members of the caller's team, newest first. `GET /v1/team/members` */
  list(query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.TeamMember>;
  /** Read one member, now or in the past. `GET /v1/team/members/{id}` */
  get(id: string, query?: {
    /** Shows the resource as it was then. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    as_of?: string | undefined;
  } & CallOptions, options?: CallOptions): Call<t.TeamMember>;
  /** List the changes of the member, newest first. `GET /v1/team/members/{id}/history` */
  past(id: string, query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
    /** With `to`: the changes between both, as one entry. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    from?: string | undefined;
    /** With `from`. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    to?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.HistoryEntry>;
  /** Remove a member, who is refused on the owner's account from then on. `DELETE /v1/team/members/{id}` */
  remove(id: string, query?: {
    /** Also end the keys and endpoints that the member made on the account. */
    keys?: "revoke" | undefined;
  } & CallOptions, options?: CallOptions): Call<void>;
}

export interface TeamOwnersOperations {
  /** List the owners whose teams the caller is on, newest membership first. `GET /v1/team/owners` */
  list(query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.TeamOwner>;
}

export interface BillingOperations {
  /** The tier, the card subscription and its latest invoices. `GET /v1/billing` */
  get(options?: CallOptions): Call<t.Billing>;
  /** Create a page to subscribe by card, or to change the tier of a subscription. `POST /v1/billing/checkout-session` */
  checkout(body: t.CreateCheckoutSession, options?: CallOptions): Call<t.CardPage>;
  /** Create a page to change the card, read invoices or cancel. `POST /v1/billing/portal-session` */
  portal(body?: t.CreatePortalSession, options?: CallOptions): Call<t.CardPage>;
  /** Explain the bill of a month: each amount with the events behind it. `GET /v1/billing/explain` */
  explain(query: {
    /** A calendar month in UTC: `YYYY-MM`. */
    period: string;
  } & CallOptions, options?: CallOptions): Call<t.Bill>;
}

export interface CardEventsOperations {
  /** Receive an event of the card processor. `POST /v1/webhooks/card` */
  take(body: string | Uint8Array, options?: CallOptions): Call<{
    received: true;
  }>;
}

export interface CryptoOrdersOperations {
  /** Estimated price of a product in a currency. `POST /v1/billing/crypto-checkout/quote` */
  quote(body: t.PlaceOrder, options?: CallOptions): Call<t.Quote>;
  /** Order a product; returns the amount and the address to pay to. `POST /v1/billing/crypto-checkout` */
  create(body: t.PlaceOrder, options?: CallOptions): Call<t.CryptoOrder>;
  /** List orders, newest first. `GET /v1/billing/crypto-orders` */
  list(query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.CryptoOrder>;
  /** Read one order, now or in the past. `GET /v1/billing/crypto-orders/{id}` */
  get(id: string, query?: {
    /** Shows the resource as it was then. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    as_of?: string | undefined;
  } & CallOptions, options?: CallOptions): Call<t.CryptoOrder>;
  /** List the changes of the order, newest first. `GET /v1/billing/crypto-orders/{id}/history` */
  past(id: string, query?: {
    /** Default: 50. */
    limit?: number | undefined;
    cursor?: string | undefined;
    /** With `to`: the changes between both, as one entry. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    from?: string | undefined;
    /** With `from`. A time (ISO 8601), which includes all that was committed by its full minute, or the value of an `X-Service-Position`. */
    to?: string | undefined;
  } & CallOptions, options?: CallOptions): List<t.HistoryEntry>;
  /** Pay a pending order in another currency. `PATCH /v1/billing/crypto-orders/{id}` */
  update(id: string, body: t.ChangeOrder, options?: CallOptions): Call<t.CryptoOrder>;
  /** Cancel a pending order. `POST /v1/billing/crypto-orders/{id}/cancel` */
  cancel(id: string, options?: CallOptions): Call<t.CryptoOrder>;
  /** The receipt of a paid order. `GET /v1/billing/crypto-orders/{id}/receipt` */
  receipt(id: string, options?: CallOptions): Call<t.OrderReceipt>;
  /** The receipt of a paid order as text. `GET /v1/billing/crypto-orders/{id}/receipt.txt` */
  receiptText(id: string, options?: CallOptions): Call<string>;
  /** The receipt of a paid order as a PDF. `GET /v1/billing/crypto-orders/{id}/receipt.pdf` */
  receiptPdf(id: string, options?: CallOptions): Call<Uint8Array>;
}

export interface CryptoCallbacksOperations {
  /** Receive a callback of the crypto processor. `POST /v1/webhooks/crypto` */
  take(body: string | Uint8Array, options?: CallOptions): Call<Record<string, unknown>>;
}

export const status = (connection: Connection): StatusOperations => area(connection, 'status', rows.status);
export const incidents = (connection: Connection): IncidentsOperations => area(connection, 'incidents', rows.incidents);
export const auth = (connection: Connection): AuthOperations => area(connection, 'auth', rows.auth);
export const archetypes = (connection: Connection): ArchetypesOperations => area(connection, 'archetypes', rows.archetypes);
export const sessions = (connection: Connection): SessionsOperations => area(connection, 'sessions', rows.sessions);
export const agents = (connection: Connection): AgentsOperations => area(connection, 'agent-sessions', rows.agents);
export const agentSessionLinks = (connection: Connection): AgentSessionLinksOperations => area(connection, 'agent-session-links', rows.agentSessionLinks);
export const keys = (connection: Connection): KeysOperations => area(connection, 'api-keys', rows.keys);
export const account = (connection: Connection): AccountOperations => area(connection, 'account', rows.account);
export const auditLog = (connection: Connection): AuditLogOperations => area(connection, 'audit-log', rows.auditLog);
export const requests = (connection: Connection): RequestsOperations => area(connection, 'requests', rows.requests);
export const usage = (connection: Connection): UsageOperations => area(connection, 'usage', rows.usage);
export const publicTree = (connection: Connection): PublicTreeOperations => area(connection, 'public-tree', rows.publicTree);
export const webhooks = (connection: Connection): WebhooksOperations => area(connection, 'webhooks', rows.webhooks);
export const events = (connection: Connection): EventsOperations => area(connection, 'events', rows.events);
export const webhookDeliveries = (connection: Connection): WebhookDeliveriesOperations => area(connection, 'webhook-deliveries', rows.webhookDeliveries);
export const proxies = (connection: Connection): ProxiesOperations => area(connection, 'proxies', rows.proxies);
export const recipes = (connection: Connection): RecipesOperations => area(connection, 'recipes', rows.recipes);
export const profiles = (connection: Connection): ProfilesOperations => area(connection, 'profiles', rows.profiles);
export const profileSnapshots = (connection: Connection): ProfileSnapshotsOperations => area(connection, 'profile-snapshots', rows.profileSnapshots);
export const organization = (connection: Connection): OrganizationOperations => area(connection, 'organization', rows.organization);
export const emailPreferences = (connection: Connection): EmailPreferencesOperations => area(connection, 'email-preferences', rows.emailPreferences);
export const byokLlmKey = (connection: Connection): ByokLlmKeyOperations => area(connection, 'byok-llm-key', rows.byokLlmKey);
export const bundledLlmSettings = (connection: Connection): BundledLlmSettingsOperations => area(connection, 'bundled-llm-settings', rows.bundledLlmSettings);
export const bundledLlmStatus = (connection: Connection): BundledLlmStatusOperations => area(connection, 'bundled-llm-status', rows.bundledLlmStatus);
export const mfa = (connection: Connection): MfaOperations => area(connection, 'mfa', rows.mfa);
export const legal = (connection: Connection): LegalOperations => area(connection, 'legal', rows.legal);
export const oauth = (connection: Connection): OauthOperations => area(connection, 'oauth', rows.oauth);
export const email = (connection: Connection): EmailOperations => area(connection, 'email', rows.email);
export const teamInvites = (connection: Connection): TeamInvitesOperations => area(connection, 'team-invites', rows.teamInvites);
export const teamMembers = (connection: Connection): TeamMembersOperations => area(connection, 'team-members', rows.teamMembers);
export const teamOwners = (connection: Connection): TeamOwnersOperations => area(connection, 'team-owners', rows.teamOwners);
export const billing = (connection: Connection): BillingOperations => area(connection, 'billing', rows.billing);
export const cardEvents = (connection: Connection): CardEventsOperations => area(connection, 'card-events', rows.cardEvents);
export const cryptoOrders = (connection: Connection): CryptoOrdersOperations => area(connection, 'crypto-orders', rows.cryptoOrders);
export const cryptoCallbacks = (connection: Connection): CryptoCallbacksOperations => area(connection, 'crypto-callbacks', rows.cryptoCallbacks);

/** The operations of each area. */
export interface Areas {
  status: StatusOperations;
  incidents: IncidentsOperations;
  auth: AuthOperations;
  archetypes: ArchetypesOperations;
  sessions: SessionsOperations;
  agents: AgentsOperations;
  agentSessionLinks: AgentSessionLinksOperations;
  keys: KeysOperations;
  account: AccountOperations;
  auditLog: AuditLogOperations;
  requests: RequestsOperations;
  usage: UsageOperations;
  publicTree: PublicTreeOperations;
  webhooks: WebhooksOperations;
  events: EventsOperations;
  webhookDeliveries: WebhookDeliveriesOperations;
  proxies: ProxiesOperations;
  recipes: RecipesOperations;
  profiles: ProfilesOperations;
  profileSnapshots: ProfileSnapshotsOperations;
  organization: OrganizationOperations;
  emailPreferences: EmailPreferencesOperations;
  byokLlmKey: ByokLlmKeyOperations;
  bundledLlmSettings: BundledLlmSettingsOperations;
  bundledLlmStatus: BundledLlmStatusOperations;
  mfa: MfaOperations;
  legal: LegalOperations;
  oauth: OauthOperations;
  email: EmailOperations;
  teamInvites: TeamInvitesOperations;
  teamMembers: TeamMembersOperations;
  teamOwners: TeamOwnersOperations;
  billing: BillingOperations;
  cardEvents: CardEventsOperations;
  cryptoOrders: CryptoOrdersOperations;
  cryptoCallbacks: CryptoCallbacksOperations;
}
