// Written by `npm run docs` from the routes and their schemas. Do not edit.

export interface AcceptInvitation {
  token: string;
}

export interface AcceptTerms {
  /** The revision of the current terms. */
  revision: string;
}

export interface Accepted {
  status: "accepted";
}

export interface AcceptedTerms {
  accepted_revision: string;
  accepted_at: string;
}

export interface Account {
  id: string;
  email: string;
  tier: "free" | "personal" | "team" | "agency" | "api_starter" | "api_builder" | "api_scale" | "enterprise";
  /** The newest hundred memberships. `GET /v1/team/owners` lists them all. */
  teams: (Membership)[];
  mfa_enrolled: boolean;
  suspended: {
    at: string;
    /** Written by the operator. */
    reason: string;
  } | null;
  created_at: string;
}

export interface AccountLimits {
  tier: "free" | "personal" | "team" | "agency" | "api_starter" | "api_builder" | "api_scale" | "enterprise";
  buckets: ({
    name: "sessions:create" | "default:read" | "default:write" | "agent_sessions:message" | "agent_sessions:input_event" | "webhooks:test" | "byok_llm_key:test" | "audit:export" | "oauth:device";
    capacity: number;
    refill_per_minute: number;
    remaining: number;
    /** Seconds until the bucket is full again. */
    reset_seconds: number;
  })[];
  quotas: ({
    name: "sessions" | "api_keys" | "webhooks" | "proxies" | "profiles";
    limit: number;
    used: number;
  })[];
  more_quotas: ({
    /** Ignore names that you do not know: more may be added. */
    name: string;
    limit: number;
    used: number;
  })[];
}

export type Action = TapAction | DoubleTapAction | LongPressAction | TypeAction | PressAction | ClearAction | FocusAction | SelectAction | CheckAction | ScrollAction | SwipeAction | PinchAction | UploadAction | DragAction | ActivateTabAction | CloseTabAction;

export interface ActivateTabAction {
  kind: "activate_tab";
  tab_id: string;
}

export interface AgentMessage {
  user_message: string;
  approvals?: ({
    intent_index: number;
    approved: boolean;
  })[] | undefined;
  /** `rec_<uuid>` */
  recipe_id?: string | undefined;
  parameters?: Record<string, unknown> | undefined;
  /** Up to 50 named values that are typed without being shown to a model. The message may refer to them, as in "sign in with {email} and {password}". A step types one with `variable` instead of `text`; the value is inserted on the way to the browser. */
  variables?: Record<string, {
    value: string;
    /** Whether the value is never stored, and is removed from all that is read back from a page. Default: true. */
    sensitive?: boolean | undefined;
  }> | undefined;
  /** A JSON Schema (2020-12) of an object or an array: up to 16 KiB, `$ref` only within itself, nested at most 8 levels deep. The turn ends with one more call of a model, which fills it in from the last page and the steps; the answer has it as `result`. */
  result_schema?: Record<string, unknown> | undefined;
}

export interface AgentSession {
  id: string;
  account_id: string;
  service_session_id: string | null;
  status: "active" | "paused" | "closed";
  closed_reason: string | null;
  closed_at: string | null;
  token_budget_total: number;
  token_budget_remaining: number;
  transcript_length: number;
  created_by_user_id: string | null;
  mode: "ai" | "manual" | "pair";
  model: string;
  pair_mode_state: PairModeState | null;
  created_at: string;
  updated_at: string;
  video?: {
    ws_url: string;
    room: string;
    token: string;
    participant_identity: string;
    expires_at: string;
  } | undefined;
  error_event?: ErrorEvent | null | undefined;
  idle_timeout_seconds?: number | undefined;
}

export interface AgentUsage {
  decomposer_kind: "deterministic" | "own_key" | "bundled";
  model?: string | undefined;
  provider_input_tokens?: number | undefined;
  provider_output_tokens?: number | undefined;
  cost_usd_cents?: number | undefined;
}

export interface Anchor {
  /** Index in the public tree, from 0. */
  leaf_index: number;
  leaf: {
    /** Base64url of HMAC-SHA256 over the account’s id, keyed by `salt`. */
    pseudonym: string;
    /** Number of entries in the audit log. */
    size: number;
    /** The root of its tree. */
    root: string;
  };
  /** Base64 of 32 bytes. Anyone who has it can tell which pseudonym is the account’s. */
  salt: string;
  /** Number of leaves in the public tree. */
  size: number;
  /** The root of the public tree. */
  root: string;
  /** In the order of RFC 6962. */
  proof: (string)[];
  /** The public checkpoint of that size: a signed note. */
  checkpoint: string;
}

export interface AnsweredDevice {
  client_id: string;
  scope: string;
  status: "authorized" | "denied";
}

export interface ApiKey {
  id: string;
  name: string;
  prefix: string;
  last4: string;
  scopes: ("read" | "write" | "read:sessions" | "write:sessions" | "account_owner")[];
  status: "active" | "rotated" | "expired" | "revoked";
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  created_by: Creator | null;
}

export interface ApiKeyRevokedWebhookEnvelope {
  id: string;
  type: "api_key.revoked";
  created_at: string;
  data: {
    api_key_id: string;
    name: string;
    revoked_at: string;
  };
}

export interface Archetype {
  id: string;
  name: string;
  device: string;
  os: string;
  os_version: string;
  browser: string;
  browser_version: string;
  user_agent: string;
  viewport: {
    width: number;
    height: number;
  };
  screen: {
    width: number;
    height: number;
  };
  device_pixel_ratio: number;
}

export interface ArchetypeCatalogue {
  default: string;
  archetypes: (Archetype)[];
}

export interface AuditCheckpoint {
  /** A signed note (c2sp.org/tlog-checkpoint). Its origin ends with the pseudonym of the account. */
  checkpoint: string;
  /** Number of entries in the log. */
  size: number;
  /** The root of the tree. */
  root: string;
  at: string;
}

export interface AuditEntry {
  id: string;
  sequence: number;
  action: string;
  account_id: string;
  actor_account_id?: string | undefined;
  actor_key_id?: string | undefined;
  actor_type: "user" | "api_key" | "system" | "staff";
  target: {
    type: string;
    id: string;
  };
  payload: Record<string, unknown>;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
  created_at: string;
  /** The `hash` of the previous entry by `sequence`; 64 zeros for the first. */
  prev_hash: string;
  /** SHA-256, as 64 lower-case hex digits, of this entry without `hash`: its JSON in UTF-8, canonical by RFC 8785 (the keys of every object sorted, no white space). Fields that are absent are left out, and `null` is kept. The JSON lines of the export can be checked as they are. */
  hash: string;
}

export interface AuditKeys {
  /** Oldest first; the key without `until` is in use. */
  keys: ({
    /** A verifier key (c2sp.org/signed-note). */
    vkey: string;
    from: string;
    until: string | null;
    introduction: string | null;
  })[];
}

export interface AuthorizationServer {
  issuer: string;
  device_authorization_endpoint: string;
  token_endpoint: string;
  scopes_supported: (string)[];
  /** None: there is no authorization endpoint. */
  response_types_supported: (string)[];
  grant_types_supported: (string)[];
  token_endpoint_auth_methods_supported: (string)[];
  service_documentation: string;
}

