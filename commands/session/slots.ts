import { uuidOf, type AccountId, type SessionId } from '../../contracts/ids.ts';
import { accountSlots } from '../../domain/account-slots.ts';
import { session } from '../../domain/session/session.ts';
import type { EndedSession } from '../../domain/session/state.ts';
import { ownedContext, stepContext } from '../engine/derived-context.ts';
import type { CommandContext } from '../engine/context.ts';
import type { SessionPorts } from './ports.ts';

/** Idempotent: a slot that is free already stays free. One request may free several, of creates before it and its own. */
export async function releaseSlot(
  { runner, clock }: SessionPorts,
  accountId: AccountId,
  sessionId: SessionId,
  context: CommandContext,
): Promise<void> {
  const command = { type: 'ReleaseSlot', accountId, sessionId, at: clock.now().toISOString() } as const;
  await runner.run(
    accountSlots,
    uuidOf(accountId),
    command,
    ownedContext(stepContext(context, `release-slot ${sessionId}`), accountId),
  );
}

/** What an end leaves to do, in any order and any number of times: free the slot, close the browser. */
export async function cleanUp(
  ports: SessionPorts,
  ended: EndedSession,
  context: CommandContext,
): Promise<void> {
  await Promise.all([
    releaseSlot(ports, ended.accountId, ended.sessionId, context),
    closeBrowser(ports, ended),
  ]);
}

export async function closeBrowser(
  { fleet }: SessionPorts,
  { nodeId, sessionId }: EndedSession,
): Promise<void> {
  if (nodeId !== null) await fleet.destroy(nodeId, sessionId);
}

/** Gives back a slot whose session was never requested, or has ended; a live session keeps its slot. */
export async function releaseUnlessLive(
  ports: SessionPorts,
  accountId: AccountId,
  sessionId: SessionId,
  context: CommandContext,
): Promise<void> {
  const { state } = await ports.runner.load(session, uuidOf(sessionId));
  switch (state.status) {
    case 'none':
    case 'destroyed':
    case 'errored':
      return releaseSlot(ports, accountId, sessionId, context);
    case 'creating':
    case 'ready':
    case 'busy':
      return;
  }
}

/**
 * The same once the slot's lease has run out, for a request that died. One that did not, and comes after all, finds its
 * session withdrawn: without that a clock that jumps, or a process that was stopped for a while, would leave a session
 * without a slot.
 */
export async function releaseOrphanedSlot(
  ports: SessionPorts,
  accountId: AccountId,
  sessionId: SessionId,
  context: CommandContext,
): Promise<void> {
  const { state } = await ports.runner.load(accountSlots, uuidOf(accountId));
  const slot = state.slots.find((each) => each.sessionId === sessionId);
  if (slot === undefined || ports.clock.now().getTime() < Date.parse(slot.leaseExpiresAt)) return;
  await withdraw(ports, accountId, sessionId, context);
}

/** From here on the session was requested already, or never will be; what was held for one that never will is free. */
export async function withdraw(
  ports: SessionPorts,
  accountId: AccountId,
  sessionId: SessionId,
  context: CommandContext,
): Promise<void> {
  const command = { type: 'WithdrawSession', sessionId, at: ports.clock.now().toISOString() } as const;
  const cause = ownedContext(stepContext(context, `withdraw ${sessionId}`), accountId);
  await ports.runner.run(session, uuidOf(sessionId), command, cause);
  await releaseUnlessLive(ports, accountId, sessionId, context);
}
