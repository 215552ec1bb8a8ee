import type { ProblemSlug } from '../../contracts/problems.ts';
import type { LinkId, SessionId } from '../../contracts/ids.ts';
import type { AgentMode } from '../../contracts/resources/agent-session.ts';
import type { CommandsOf } from '../kit/decider.ts';
import type { Recorded } from './state.ts';

type Turn = 'TurnDecomposed' | 'IntentSettled' | 'TurnReadBack' | 'TurnSettled';
type Fields<Type extends Turn, Names extends keyof Recorded<Type>> = Pick<Recorded<Type>, Names>;

/** How a turn that finds control changed is to end. */
export interface IfSuperseded {
  /** The entry of the transcript: what had been done. Sealed. */
  readonly sealedInterrupted: string;
  /** When a takeover that waited for the turn lapses. */
  readonly heartbeatDueAt: string;
  /** The user's entry, sealed, in case it was left out at admission and is recorded with this step. */
  readonly sealedMessage?: string;
}

/** A failure, shown until the next one. */
export type Failure = Omit<Recorded<'ErrorRaised'>, 'agentSessionId' | 'accountId' | 'at'>;

/** `failure`: set if the driver session did not end by request. `endedAt`: null if it never started. */
export interface BrowserEnd {
  readonly failure: Failure | null;
  readonly endedAt: string | null;
}

type OfTurn = { turnId: string } & IfSuperseded;

/** The answer to a turn. */
export type Settlement = Fields<'TurnSettled', 'kind' | 'ok' | 'limit' | 'sealedAnswer'>;

export type TurnCommand = CommandsOf<{
  /**
   * Admits a message into the mode's single lane. `sealedExhausted`: the answer where nothing is left of the budget. `asksModel`: the user's
   * entry waits until a model has said which of the message's words are secret.
   */
  AdmitMessage: {
    turnId: string;
    sealedMessage: string;
    asksModel?: boolean;
    sealedExhausted: string;
    leaseExpiresAt: string;
  };
  /** Does nothing while the turn may go on. */
  ContinueTurn: OfTurn;
  RecordDecomposition: OfTurn &
    Fields<'TurnDecomposed', 'round' | 'decision' | 'intents' | 'after' | 'sealedPlan' | 'usage' | 'tokens'>;
  SpawnDriverSession: OfTurn & { sessionId: SessionId };
  OpenInitialUrl: OfTurn & { sessionId: SessionId };
  /** `settles`: what the turn settles with in the same append, where this is its last step. */
  SettleIntent: OfTurn &
    Fields<'IntentSettled', 'index' | 'outcome' | 'category' | 'endsRound' | 'sealedResult'> & {
      settles?: Settlement;
    };
  RecordReadBack: OfTurn & Fields<'TurnReadBack', 'usage' | 'tokens'>;
  SettleTurn: OfTurn & Settlement;
  FailTurn: OfTurn & { problem: ProblemSlug; sealedAnswer: string; failure: Failure | null };
  /** `lastHeartbeatAt`: when the process that runs the turn last sent a heartbeat. */
  AbandonTurn: { leaseMs: number; lastHeartbeatAt: string | null; heartbeatDueAt: string };
}>;

export type PairCommand = CommandsOf<{
  /** `participant`: who is in the room for the client, where that is known. */
  TakeOver: {
    clientId: string;
    participant?: string;
    trigger: 'takeover' | 'input_event';
    heartbeatDueAt: string;
  };
  /** `lastHeartbeatAt`: when the client last sent a heartbeat. */
  ExpireHeartbeat: { heartbeatMs: number; lastHeartbeatAt: string | null };
  /** The client is in the room of the browser: what it sends arrives. */
  GrantTakeover: { clientId: string; heartbeatDueAt: string };
  /** `clientId`: only if that client has the controls. */
  HandBack: { clientId?: string };
  CompleteHandback: unknown;
}>;

export type ControlCommand = CommandsOf<{
  CreateAgentSession: Omit<Recorded<'AgentSessionCreated'>, 'at'>;
  WithdrawAgentSession: Omit<Recorded<'AgentSessionWithdrawn'>, 'at'>;
  ChangeMode: { mode: AgentMode };
  Pause: { sessionId: SessionId; challengeId: string };
  /** Without `challengeId`: for any challenge. */
  RequestResume: { challengeId: string | null; expiresAt: string };
  ExpireResume: unknown;
  Resume: { challengeId: string };
  LoseDriverSession: { sessionId: SessionId; cause: Recorded<'DriverSessionLost'>['cause'] } & BrowserEnd;
  /** For a person who has joined. Does nothing where there is one. */
  StartDriverSession: { sessionId: SessionId };
  /** Does nothing once it was opened. */
  StartAtInitialUrl: { sessionId: SessionId };
  RaiseError: Failure;
  RecordBrowserChange: { change: Recorded<'BrowserChanged'>['change'] };
  Close: { reason: Recorded<'AgentSessionClosed'>['reason'] };
  /** `lastUseAt`: the latest use that is not in the stream: operations of its driver session, and people who watch. */
  EnforceIdleTimeout: { lastUseAt: string | null };
}>;

export type LinkCommand = CommandsOf<{
  CreateLink: Omit<Recorded<'LinkCreated'>, 'at' | 'agentSessionId' | 'accountId'>;
  UseLink: { linkId: LinkId };
  RevokeLink: { linkId: LinkId };
}>;

export type AgentSessionCommand = TurnCommand | PairCommand | ControlCommand | LinkCommand;