export interface Bill {
  period: string;
  /** The sum of the lines, whatever their currencies: an amount of money only if they have the same. */
  total_cents: number;
  /** The sum of the lines of each currency. */
  totals: ({
    currency: string;
    amount_cents: number;
  })[];
  /** Payments of the month, oldest first. */
  lines: (BillLine)[];
}

export interface BillLine {
  /** In the smallest unit of the currency. */
  amount_cents: number;
  currency: string;
  kind: "card" | "crypto";
  item: string | null;
  /** The id of the invoice or of the order. */
  reference: string;
  paid_at: string;
  /** The events behind the amount; the event that states it comes last. */
  event_ids: (string)[];
}

export interface Billing {
  tier: "free" | "personal" | "team" | "agency" | "api_starter" | "api_builder" | "api_scale" | "enterprise";
  status: "none" | "trialing" | "active" | "past_due" | "incomplete" | "incomplete_expired" | "unpaid" | "paused" | "canceled";
  current_period_end: string | null;
  cancel_at_period_end: boolean;
  payment_method: {
    brand: string;
    last4: string;
  } | null;
  invoices: (Invoice)[];
}

export interface BundledLlmSettings {
  bundled_llm_consent: boolean;
  bundled_llm_monthly_cap_usd_cents: number;
}

export interface BundledLlmStatus {
  /** Whether this deployment offers a bundled model. */
  available: boolean;
  spent_cents: number;
  cap_cents: number;
  period_start: string;
  resets_at: string;
}

export interface Capture {
  kind: "screenshot" | "dom_snapshot" | "pdf";
  selector?: string | undefined;
  label?: string | undefined;
  role?: string | undefined;
  name?: string | undefined;
  placeholder?: string | undefined;
  test_id?: string | undefined;
  ref?: string | undefined;
  frame?: Frame | undefined;
  text?: string | undefined;
  /** Default: false. */
  full_page?: boolean | undefined;
  /** Default: 30000, unless this service is configured otherwise. */
  timeout_ms?: number | undefined;
}

export interface CaptureResult {
  kind: "screenshot" | "dom_snapshot" | "pdf";
  data: string;
  encoding: "base64" | "utf8";
  byte_size: number;
  duration_ms: number;
}

export interface CaptureSnapshot {
  label: string;
  description?: string | null | undefined;
}

export interface CardPage {
  url: string;
  expires_at: string;
}

export interface Challenge {
  type: "akamai" | "arkose" | "aws_waf" | "cloudflare_interstitial" | "cloudflare_turnstile" | "datadome" | "geetest" | "hcaptcha" | "imperva" | "kasada" | "perimeterx" | "recaptcha_v2" | "recaptcha_v3" | "unknown";
  confidence: number;
  detail: string;
}

export interface Change {
  /** A JSON Pointer into the resource. */
  path: string;
  /** Absent where the field is new. */
  before?: unknown;
  /** Absent where the field is gone. */
  after?: unknown;
}

export interface ChangeMode {
  mode: "ai" | "manual" | "pair";
}

export interface ChangeOrder {
  pay_currency: string;
}

export interface CheckAction {
  kind: "check";
  selector?: string | undefined;
  label?: string | undefined;
  role?: string | undefined;
  name?: string | undefined;
  placeholder?: string | undefined;
  test_id?: string | undefined;
  ref?: string | undefined;
  frame?: Frame | undefined;
  text?: string | undefined;
  checked: boolean;
}

export interface ClearAction {
  kind: "clear";
  selector?: string | undefined;
  label?: string | undefined;
  role?: string | undefined;
  name?: string | undefined;
  placeholder?: string | undefined;
  test_id?: string | undefined;
  ref?: string | undefined;
  frame?: Frame | undefined;
  text?: string | undefined;
}

export type ClientId = string;

export interface CloneProfile {
  name?: string | undefined;
}

export interface CloseTabAction {
  kind: "close_tab";
  tab_id?: string | undefined;
}

export type Condition = SelectorCondition | UrlCondition | LoadStateCondition | TextCondition | DelayCondition;

export interface ConfirmPasswordReset {
  /** From the link in the mail. It works once. */
  token: string;
  /** At least 12 characters, at most 1024 bytes, and not one of the most common passwords. */
  password: string;
}

export interface Confirmed {
  status: "confirmed";
}

export interface ConsistencyProof {
  from: number;
  to: number;
  /** The root of the smaller tree. */
  from_root: string;
  /** The root of the larger tree. */
  to_root: string;
  /** In the order of RFC 6962. */
  proof: (string)[];
}

export interface Cookie {
  domain: string;
  name: string;
  value: string;
  path?: string | undefined;
  expires?: number | null | undefined;
  httpOnly?: boolean | undefined;
  secure?: boolean | undefined;
  sameSite?: "Strict" | "Lax" | "None" | undefined;
}

export interface CookiesAnswer {
  cookies: (Cookie)[] | null;
  status: "ok" | "unavailable" | "timeout" | "error";
  reason?: string | undefined;
}

export interface CreateAgentSession {
  /** Default: ai. */
  mode?: "ai" | "manual" | "pair" | undefined;
  model?: string | undefined;
  service_session_id?: string | undefined;
  token_budget?: number | undefined;
  profile_id?: string | undefined;
  proxy_id?: string | undefined;
  initial_url?: string | undefined;
  /** Reported to every page that asks for it. Without it pages are refused: none is derived from the exit address of the proxy. */
  geolocation?: {
    latitude: number;
    longitude: number;
    accuracy?: number | undefined;
  } | undefined;
  /** Ends the session with the reason `idle` after this time without any operation, message, viewer or input. Without it, an idle session does not end. */
  idle_timeout_seconds?: number | undefined;
}

export interface CreateApiKey {
  name: string;
  scopes?: ("read" | "write" | "read:sessions" | "write:sessions" | "account_owner")[] | undefined;
  expires_at?: string | null | undefined;
}

export interface CreateCheckoutSession {
  tier: "free" | "personal" | "team" | "agency" | "api_starter" | "api_builder" | "api_scale" | "enterprise";
}

export interface CreateInvitation {
  email: string;
  role: "member" | "admin";
}

export type CreatePortalSession = Record<string, unknown>;

export interface CreateProfile {
  name: string;
  archetype?: string | undefined;
  description?: string | null | undefined;
}

export interface CreateProxy {
  label: string;
  scheme: "http" | "https" | "socks5";
  host: string;
  port: number;
  username?: string | null | undefined;
  password?: string | null | undefined;
}

export interface CreateRecipe {
  /** `agt_<uuid>` */
  agent_session_id: string;
  name?: string | undefined;
  description?: string | undefined;
  /** Default: the suggested ones. At most 256 KiB as JSON in UTF-8, with their parameters. */
  steps?: (RecipeStep)[] | undefined;
}

export interface CreateSession {
  archetype?: string | undefined;
  label?: string | undefined;
  /** At most 100 fields, and 64 KiB as JSON in UTF-8. */
  metadata?: Record<string, unknown> | undefined;
  /** A profile, as `prof_<uuid>` or the bare uuid. The session starts with the saved state of the profile, cookies included, and saves its state back: `write:sessions` is enough for that, and `read:sessions` in addition for reading the cookies. */
  profile_id?: string | undefined;
  proxy_id?: string | undefined;
  /** Ends the session with the reason `idle` after this time without any operation, message, viewer or input. Without it, an idle session does not end. */
  idle_timeout_seconds?: number | undefined;
}

