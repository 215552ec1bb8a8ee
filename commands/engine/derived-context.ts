import { v5 as uuidv5 } from 'uuid';
import type { AccountId } from '../../contracts/ids.ts';
import type { CommandContext } from './context.ts';

/** Names under which this service derives uuids from what is not one. */
const namespace = '6b1f0d0e-5f0c-5b0a-9a53-2d7f6f0f3c11';

/** One of several commands that a request or a reaction leads to: the same name gives the same event ids again. */
export const stepContext = (context: CommandContext, name: string): CommandContext => ({
  ...context,
  commandId: uuidv5(name, context.commandId),
});

/** The same context, once the account that owns the resource is known. */
export const ownedContext = (context: CommandContext, accountId: AccountId): CommandContext => ({
  ...context,
  actor: { ...context.actor, account_id: accountId },
});

/** A timer or a sweep. Its ids derive from its subject, so that a second one for the same subject stores nothing. */
export const systemContext = (subject: string): CommandContext => ({
  commandId: uuidv5(subject, namespace),
  correlationId: uuidv5(subject, namespace),
  causationId: subject,
  actor: { kind: 'system', account_id: null },
  requestId: null,
});

/** A node's report; its ids derive from the report's own. */
export const reportContext = (reportId: string): CommandContext => ({
  ...systemContext(reportId),
  actor: { kind: 'node', account_id: null },
});

/** A process manager's reaction to an event. Repeated after a crash, it is the same command. */
export const reactionContext = (
  manager: string,
  event: { readonly id: string; readonly metadata: { readonly correlation_id: string } },
): CommandContext => ({
  commandId: uuidv5(manager, event.id),
  correlationId: event.metadata.correlation_id,
  causationId: event.id,
  actor: { kind: 'system', account_id: null },
  requestId: null,
});
