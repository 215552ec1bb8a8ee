import { v5 as uuidv5 } from 'uuid';
import { deprecations, type Deprecation } from '../contracts/deprecations.ts';
import { uuidOf, type AccountId } from '../contracts/ids.ts';
import { deprecatedUse } from '../domain/deprecated-use.ts';
import { now, ownedContext, systemContext, type CommandContext } from './engine/context.ts';
import type { Runner } from './engine/runner.ts';
import { queueMail, type QueuePorts } from './mail/index.ts';

export interface DeprecationPorts extends QueuePorts {
  readonly runner: Runner;
  /** Default: the registry of the contract. */
  readonly registry?: readonly Deprecation[];
}

/** Records that an account used a deprecated entry on a day, at most once. */
export async function recordDeprecatedUse(
  ports: DeprecationPorts,
  use: { readonly accountId: AccountId; readonly deprecationId: string; readonly day: string },
): Promise<void> {
  const { accountId, deprecationId, day } = use;
  const command = { type: 'RecordDeprecatedUse', ...use, at: now(ports) } as const;
  const context = systemContext(
    `deprecated use ${accountId} ${deprecationId} ${day}`,
    'timer:deprecated-uses',
  );
  await ports.runner.run(deprecatedUse, uuidOf(accountId), command, ownedContext(context, accountId));
}

/** Queues a mail about the used deprecation, once per account and entry. */
export async function queueDeprecationNotice(
  ports: DeprecationPorts,
  { accountId, deprecationId }: { readonly accountId: AccountId; readonly deprecationId: string },
  context: CommandContext,
): Promise<void> {
  const { registry = deprecations } = ports;
  const entry = registry.find(({ id }) => id === deprecationId);
  if (entry === undefined) return;
  const { route, field, announced, sunset, replacement } = entry;
  const what = field === undefined ? route : `${field.name} of ${route}`;
  const once = { ...context, commandId: uuidv5(deprecationId, uuidOf(accountId)) };
  const facts = { what, announced_since: announced, sunset_since: sunset, replacement };
  await queueMail(ports, { accountId, template: 'deprecation-notice', facts }, once);
}