export interface CreateWebhook {
  url: string;
  events: ("session.completed" | "session.failed" | "api_key.revoked" | "session.egress_capability_changed" | "crypto.order.paid" | "crypto.order.failed" | "session.challenge_detected" | "session.profile_save_failed")[];
  description?: string | null | undefined;
}

export interface Creator {
  account_id: string | null;
  api_key_id: string | null;
}

export interface CryptoOrder {
  id: string;
  status: "pending" | "partially_paid" | "confirming" | "paid" | "expired" | "cancelled" | "failed";
  product: string;
  price_cents: number;
  price_currency: string;
  pay_currency: string;
  pay_amount: string;
  pay_exponent: number;
  quote_expires_at: string;
  pay_address: string;
  pay_memo: string | null;
  payment_uri: string;
  qr_svg: string;
  amount_paid: string;
  amount_missing?: string | undefined;
  payment_id: string;
  expires_at: string;
  paid_at: string | null;
  failed_at: string | null;
  failure_reason: "ipn" | "expired" | "swept" | null;
  created_at: string;
}

export interface CryptoOrderFailedWebhookEnvelope {
  id: string;
  type: "crypto.order.failed";
  created_at: string;
  data: {
    order_id: string;
    product: string;
    price_cents: number;
    price_currency: string;
    payment_id: string;
    failed_at: string;
    reason: "ipn" | "expired" | "swept";
  };
}

export interface CryptoOrderPaidWebhookEnvelope {
  id: string;
  type: "crypto.order.paid";
  created_at: string;
  data: {
    order_id: string;
    product: string;
    price_cents: number;
    price_currency: string;
    payment_id: string;
    paid_at: string;
  };
}

export interface DelayCondition {
  kind: "delay";
  ms: number;
}

export interface DeliveryAttempt {
  at: string;
  response_status: number | null;
  error: "timeout" | "dns_failure" | "address_not_allowed" | "connection_failed" | "connection_closed" | "tls_failure" | "invalid_response" | null;
  duration_ms: number;
  timings: {
    resolve_ms: number | null;
    connect_ms: number | null;
    first_byte_ms: number | null;
  };
}

export interface DeliveryReplayed {
  delivery_id: string;
  replay_of: string;
  event_id: string;
  status: "pending";
}

export interface DeliveryRequest {
  method: "POST";
  url: string;
  /** In addition to those of HTTP itself, such as `Host` and `Content-Length`. */
  headers: ({
    name: string;
    value: string | null;
  })[];
  /** The body, byte for byte. */
  body: string;
}

export interface DeviceAnswer {
  user_code: string;
  approve: boolean;
}

export interface DeviceAuthorization {
  device_code: string;
  /** The code that the owner types; dashes and case are ignored. */
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}

export interface DeviceAuthorizationRequest {
  /** A public client: `service-desktop`. */
  client_id: string;
  /** `read:sessions` and `write:sessions`, separated by a space; by default both. */
  scope?: string | undefined;
}

export interface Dialog {
  type: "alert" | "beforeunload" | "confirm" | "prompt";
  accepted: boolean;
  message: string;
}

export interface DoubleTapAction {
  kind: "double_tap";
  selector?: string | undefined;
  label?: string | undefined;
  role?: string | undefined;
  name?: string | undefined;
  placeholder?: string | undefined;
  test_id?: string | undefined;
  ref?: string | undefined;
  frame?: Frame | undefined;
  text?: string | undefined;
  x?: number | undefined;
  y?: number | undefined;
}

export interface Download {
  name: string;
  /** Bytes so far. */
  size: number;
  mime: string;
  state: "in_progress" | "finished" | "failed" | "refused";
}

export interface DownloadContent {
  file: {
    name: string;
    mime: string;
    dataB64: string;
  } | null;
  status: "ok" | "unavailable" | "timeout" | "error";
  reason?: string | undefined;
}

export interface DownloadEntry {
  name: string;
  size: number;
  mime?: string | undefined;
}

export interface DownloadsAnswer {
  files: (DownloadEntry)[] | null;
  status: "ok" | "unavailable" | "timeout" | "error";
  reason?: string | undefined;
}

export interface DragAction {
  kind: "drag";
  from: Place;
  to: Place;
}

export interface EgressCapabilities {
  udp_associate: boolean;
  dns_remote_resolve: boolean;
  quic_route: string;
  warnings: (string)[];
}

export interface EmailBody {
  /** Case is ignored. */
  email: string;
}

export interface EmailPreference {
  event_type: "signup-welcome" | "session-success-first" | "session-failed-first" | "tier-changed" | "billing-receipt" | "billing-renewal-reminder";
  opted_in: boolean;
}

export interface EmailPreferences {
  preferences: (EmailPreference)[];
}

export interface ErrorEvent {
  timestamp: string;
  code: string;
  severity: "info" | "warn" | "error" | "fatal";
  summary: string;
  detail: string | null;
  customer_actionable: boolean;
  retryable: boolean;
}

export interface EventPage {
  data: (WebhookEnvelope)[];
  has_more: boolean;
  next_cursor: string;
}

export interface ExportProfile {
  passphrase?: string | undefined;
}

export interface ExportedProfile {
  format: "service-profile/1";
  data: string;
  byte_size: number;
  sha256: string;
  passphrase?: string | undefined;
}

export interface Extract {
  /** A subset of JSON Schema: `type` (by default `object` beside `properties`, `array` beside `items`, else `string`), `properties`, `items`, `required`, `enum`, and `x-selector` / `x-attribute`. A property without `x-selector` is looked for by its name, as an itemprop, data-field, name, id or class. */
  schema: Record<string, unknown>;
  selector?: string | undefined;
  frame?: Frame | undefined;
  instruction?: string | undefined;
  /** Default: 30000, unless this service is configured otherwise. */
  timeout_ms?: number | undefined;
}

export interface ExtractResult {
  data: unknown;
  matched: boolean;
  detail?: string | undefined;
  duration_ms: number;
}

export interface FocusAction {
  kind: "focus";
  selector?: string | undefined;
  label?: string | undefined;
  role?: string | undefined;
  name?: string | undefined;
  placeholder?: string | undefined;
  test_id?: string | undefined;
  ref?: string | undefined;
  frame?: Frame | undefined;
  text?: string | undefined;
}

export type Frame = string | (string)[];

export interface GoInHistory {
  direction: "back" | "forward";
  tabId?: string | undefined;
}

export interface GuiControlKey {
  key: string;
  expires_at: string;
  agent_session_id: string;
  scope: "gui_control";
  ws_url: string | null;
}

export type HandBack = Record<string, unknown>;

export interface HistoryEntry {
  /** `<commit>/<prepare>` */
  position: string;
  at: string;
  /** The action as in the audit log; else the event's type. */
  action: string;
  actor: {
    kind: "user" | "api_key" | "system" | "staff";
    account_id: string | null;
  };
  request_id: string | null;
  audit_entry_id?: string | undefined;
  changes: (Change)[];
}

export interface HistoryPage {
  data: (HistoryEntry)[];
  has_more: boolean;
  next_cursor: string;
}

export interface ImportProfile {
  name: string;
  data: string;
  passphrase?: string | undefined;
}

