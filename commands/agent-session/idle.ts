import { uuidOf, type AgentSessionId, type SessionId } from '../../contracts/ids.ts';
import { lastActivityOf } from '../../domain/agent-session/in-use.ts';
import { exists } from '../../domain/agent-session/state.ts';
import { isBefore } from '../../domain/kit/time.ts';
import { session } from '../../domain/session/session.ts';
import { isLive, lastOperationOf } from '../../domain/session/state.ts';
import { now, ownedStep, type CommandContext } from '../engine/context.ts';
import { load, run } from './find.ts';
import { holderOf, release } from './holder.ts';
import { heartbeatKey, type UpkeepPorts } from './ports.ts';

/**
 * Ends a session whose idle timeout is due. Activity is its operations (its own stream), heartbeats of people who watch it, and
 * messages (the stream of the agent session that holds it). The time is taken before they are read, so that activity during the
 * reads is not counted as silence.
 */
export async function endIdleSession(ports: UpkeepPorts, id: SessionId, context: CommandContext) {
  const at = now(ports);
  const held = await holderOf(ports, id);
  const agent = held && (await load(ports, held.agentSessionId));
  const byAgent = agent && exists(agent) ? lastActivityOf(agent, at) : null;
  const watchedAt = await ports.heartbeats.last(heartbeatKey.watched(id));
  await ports.sessions.enforceIdleTimeout(id, { lastUseAt: latest(byAgent, watchedAt), at }, context);
}

/** The same for an agent session, which is also used by operations of its driver session. */
export async function closeIdle(ports: UpkeepPorts, id: AgentSessionId, context: CommandContext) {
  const state = await load(ports, id);
  if (!exists(state)) return;
  const at = now(ports);
  const lastUseAt = state.browser === null ? null : await useOf(ports, state.browser.sessionId, at);
  const step = ownedStep(context, state.accountId, 'enforce-idle-timeout');
  const closed = await run(ports, id, { type: 'EnforceIdleTimeout', lastUseAt, at }, step);
  if (exists(closed.state) && closed.state.status === 'closed') await release(ports, closed.state, context);
}

async function useOf(ports: UpkeepPorts, id: SessionId, at: string): Promise<string | null> {
  const { state } = await ports.runner.load(session, uuidOf(id));
  const operated = isLive(state) ? lastOperationOf(state, at) : null;
  return latest(operated, await ports.heartbeats.last(heartbeatKey.watched(id)));
}

const latest = (one: string | null, other: string | null): string | null =>
  one !== null && other !== null ? (isBefore(one, other) ? other : one) : (one ?? other);
