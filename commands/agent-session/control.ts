import type { SendInput } from '../../contracts/resources/pair-mode.ts';
import { presentPair, type AgentMode, type PairModeState } from '../../contracts/resources/agent-session.ts';
import { refuse } from '../../contracts/problems.ts';
import { judgeInput } from '../../domain/agent-session/pair-mode.ts';
import type { AgentSessionCommand } from '../../domain/agent-session/commands.ts';
import { after } from '../../domain/kit/time.ts';
import type { Cache } from '../../infra/platform/cache.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { now, stepContext, type Caller } from '../engine/context.ts';
import { assertTierHas } from './create.ts';
import { changed, load, loadCached, run, type Changed } from './find.ts';
import { release } from './holder.ts';
import { heartbeatKey, type AgentSessionPorts, type OwnedAgentSession } from './ports.ts';

/** The holder of a pair session's controls after a transition. */
interface Moved {
  readonly pair: PairModeState;
  readonly position: Position | undefined;
}

/**
 * Ends the driver session that the agent session started, and releases an attached one, before it returns. After a crash in
 * between, the reaction to the close does so. Idempotent.
 */
export async function close(
  ports: AgentSessionPorts,
  { context }: Caller,
  { id }: OwnedAgentSession,
): Promise<Changed> {
  const command = { type: 'Close', reason: 'customer-closed', at: now(ports) } as const;
  const closed = changed(await run(ports, id, command, stepContext(context, 'close')));
  const lost = await release(ports, closed.state, context);
  return lost === undefined ? closed : { ...changed(lost), position: lost.position ?? closed.position };
}

/** Requires the mode's tier only if the mode changes. */
export async function changeMode(
  ports: AgentSessionPorts,
  caller: Caller,
  { id }: OwnedAgentSession,
  mode: AgentMode,
): Promise<Changed> {
  const state = await load(ports, id);
  if (!('mode' in state) || state.mode !== mode) assertTierHas(caller, mode);
  const command = { type: 'ChangeMode', mode, at: now(ports) } as const;
  return changed(await run(ports, id, command, stepContext(caller.context, 'change-mode')));
}

export function takeOver(
  ports: AgentSessionPorts,
  caller: Caller,
  owned: OwnedAgentSession,
  { client_id: clientId, participant }: { readonly client_id: string; readonly participant?: string },
): Promise<Moved> {
  const client = { clientId, ...(participant !== undefined && { participant }) };
  return requestControls(ports, caller, owned, client, 'takeover');
}

async function requestControls(
  ports: AgentSessionPorts,
  caller: Caller,
  owned: OwnedAgentSession,
  client: { readonly clientId: string; readonly participant?: string },
  trigger: 'takeover' | 'input_event',
): Promise<Moved> {
  const { clientId } = client;
  const at = now(ports);
  const heartbeatDueAt = after(at, ports.settings.pairHeartbeatMs);
  const command = { type: 'TakeOver', ...client, trigger, heartbeatDueAt, at } as const;
  const result = await move(ports, caller, owned, command);
  ports.heartbeats.record(heartbeatKey.client(owned.id, clientId));
  return result;
}

export const handBack = (ports: AgentSessionPorts, caller: Caller, owned: OwnedAgentSession) =>
  move(ports, caller, owned, { type: 'HandBack', at: now(ports) });

async function move(
  ports: AgentSessionPorts,
  { context }: Caller,
  { id }: OwnedAgentSession,
  command: Extract<AgentSessionCommand, { type: 'TakeOver' | 'HandBack' }>,
): Promise<Moved> {
  const { state, position } = changed(await run(ports, id, command, stepContext(context, command.type)));
  if (state.pair === null) throw refuse('conflict', 'The agent session is not in pair mode.');
  return { pair: presentPair(state.pair), position };
}

/** Starts polling the node until the challenge is gone; the session is then active. */
export async function resume(
  ports: AgentSessionPorts,
  { context }: Caller,
  { id }: OwnedAgentSession,
  challengeId: string | null,
): Promise<Changed> {
  const at = now(ports);
  const expiresAt = after(at, ports.settings.resumeWithinMs);
  const command = { type: 'RequestResume', challengeId, expiresAt, at } as const;
  return changed(await run(ports, id, command, stepContext(context, 'resume')));
}

/** Maximum age of the cached state for input events, in milliseconds; another process may have changed it. */
export const inputAgeMs = 250;

export interface InputPorts extends AgentSessionPorts {
  /** Agent sessions whose state was read from the log at most `inputAgeMs` ago. */
  readonly recentlyRead: Cache<string, true>;
}

/**
 * The first event of a pair session that the agent drives asks for the controls. Any other is a heartbeat at most, and is
 * refused: input goes to the browser over the video connection. Up to 120 of them a second touch no store.
 */
export async function sendInput(
  ports: InputPorts,
  caller: Caller,
  owned: OwnedAgentSession,
  { client_id }: SendInput,
): Promise<Moved> {
  const state = await recentState(ports, owned);
  const comesTo = judgeInput(state, client_id ?? null);
  if (client_id !== undefined && comesTo === 'heartbeat')
    ports.heartbeats.record(heartbeatKey.client(owned.id, client_id));
  if (client_id === undefined || comesTo !== 'takes_over') throw notCarriedOut();
  const moved = await requestControls(ports, caller, owned, { clientId: client_id }, 'input_event');
  // Another event of the same client was recorded first.
  if (moved.position === undefined) throw notCarriedOut();
  return moved;
}

const notCarriedOut = () =>
  refuse(
    'feature-unavailable',
    'Input is not carried out over HTTP. Send it over the data channel of the video connection.',
  );

/** Changes by this process are visible at once. */
async function recentState({ recentlyRead, runner }: InputPorts, { id }: OwnedAgentSession) {
  if (recentlyRead.get(id) === true) return loadCached({ runner }, id);
  const readAt = recentlyRead.now();
  const state = await load({ runner }, id);
  recentlyRead.set(id, true, readAt);
  return state;
}