export interface InclusionProof {
  sequence: number;
  /** The sequence minus one. */
  leaf_index: number;
  /** The leaf hash (RFC 6962) of the 32 bytes of the entry’s `hash`. */
  leaf_hash: string;
  /** Number of entries in the tree. */
  size: number;
  /** The root of the tree. */
  root: string;
  /** In the order of RFC 6962. */
  proof: (string)[];
}

export interface IndexedEntry {
  index: number;
  entry: TranscriptEntry;
}

export type InputEvent = MouseMoveInputEvent | MouseDownInputEvent | MouseUpInputEvent | KeyDownInputEvent | KeyUpInputEvent | WheelInputEvent | TapInputEvent | TouchStartInputEvent | TouchMoveInputEvent | TouchEndInputEvent | SwipeInputEvent | TextInputEvent | PasteInputEvent | PingInputEvent;

export interface InputTaken {
  kind: "pair-mode-takeover-fired";
  pair_mode_state: PairModeState;
}

export type IntentResult = {
  kind: "success";
  intent: ShownIntent;
  summary: string;
  captureId?: string | undefined;
  target?: {
    selector: string;
    text: string;
    role: string;
  } | undefined;
  healed?: true | undefined;
} | {
  kind: "failure";
  intent: ShownIntent;
  reason: string;
  diagnosis: {
    category: "element_not_found" | "page_load_failed" | "condition_not_met" | "capture_failed" | "scroll_failed" | "session_error" | "invalid_request" | "result_too_large" | "unknown";
    retryable: boolean;
  };
};

export interface Interact {
  action: Action;
  dialogs?: {
    accept: boolean;
    prompt_text?: string | undefined;
  } | undefined;
  /** Default: 30000, unless this service is configured otherwise, and in addition what the operation takes by itself (a delay, a gesture, the pauses between letters); at most 120000. */
  timeout_ms?: number | undefined;
}

export interface InteractResult {
  kind: "tap" | "double_tap" | "long_press" | "type" | "press" | "clear" | "focus" | "select" | "check" | "scroll" | "swipe" | "pinch" | "upload" | "drag" | "activate_tab" | "close_tab";
  duration_ms: number;
  summary: string;
  dialogs?: (Dialog)[] | undefined;
  downloads?: (Download)[] | undefined;
  tab_id?: string | undefined;
}

export interface Invitation {
  id: string;
  /** `erased` once the account is erased; `unreadable` while the service lacks the key of the address. */
  email: string;
  role: "member" | "admin";
  expires_at: string;
  created_at: string;
}

export interface Invoice {
  id: string;
  status: "paid" | "open";
  amount_cents: number;
  currency: string;
  tier: "free" | "personal" | "team" | "agency" | "api_starter" | "api_builder" | "api_scale" | "enterprise" | null;
  period_start: string;
  period_end: string;
  paid_at: string | null;
}

export interface IssuedApiKey {
  id: string;
  name: string;
  prefix: string;
  last4: string;
  scopes: ("read" | "write" | "read:sessions" | "write:sessions" | "account_owner")[];
  status: "active" | "rotated" | "expired" | "revoked";
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  created_by: Creator | null;
  key: string;
}

export interface IssuedWebhook {
  id: string;
  url: string;
  events: ("session.completed" | "session.failed" | "api_key.revoked" | "session.egress_capability_changed" | "crypto.order.paid" | "crypto.order.failed" | "session.challenge_detected" | "session.profile_save_failed")[];
  description?: string | undefined;
  consecutive_failures: number;
  disabled_at: string | null;
  created_at: string;
  updated_at: string;
  secret_created_at: string;
  previous_secret_expires_at: string | null;
  created_by?: Creator | null | undefined;
  secret: string;
}

export interface KeyDownInputEvent {
  type: "keyDown";
  key: string;
  modifiers?: ("cmd" | "ctrl" | "shift" | "option")[] | undefined;
}

export interface KeyUpInputEvent {
  type: "keyUp";
  key: string;
}

export interface LaunchProfile {
  label?: string | undefined;
}

export interface LiveStatus {
  status: "ok" | "unavailable" | "timeout" | "error";
  reason?: string | undefined;
}

export interface LoadStateCondition {
  kind: "load_state";
  state: "load" | "domcontentloaded" | "networkidle";
}

export interface Login {
  url?: string | undefined;
  /** Restricts where the fields are typed: only into pages of this host and its subdomains, over https, and into forms that are sent to those. With `http://` in front also over http. On any other page the operation fails. */
  site?: string | undefined;
  fields: {
    username?: string | undefined;
    password?: string | undefined;
    otp?: string | undefined;
  };
  selectors?: {
    username?: string | undefined;
    password?: string | undefined;
    otp?: string | undefined;
    submit?: string | undefined;
  } | undefined;
  success?: Condition | undefined;
  /** Default: 30000, unless this service is configured otherwise. */
  timeout_ms?: number | undefined;
}

export interface LoginRequest {
  /** Case is ignored. */
  email: string;
  password: string;
}

export interface LoginResult {
  status: "authenticated" | "needs_input" | "failed";
  fields?: ({
    name: string;
    type: string;
  })[] | undefined;
  final_url: string;
  duration_ms: number;
}

export interface LongPressAction {
  kind: "long_press";
  selector?: string | undefined;
  label?: string | undefined;
  role?: string | undefined;
  name?: string | undefined;
  placeholder?: string | undefined;
  test_id?: string | undefined;
  ref?: string | undefined;
  frame?: Frame | undefined;
  text?: string | undefined;
  x?: number | undefined;
  y?: number | undefined;
  /** Default: 600. */
  duration_ms?: number | undefined;
}

export interface Membership {
  owner_account_id: string;
  role: "member" | "admin";
  membership_id: string;
}

export type MessageAnswer = {
  kind: "plan-executed";
  session: AgentSession;
  intents: (ShownIntent)[];
  results: (IntentResult)[];
  ok: boolean;
  usage?: {
    decomposer_kind: "deterministic" | "own_key" | "bundled";
    model?: string | undefined;
    provider_input_tokens?: number | undefined;
    provider_output_tokens?: number | undefined;
    cost_usd_cents?: number | undefined;
  } | undefined;
  rounds?: number | undefined;
  clarifying_question?: string | undefined;
  refuse_reason?: string | undefined;
  /** The result in the form of `result_schema`; null if it could not be filled in. Present only if the message had a schema. */
  result?: unknown;
  result_error?: string | null | undefined;
} | {
  kind: "clarify";
  session: AgentSession;
  clarifying_question: string;
  intents?: (ShownIntent)[] | undefined;
  usage?: {
    decomposer_kind: "deterministic" | "own_key" | "bundled";
    model?: string | undefined;
    provider_input_tokens?: number | undefined;
    provider_output_tokens?: number | undefined;
    cost_usd_cents?: number | undefined;
  } | undefined;
  rounds?: number | undefined;
  /** The result in the form of `result_schema`; null if it could not be filled in. Present only if the message had a schema. */
  result?: unknown;
  result_error?: string | null | undefined;
} | {
  kind: "refuse";
  session: AgentSession;
  refuse_reason: string;
  usage?: {
    decomposer_kind: "deterministic" | "own_key" | "bundled";
    model?: string | undefined;
    provider_input_tokens?: number | undefined;
    provider_output_tokens?: number | undefined;
    cost_usd_cents?: number | undefined;
  } | undefined;
  rounds?: number | undefined;
  /** The result in the form of `result_schema`; null if it could not be filled in. Present only if the message had a schema. */
  result?: unknown;
  result_error?: string | null | undefined;
} | {
  kind: "logged-manual";
  session: AgentSession;
};

