import type { Actor, By } from '../../contracts/events/metadata.ts';
import type { CredentialKind } from '../../contracts/credentials.ts';
import type { Scope } from '../../contracts/events/api-key.ts';
import type { AccountId, ApiKeyId, WebSessionId } from '../../contracts/ids.ts';
import type { Tier } from '../../contracts/tiers.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { uuidV5 } from '../../infra/platform/uuid-v5.ts';
import type { Traceparent } from '../../infra/tracing/index.ts';

/** The actor and cause of a command; becomes the metadata of its events. */
export interface CommandContext {
  /** Fixed once per command. Event ids derive from it, so a repeated command stores nothing twice. */
  readonly commandId: string;
  /** Id of the root: the request, sweep or callback that started the chain. */
  readonly correlationId: string;
  /** Id of the event that caused the command; for a root, its correlation id. */
  readonly causationId: string;
  readonly by: By;
  readonly actor: Actor;
  readonly requestId: string | null;
  /** The span in which the causing event was made. */
  readonly link?: Traceparent | undefined;
  readonly ip?: string | null;
  readonly userAgent?: string | null;
}

/** An authenticated, admitted caller. */
export interface Caller {
  /** The owner of the resource. */
  readonly accountId: AccountId;
  /** The account of the credential: the same, or a team member's own. */
  readonly actorId: AccountId;
  readonly tier: Tier;
  /** The account's concurrent sessions: the tier's, or its override when that is higher. */
  readonly concurrentSessions: number;
  /** The maximum of the account's profiles: the tier's, or its override when that is higher. */
  readonly profileCap: number;
  readonly kind: CredentialKind;
  /** Null unless it is an API key. */
  readonly keyId: ApiKeyId | null;
  /** Null for an API key. */
  readonly webSessionId: WebSessionId | null;
  /** ISO 8601; until when a second factor counts as fresh. */
  readonly freshUntil: string | null;
  readonly scopes: readonly Scope[];
  readonly context: CommandContext;
}

/** The account and tier that a command acts for, whoever the actor is. */
export type OnAccount = Pick<Caller, 'accountId' | 'tier' | 'concurrentSessions' | 'context'>;

/** The time of a decision, ISO 8601. */
export const now = ({ clock }: { readonly clock: Clock }): string => clock.now().toISOString();

/** Who acts: a person, or an API key. */
export const actedBy = (keyId: ApiKeyId | null) =>
  keyId === null ? { kind: 'user' as const } : { kind: 'api_key' as const, actor_key_id: keyId };

/** Namespace of derived uuids. */
const namespace = '6b1f0d0e-5f0c-5b0a-9a53-2d7f6f0f3c11';

/** One of several commands of a request or a reaction. The same name derives the same event ids. */
export const stepContext = (context: CommandContext, name: string): CommandContext => ({
  ...context,
  commandId: uuidV5(name, context.commandId),
});

/** The same context with the account that owns the resource. */
export const ownedContext = (context: CommandContext, accountId: AccountId): CommandContext => ({
  ...context,
  actor: { ...context.actor, account_id: accountId },
});

/** A step that acts on a resource of the account. */
export const ownedStep = (context: CommandContext, accountId: AccountId, name: string): CommandContext =>
  stepContext(ownedContext(context, accountId), name);

/** The context of a sweep or a callback. Ids derive from the subject, so a second one for the same subject stores nothing. */
export const systemContext = (subject: string, by: By): CommandContext => {
  const id = uuidV5(subject, namespace);
  return {
    ...{ commandId: id, correlationId: id, causationId: id, by },
    actor: { kind: 'system', account_id: null },
    requestId: null,
  };
};

/** The context of a node's report; its ids derive from the report's. */
export const reportContext = (reportId: string, by: By): CommandContext => ({
  ...systemContext(reportId, by),
  actor: { kind: 'node', account_id: null },
});

/** The event that caused a command. */
export interface CausingEvent {
  readonly id: string;
  readonly metadata: { readonly correlation_id: string; readonly traceparent?: Traceparent | undefined };
}

/** The context of a timer or a wake-up set by an event; null if the event is unknown. Ids derive from the subject. */
export const timerContext = (subject: string, by: By, event: CausingEvent | null): CommandContext => ({
  ...systemContext(subject, by),
  ...(event && causedBy(event)),
});

/** The context of a process manager's reaction to an event. Repeated after a crash, it is the same command. */
export const reactionContext = (manager: string, event: CausingEvent): CommandContext => ({
  commandId: uuidV5(manager, event.id),
  ...causedBy(event),
  by: `reaction:${manager}`,
  actor: { kind: 'system', account_id: null },
  requestId: null,
});

const causedBy = ({ id, metadata }: CausingEvent) => ({
  correlationId: metadata.correlation_id,
  causationId: id,
  ...(metadata.traceparent !== undefined && { link: metadata.traceparent }),
});
