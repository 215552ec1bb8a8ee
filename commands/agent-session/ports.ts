import type { AccountId, AgentSessionId, SessionId } from '../../contracts/ids.ts';
import type { AgentSession, VideoToken } from '../../contracts/resources/agent-session.ts';
import type { LiveFleet } from '../../infra/fleet/control-plane/port.ts';
import type { AddressRules } from '../../infra/outbound/address-rules.ts';
import type { Heartbeats } from '../../infra/ephemeral/heartbeats.ts';
import type { Vault } from '../../infra/vault/index.ts';
import type { Caller } from '../engine/context.ts';
import type { CommandPorts } from '../engine/runner.ts';
import type { ProxyCommands } from '../proxy.ts';
import type { SessionCommands } from '../session/index.ts';

/** Settings of a deployment for agent sessions. Durations in milliseconds. */
export interface AgentSettings {
  /** The models that may be named, newest first; the first is the default. */
  readonly models: readonly string[];
  /** Default budget of an agent session, in tokens. */
  readonly tokenBudget: number;
  /** Lease of a turn: how long the process that runs it may be silent before the turn is lost. */
  readonly turnLeaseMs: number;
  /** How long a client that has or requested the controls may be silent before it loses them. */
  readonly pairHeartbeatMs: number;
  /** How long after a resume the node is polled for the challenge. */
  readonly resumeWithinMs: number;
  /** How long after its naming a driver session may still be requested, unless the process that starts it has died. */
  readonly startWithinMs: number;
  /** Whether takeovers are granted, to clients in the browser's room; otherwise they stay pending. */
  readonly grants: boolean;
}

/** Changes of agent sessions without a request. */
export interface UpkeepPorts extends CommandPorts {
  readonly sessions: Pick<SessionCommands, 'endOrWithdraw' | 'enforceIdleTimeout'>;
  readonly fleet: Pick<LiveFleet, 'live'>;
  readonly heartbeats: Heartbeats;
  readonly settings: AgentSettings;
}

export interface AgentSessionPorts extends UpkeepPorts {
  readonly proxies: Pick<ProxyCommands, 'find'>;
  readonly vault: Pick<Vault, 'seal'>;
  readonly addresses: AddressRules;
  /** A token to watch the agent session's browser, for the answer to its creation. Undefined if no node shows video. */
  readonly videoFor: (
    session: AgentSession,
    caller: Pick<Caller, 'keyId'>,
  ) => Promise<VideoToken | undefined>;
}

export const heartbeatKey = {
  /** Key of the heartbeats of people who watch a session's browser, reported by its node. */
  watched: (id: SessionId) => `watched ${id}`,
  /** Key of the heartbeats of the process that runs a turn. */
  turn: (turnId: string) => `turn ${turnId}`,
  /** Key of the heartbeats of a client in pair mode. */
  client: (id: AgentSessionId, clientId: string) => `pair ${id} ${clientId}`,
};

/** An agent session that exists and belongs to the caller's account. Only `find` makes one. */
export interface OwnedAgentSession {
  readonly id: AgentSessionId;
  readonly accountId: AccountId;
}