export interface MfaCode {
  /** Six digits, from the authenticator app. */
  code: string;
}

export interface MfaDisableCode {
  /** Six digits, from the authenticator app; or a recovery code. */
  code: string;
}

export interface MfaEnrolment {
  /** In base 32, for an app that cannot read the URI. */
  secret: string;
  /** For a QR code. */
  otpauth_uri: string;
}

export interface MfaFreshness {
  fresh_until: string;
}

export interface MfaLogin {
  /** From the answer to the first factor. */
  mfa_token: string;
  /** Six digits, from the authenticator app; or a recovery code. */
  code: string;
}

export interface MfaRecoveryCodes {
  /** Each signs in once, in place of a code of the app. They are shown only once. */
  recovery_codes: (string)[];
}

export interface MfaRequired {
  mfa_required: true;
  /** For `POST /v1/auth/mfa/login`, with a code. */
  mfa_token: string;
}

export interface MouseDownInputEvent {
  type: "mouseDown";
  x: number;
  y: number;
  button: number;
}

export interface MouseMoveInputEvent {
  type: "mouseMove";
  x: number;
  y: number;
}

export interface MouseUpInputEvent {
  type: "mouseUp";
  x: number;
  y: number;
  button: number;
}

export interface Navigate {
  url: string;
  /** Default: load. */
  wait_until?: "load" | "domcontentloaded" | "networkidle" | undefined;
  credentials?: {
    username: string;
    password: string;
  } | undefined;
  /** Default: 30000, unless this service is configured otherwise. */
  timeout_ms?: number | undefined;
}

export interface NavigateResult {
  final_url: string;
  status: number | null;
  duration_ms: number;
  dialogs?: (Dialog)[] | undefined;
  downloads?: (Download)[] | undefined;
}

export interface OAuthTokens {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  /** Works once; its use returns the next one. */
  refresh_token: string;
  scope: string;
}

export interface ObservedElement {
  ref: string;
  role: string;
  name: string;
  value?: string | undefined;
  options?: (string)[] | undefined;
  states?: (string)[] | undefined;
  in_view: boolean;
}

export interface OrderReceipt {
  receipt_number: string;
  order_id: string;
  account_id: string;
  product: string;
  tier: "free" | "personal" | "team" | "agency" | "api_starter" | "api_builder" | "api_scale" | "enterprise";
  days: number;
  price_cents: number;
  price_currency: string;
  pay_currency: string;
  pay_amount: string;
  pay_exponent: number;
  amount_paid: string;
  payment_id: string;
  ordered_at: string;
  paid_at: string;
}

export interface Organization {
  display_name: string | null;
  company: string | null;
  use_case: string | null;
  size: string | null;
}

export interface OwnLlmKey {
  configured: boolean;
  provider: "anthropic" | null;
  last4: string | null;
  created_at: string | null;
  last_test: OwnLlmKeyTest | null;
}

export interface OwnLlmKeyTest {
  ok: boolean;
  checked_at: string;
  error?: "rejected" | "provider_error" | "unreachable" | "timeout" | "egress_blocked" | undefined;
}

export interface PageObservation {
  url: string;
  title: string;
  scroll: {
    y: number;
    height: number;
    view: number;
  };
  elements: (ObservedElement)[];
  headings: (string)[];
  text: string;
  cut: boolean;
  dialog: string | null;
  picture?: {
    media_type: "image/jpeg";
    data: string;
  } | undefined;
}

export interface PageState {
  state: "loading" | "loaded" | "errored" | "stalled";
  url: string | null;
  title: string | null;
  tabId: string | null;
  error: {
    kind: "load_failed" | "tls_failed";
    message: string;
  } | null;
}

export interface PageStateAnswer {
  page_state: PageState | null;
}

export interface PairModeChanged {
  pair_mode_state: PairModeState;
}

export interface PairModeState {
  kind: "ai-driving" | "takeover-pending" | "takeover-queued" | "human-driving" | "handback-pending" | "handback-queued";
  requestedByClientId?: string | undefined;
  requestedAt?: string | undefined;
}

export interface PasswordReset {
  status: "password_reset";
}

export interface PasteInputEvent {
  type: "paste";
  text: string;
}

export interface PinchAction {
  kind: "pinch";
  selector?: string | undefined;
  label?: string | undefined;
  role?: string | undefined;
  name?: string | undefined;
  placeholder?: string | undefined;
  test_id?: string | undefined;
  ref?: string | undefined;
  frame?: Frame | undefined;
  text?: string | undefined;
  x?: number | undefined;
  y?: number | undefined;
  scale: number;
  /** Default: 300. */
  duration_ms?: number | undefined;
}

export interface PingInputEvent {
  type: "ping";
  timestamp: number;
}

export interface Place {
  selector?: string | undefined;
  label?: string | undefined;
  role?: string | undefined;
  name?: string | undefined;
  placeholder?: string | undefined;
  test_id?: string | undefined;
  ref?: string | undefined;
  frame?: Frame | undefined;
  text?: string | undefined;
  x?: number | undefined;
  y?: number | undefined;
}

export interface PlaceOrder {
  product: string;
  pay_currency: string;
}

export interface PressAction {
  kind: "press";
  selector?: string | undefined;
  label?: string | undefined;
  role?: string | undefined;
  name?: string | undefined;
  placeholder?: string | undefined;
  test_id?: string | undefined;
  ref?: string | undefined;
  frame?: Frame | undefined;
  text?: string | undefined;
  key: string;
  modifiers?: ("cmd" | "ctrl" | "shift" | "option")[] | undefined;
}

export interface Profile {
  id: string;
  name: string;
  archetype: string;
  description: string | null;
  last_used_at: string | null;
  created_at: string;
  updated_at: string;
  storage_bytes: number;
  save_state: "none" | "saved" | "saving" | "failed";
  save_error?: "serialize_failed" | "seal_failed" | "too_large" | "upload_failed" | "degenerate_dump" | "superseded" | undefined;
  cloned_from: string | null;
  restored_from_snapshot: string | null;
}

export interface ProfileSnapshot {
  id: string;
  label: string;
  description: string | null;
  parent_archetype: string;
  parent_name: string;
  parent_profile_id: string | null;
  captured_at: string;
  state_blob: "";
}

export interface Proxy {
  id: string;
  label: string;
  scheme: "http" | "https" | "socks5";
  host: string;
  port: number;
  username: string | null;
  has_password: boolean;
  last_check: {
    ok: boolean;
    reason: "unreachable" | "auth_failed" | "timeout" | "egress_blocked" | null;
    at: string;
  } | null;
  created_at: string;
  updated_at: string;
}

export interface PublicStatus {
  status: {
    indicator: "none" | "minor" | "major" | "critical";
    /** Text for people. It says so if this is only the last known status. */
    description: string;
  };
  components: ({
    id: "api" | "sessions" | "agent-sessions" | "webhooks" | "projections";
    name: string;
    status: "operational" | "degraded_performance" | "partial_outage" | "major_outage";
  })[];
  /** Every open incident, and those resolved within 14 days up to 50 in all; newest first. */
  incidents: (StatusIncident)[];
  /** Always empty. */
  scheduled_maintenances: (unknown)[];
  /** When this status was last known to be complete. `Age` is the number of seconds since. */
  updated_at: string;
}

export interface PutEmailPreference {
  event_type: "signup-welcome" | "session-success-first" | "session-failed-first" | "tier-changed" | "billing-receipt" | "billing-renewal-reminder";
  opted_in: boolean;
}

export interface PutOrganization {
  display_name?: string | null | undefined;
  company?: string | null | undefined;
  use_case?: string | null | undefined;
  size?: string | null | undefined;
}

export interface PutOwnLlmKey {
  api_key: string;
}

export interface Quote {
  product: string;
  price_cents: number;
  price_currency: string;
  pay_currency: string;
  pay_amount: string;
  pay_exponent: number;
  quote_expires_at: string;
}

export interface Recipe {
  id: string;
  name: string;
  description: string;
  agent_session_id: string;
  archetype: string;
  steps: (RecipeStep)[];
  parameters: (RecipeParameter)[];
  source: {
    from_index: number;
    to_index: number;
  };
  source_hash: string;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface RecipeParameter {
  name: string;
  type: "string" | "boolean";
  sensitive: boolean;
  default?: string | boolean | undefined;
}

export interface RecipeStep {
  kind: "navigate" | "interact" | "wait" | "capture" | "scroll" | "behavioral_pause";
  target?: {
    selector: string;
    text: string;
    role: string;
  } | undefined;
  [name: string]: unknown;
}

export interface RecipeSuggestion {
  suggestion: {
    agent_session_id: string;
    steps: (RecipeStep)[];
    parameters: (RecipeParameter)[];
    source: {
      from_index: number;
      to_index: number;
    };
    source_hash: string;
    omitted: number;
  } | null;
  reason?: string | undefined;
}

export interface RefreshBody {
  /** From the link in the mail. It works once. */
  refresh_token?: string | undefined;
}

export interface ReplayForecast {
  kind: "dry_run";
  dry_run: true;
  matching: number;
  first_at: string | null;
  last_at: string | null;
}

export interface ReplayRange {
  since: string;
  until?: string | undefined;
  types?: ("session.completed" | "session.failed" | "api_key.revoked" | "session.egress_capability_changed" | "crypto.order.paid" | "crypto.order.failed" | "session.challenge_detected" | "session.profile_save_failed")[] | undefined;
  dry_run?: boolean | undefined;
}

export interface RequestTree {
  request: {
    /** The `X-Request-Id` of its answer. */
    id: string;
    method: string | null;
    path: string | null;
    status: number | null;
    at: string;
    duration_ms: number | null;
  };
  /** In the order of the log. */
  events: ({
    id: string;
    type: string;
    stream: string;
    /** Position in the log, as in `X-Service-Position`. */
    position: string;
    at: string;
    cause: string | null;
    by: "request" | "reaction" | "timer" | "callback";
    /** The route, the process manager, the timer or the callback. */
    name?: string | undefined;
  })[];
  deliveries: ({
    id: string;
    event_id: string;
    status: "pending" | "retrying" | "delivered" | "dead_letter" | "cancelled";
    attempts: (DeliveryAttempt)[];
  })[];
  mails: ({
    id: string;
    template: "account-verification" | "password-reset" | "magic-link" | "sign-in-merge" | "sign-in-attempts" | "second-factor-attempts" | "second-factor-removed" | "team-invitation" | "team-member-removed" | "own-key-reminder" | "signup-welcome" | "session-success-first" | "session-failed-first" | "tier-changed" | "webhook-failing" | "webhook-disabled" | "webhook-secret-reminder" | "webhook-grace-ending" | "payment-failed" | "billing-receipt" | "billing-renewal-reminder" | "deprecation-notice" | "status-confirm" | "status-subscribed" | "incident-posted" | "incident-update" | "incident-resolved";
    status: "queued" | "sent" | "abandoned";
  })[];
  /** Whether it led to more than the 1000 events that are shown. */
  has_more: boolean;
}

export interface RestoreSnapshot {
  name: string;
}

export interface Resume {
  challenge_id?: string | undefined;
}

export interface ResumeAccepted {
  status: "resume_requested";
  session_id: string;
}

export type RotateApiKey = Record<string, unknown>;

export interface RotatedApiKey {
  id: string;
  name: string;
  prefix: string;
  last4: string;
  scopes: ("read" | "write" | "read:sessions" | "write:sessions" | "account_owner")[];
  status: "active" | "rotated" | "expired" | "revoked";
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  created_by: Creator | null;
  key: string;
  previous: {
    id: string;
    expires_at: string;
  };
}

export interface RotatedSecret {
  secret: string;
  previous_secret_expires_at: string;
}

export interface ScrollAction {
  kind: "scroll";
  selector?: string | undefined;
  label?: string | undefined;
  role?: string | undefined;
  name?: string | undefined;
  placeholder?: string | undefined;
  test_id?: string | undefined;
  ref?: string | undefined;
  frame?: Frame | undefined;
  text?: string | undefined;
  delta_x?: number | undefined;
  delta_y?: number | undefined;
}

export interface Search {
  query: string;
  engine?: string | undefined;
  /** Default: 10. */
  limit?: number | undefined;
  /** Default: 30000, unless this service is configured otherwise. */
  timeout_ms?: number | undefined;
}

export interface SearchResult {
  results: ({
    position: number;
    title: string;
    url: string;
    snippet: string | null;
  })[];
  final_url: string;
  duration_ms: number;
}

export interface SelectAction {
  kind: "select";
  selector?: string | undefined;
  label?: string | undefined;
  role?: string | undefined;
  name?: string | undefined;
  placeholder?: string | undefined;
  test_id?: string | undefined;
  ref?: string | undefined;
  frame?: Frame | undefined;
  text?: string | undefined;
  values?: (string)[] | undefined;
  indexes?: (number)[] | undefined;
}

export interface SelectorCondition {
  kind: "selector";
  selector?: string | undefined;
  label?: string | undefined;
  role?: string | undefined;
  name?: string | undefined;
  placeholder?: string | undefined;
  test_id?: string | undefined;
  ref?: string | undefined;
  frame?: Frame | undefined;
  text?: string | undefined;
  /** Default: visible. */
  state?: "visible" | "attached" | "hidden" | "detached" | undefined;
}

export interface SendInput {
  event: InputEvent;
  client_id?: string | undefined;
}

export interface Session {
  id: string;
  account_id: string;
  archetype: string;
  status: "creating" | "ready" | "busy" | "destroyed" | "errored";
  label: string;
  metadata: Record<string, unknown>;
  profile_id: string | null;
  created_at: string;
  updated_at: string;
  ready_at: string | null;
  destroyed_at: string | null;
  ended_reason: string | null;
  expires_at?: string | undefined;
  idle_timeout_seconds?: number | undefined;
  egress_capabilities?: EgressCapabilities | null | undefined;
}

export interface SessionChallengeDetectedWebhookEnvelope {
  id: string;
  type: "session.challenge_detected";
  created_at: string;
  data: {
    session_id: string;
    challenge_id: string;
    challenge: Challenge;
  };
}

export interface SessionCompletedWebhookEnvelope {
  id: string;
  type: "session.completed";
  created_at: string;
  data: {
    session_id: string;
    duration_ms: number;
    auto_destroyed?: true | undefined;
    reason?: "auto-destroyed: free-tier session duration cap" | "account suspended" | undefined;
  };
}

export interface SessionEgressCapabilityChangedWebhookEnvelope {
  id: string;
  type: "session.egress_capability_changed";
  created_at: string;
  data: {
    session_id: string;
    egress_capabilities: EgressCapabilities;
  };
}

export interface SessionFailedWebhookEnvelope {
  id: string;
  type: "session.failed";
  created_at: string;
  data: {
    session_id: string;
    duration_ms: number;
    operation: "navigate" | "interact" | "wait" | "state_capture" | "capture" | "extract" | "search" | "login" | "gui_input" | "unknown";
    error_name: "SessionTimeoutError" | "DriverError" | "DriverNotIntegratedError" | "UnknownError";
    error_message: string;
  };
}

export interface SessionProfileSaveFailedWebhookEnvelope {
  id: string;
  type: "session.profile_save_failed";
  created_at: string;
  data: {
    session_id: string;
    profile_id: string;
    reason: "serialize_failed" | "seal_failed" | "too_large" | "upload_failed" | "degenerate_dump" | "superseded";
    detail: string;
  };
}

export interface SessionVideoToken {
  ws_url: string;
  room: string;
  token: string;
  participant_identity: string;
  expires_at: string;
}

export interface SetCookies {
  cookies: (Cookie)[];
}

export interface ShownIntent {
  kind: "navigate" | "interact" | "wait" | "capture" | "scroll" | "behavioral_pause";
  [name: string]: unknown;
}

export interface SignUp {
  /** Case is ignored. */
  email: string;
  /** At least 12 characters, at most 1024 bytes, and not one of the most common passwords. */
  password: string;
  /** The revision of the terms that is accepted. */
  legal_revision: string;
}

export type SignedIn = SignedInTokens | MfaRequired;

export interface SignedInTokens {
  /** For `Authorization: Bearer`. */
  access_token: string;
  /** For `POST /v1/auth/refresh`. It works once. */
  refresh_token: string;
  /** Lifetime of the access token, in seconds. */
  expires_in: number;
  /** Whether the account has a second factor. */
  mfa_enrolled: boolean;
}

export interface SignedUp {
  account_id: string;
  verification_required: true;
}

export interface StateResult {
  url: string;
  title: string;
  cookies: (Cookie)[];
  local_storage: Record<string, string>;
  tabs?: (Tab)[] | undefined;
  downloads?: (Download)[] | undefined;
  captured_at: string;
}

export interface StatusIncident {
  id: string;
  title: string;
  impact: "minor" | "major" | "critical";
  status: "investigating" | "identified" | "monitoring" | "resolved";
  components: ("api" | "sessions" | "agent-sessions" | "webhooks" | "projections")[];
  created_at: string;
  resolved_at: string | null;
  /** Newest first. */
  updates: ({
    status: "investigating" | "identified" | "monitoring" | "resolved";
    message: string;
    created_at: string;
  })[];
}

export interface StatusUptime {
  windows: ({
    days: 30 | 90;
    /** The share of probes that succeeded, over all components; 100 without probes. */
    uptime_percent: number;
    target_percent: 99.9;
    /** Number of incidents opened within the window. */
    incidents: number;
    probes: number;
    components: ({
      id: "api" | "sessions" | "agent-sessions" | "webhooks" | "projections";
      uptime_percent: number;
    })[];
  })[];
  /** The days of the longest window in UTC, oldest first, today included. */
  days: ({
    date: string;
    /** The share of probes that succeeded, over all components; 100 without probes. */
    uptime_percent: number;
    probes: number;
  })[];
}

export interface SubscribeToStatus {
  /** Case is ignored. */
  email: string;
  /** By default all components. */
  components?: ("api" | "sessions" | "agent-sessions" | "webhooks" | "projections")[] | undefined;
}

export interface SubscriptionConfirmed {
  status: "confirmed";
  components: ("api" | "sessions" | "agent-sessions" | "webhooks" | "projections")[];
}

export interface SwipeAction {
  kind: "swipe";
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  /** Default: 300. */
  duration_ms?: number | undefined;
}

export interface SwipeInputEvent {
  type: "swipe";
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  durationMs: number;
}

export interface Tab {
  id: string;
  url: string;
  title: string;
  opener_id: string | null;
  active: boolean;
}

export interface TakeOver {
  client_id: ClientId;
  participant?: string | undefined;
}

export interface TapAction {
  kind: "tap";
  selector?: string | undefined;
  label?: string | undefined;
  role?: string | undefined;
  name?: string | undefined;
  placeholder?: string | undefined;
  test_id?: string | undefined;
  ref?: string | undefined;
  frame?: Frame | undefined;
  text?: string | undefined;
  x?: number | undefined;
  y?: number | undefined;
}

export interface TapInputEvent {
  type: "tap";
  x: number;
  y: number;
}

export type TargetNames = Record<string, string>;

export interface TeamMember {
  membership_id: string;
  account_id: string;
  /** `erased` once the account is erased; `unreadable` while the service lacks the key of the address. */
  email: string;
  role: "member" | "admin";
  joined_at: string;
}

export interface TeamOwner {
  owner_account_id: string;
  /** `erased` once the account is erased; `unreadable` while the service lacks the key of the address. */
  email: string;
  role: "member" | "admin";
  membership_id: string;
}

export interface TestPingWebhookEnvelope {
  id: string;
  type: "test.ping";
  created_at: string;
  data: {
    message: string;
    endpoint_id: string;
    triggered_by_account_id: string;
  };
}

export interface TestSent {
  event_id: string;
  delivery_id: string;
}

export interface TextCondition {
  kind: "text";
  text: string;
  selector?: string | undefined;
  frame?: Frame | undefined;
}

export interface TextInputEvent {
  type: "text";
  text: string;
}

export interface TokenBody {
  /** From the link in the mail. It works once. */
  token: string;
}

export interface TokenRequest {
  /** `urn:ietf:params:oauth:grant-type:device_code` or `refresh_token`. */
  grant_type: string;
  /** A public client: `service-desktop`. */
  client_id?: string | undefined;
  /** With `urn:ietf:params:oauth:grant-type:device_code`. */
  device_code?: string | undefined;
  /** With `refresh_token`. */
  refresh_token?: string | undefined;
}

export interface TouchEndInputEvent {
  type: "touchEnd";
  x: number;
  y: number;
  touchId: number;
}

export interface TouchMoveInputEvent {
  type: "touchMove";
  x: number;
  y: number;
  touchId: number;
}

export interface TouchStartInputEvent {
  type: "touchStart";
  x: number;
  y: number;
  touchId: number;
}

export interface TranscriptEntry {
  role: "user" | "agent" | "operator";
  body: string;
  at: string;
  intents?: (ShownIntent)[] | undefined;
  result?: unknown;
  result_error?: string | null | undefined;
}

export interface Transfer {
  id: string;
  to_account_id: string;
  status: "offered" | "transferred";
  expires_at: string | null;
}

export interface TransferProfile {
  to_account_id: string;
}

export interface TrashedProfile {
  id: string;
  name: string;
  archetype: string;
  description: string | null;
  last_used_at: string | null;
  created_at: string;
  updated_at: string;
  storage_bytes: number;
  save_state: "none" | "saved" | "saving" | "failed";
  save_error?: "serialize_failed" | "seal_failed" | "too_large" | "upload_failed" | "degenerate_dump" | "superseded" | undefined;
  cloned_from: string | null;
  restored_from_snapshot: string | null;
  trashed_at: string;
  purge_at: string;
}

export interface TrimProfile {
  keep?: ("cookies" | "local_storage" | "session_storage" | "indexeddb" | "service_workers" | "cache")[] | undefined;
  older_than_days?: number | undefined;
}

export interface Trimmed {
  before_bytes: number;
  after_bytes: number;
}

export interface TypeAction {
  kind: "type";
  selector?: string | undefined;
  label?: string | undefined;
  role?: string | undefined;
  name?: string | undefined;
  placeholder?: string | undefined;
  test_id?: string | undefined;
  ref?: string | undefined;
  frame?: Frame | undefined;
  text: string;
  /** Default: false. */
  clear?: boolean | undefined;
  /** Default: 0. */
  delay_ms?: number | undefined;
  /** Default: false. */
  sensitive?: boolean | undefined;
}

export interface Unsubscribed {
  status: "unsubscribed";
}

export interface UpdateBundledLlmSettings {
  bundled_llm_consent?: boolean | undefined;
  bundled_llm_monthly_cap_usd_cents?: number | undefined;
}

export interface UpdateProfile {
  name?: string | undefined;
  archetype?: string | undefined;
  description?: string | null | undefined;
}

export interface UpdateProxy {
  label?: string | undefined;
  scheme?: "http" | "https" | "socks5" | undefined;
  host?: string | undefined;
  port?: number | undefined;
  username?: string | null | undefined;
  password?: string | null | undefined;
}

export interface UpdateWebhook {
  events?: ("session.completed" | "session.failed" | "api_key.revoked" | "session.egress_capability_changed" | "crypto.order.paid" | "crypto.order.failed" | "session.challenge_detected" | "session.profile_save_failed")[] | undefined;
  description?: string | null | undefined;
}

export interface UploadAction {
  kind: "upload";
  selector?: string | undefined;
  label?: string | undefined;
  role?: string | undefined;
  name?: string | undefined;
  placeholder?: string | undefined;
  test_id?: string | undefined;
  ref?: string | undefined;
  frame?: Frame | undefined;
  text?: string | undefined;
  handle?: string | undefined;
  files?: ({
    name: string;
    /** Default: application/octet-stream. */
    mime?: string | undefined;
    data_base64: string;
  })[] | undefined;
}

export interface UploadAnswer {
  handle: UploadHandle | null;
  status: "ok" | "unavailable" | "timeout" | "error";
  reason?: string | undefined;
}

export interface UploadFile {
  name: string;
  mime: string;
  dataB64: string;
}

export interface UploadHandle {
  id: string;
  name: string;
  mime: string;
  size: number;
}

export interface UrlCondition {
  kind: "url";
  pattern: string;
  frame?: Frame | undefined;
}

export interface Usage {
  period_start: string;
  period_end: string;
  sessions: {
    count: number;
    minutes: number;
    concurrent_peak: number;
  };
  agent: {
    turns: number;
    input_tokens: number;
    output_tokens: number;
    cost_cents: number;
  };
  storage: {
    profile_bytes: number;
  };
  limits: {
    concurrent_sessions: number;
    api_keys: number;
    webhooks: number;
    proxies: number;
  };
}

export interface UsageSeries {
  metric: "sessions.count" | "sessions.minutes" | "sessions.concurrent_peak" | "agent.turns" | "agent.input_tokens" | "agent.output_tokens" | "agent.cost_cents" | "storage.profile_bytes";
  bucket: "hour" | "day";
  points: ({
    t: string;
    value: number;
  })[];
}

export interface UsedDeprecation {
  id: string;
  route: string;
  field: string | null;
  announced: string;
  sunset: string;
  replacement: string;
  first_used: string;
  last_used: string;
  days_used: number;
}

export interface UsedDeprecations {
  data: (UsedDeprecation)[];
}

export interface Verified {
  status: "verified";
}

export interface VideoToken {
  ws_url: string;
  room: string;
  token: string;
  participant_identity: string;
  expires_at: string;
}

export interface Wait {
  condition: Condition;
  /** Default: 30000, unless this service is configured otherwise, and in addition what the operation takes by itself (a delay, a gesture, the pauses between letters); at most 120000. */
  timeout_ms?: number | undefined;
}

export interface WaitResult {
  matched: true;
  duration_ms: number;
}

export interface Webhook {
  id: string;
  url: string;
  events: ("session.completed" | "session.failed" | "api_key.revoked" | "session.egress_capability_changed" | "crypto.order.paid" | "crypto.order.failed" | "session.challenge_detected" | "session.profile_save_failed")[];
  description?: string | undefined;
  consecutive_failures: number;
  disabled_at: string | null;
  created_at: string;
  updated_at: string;
  secret_created_at: string;
  previous_secret_expires_at: string | null;
  created_by?: Creator | null | undefined;
}

export interface WebhookDelivery {
  id: string;
  endpoint_id: string;
  event_id: string;
  event_type: "session.completed" | "session.failed" | "api_key.revoked" | "session.egress_capability_changed" | "crypto.order.paid" | "crypto.order.failed" | "session.challenge_detected" | "session.profile_save_failed" | "test.ping";
  status: "pending" | "retrying" | "delivered" | "dead_letter" | "cancelled";
  trigger: "event" | "replay" | "test";
  replay_of: string | null;
  attempt_count: number;
  next_attempt_at: string | null;
  created_at: string;
  delivered_at: string | null;
  attempts: (DeliveryAttempt)[];
}

export interface WebhookDeliveryDetail {
  id: string;
  endpoint_id: string;
  event_id: string;
  event_type: "session.completed" | "session.failed" | "api_key.revoked" | "session.egress_capability_changed" | "crypto.order.paid" | "crypto.order.failed" | "session.challenge_detected" | "session.profile_save_failed" | "test.ping";
  status: "pending" | "retrying" | "delivered" | "dead_letter" | "cancelled";
  trigger: "event" | "replay" | "test";
  replay_of: string | null;
  attempt_count: number;
  next_attempt_at: string | null;
  created_at: string;
  delivered_at: string | null;
  attempts: (DeliveryAttempt)[];
  request: DeliveryRequest;
}

export type WebhookEnvelope = SessionCompletedWebhookEnvelope | SessionFailedWebhookEnvelope | ApiKeyRevokedWebhookEnvelope | SessionEgressCapabilityChangedWebhookEnvelope | SessionChallengeDetectedWebhookEnvelope | SessionProfileSaveFailedWebhookEnvelope | CryptoOrderPaidWebhookEnvelope | CryptoOrderFailedWebhookEnvelope | TestPingWebhookEnvelope;

export interface WebhookReplay {
  kind: "replay";
  id: string;
  endpoint_id: string;
  status: "running" | "completed" | "abandoned";
  since: string;
  until: string;
  types: ("session.completed" | "session.failed" | "api_key.revoked" | "session.egress_capability_changed" | "crypto.order.paid" | "crypto.order.failed" | "session.challenge_detected" | "session.profile_save_failed")[] | null;
  scheduled: number;
  created_at: string;
  completed_at: string | null;
}

export interface WheelInputEvent {
  type: "wheel";
  x: number;
  y: number;
  deltaX: number;
  deltaY: number;
}
