import type { ProblemSlug } from '../../contracts/problems.ts';
import type { LinkId, SessionId } from '../../contracts/ids.ts';
import type { AgentMode } from '../../contracts/resources/agent-session.ts';
import type { CommandsOf } from '../kit/decider.ts';
import type { Recorded } from './state.ts';

type Turn = 'TurnDecomposed' | 'IntentSettled' | 'TurnReadBack' | 'TurnSettled';
type Fields<Type extends Turn, Names extends keyof Recorded<Type>> = Pick<Recorded<Type>, Names>;

/** How a turn ends if control has changed. */
export interface IfSuperseded {
  /** The transcript's entry of what was done so far. Sealed. */
  readonly sealedInterrupted: string;
  /** When a takeover that was queued behind the turn expires. */
  readonly heartbeatDueAt: string;
  /** The user's entry, sealed, if it was not recorded at admission and is recorded with this step. */
  readonly sealedMessage?: string;
  /** True if a later plan may mark more of the message as secret: the entry is then recorded only if the turn ends with this step. */
  readonly withholdsMessage?: boolean;
}

/** A failure, shown until the next one. */
export type Failure = Omit<Recorded<'ErrorRaised'>, 'agentSessionId' | 'accountId' | 'at'>;

/** `failure`: set if the driver session did not end by request. `endedAt`: null if it never started. */
export interface BrowserEnd {
  readonly failure: Failure | null;
  readonly endedAt: string | null;
}

type OfTurn = { turnId: string } & IfSuperseded;

/** The outcome of a turn. */
export type Settlement = Fields<'TurnSettled', 'kind' | 'ok' | 'limit' | 'sealedAnswer'>;

export type TurnCommand = CommandsOf<{
  /**
   * Admits a message; one turn at a time. `sealedExhausted`: the sealed answer if the budget is used up. `asksModel`:
   * the user's entry is recorded only after a model has marked the message's secret words.
   */
  AdmitMessage: {
    turnId: string;
    sealedMessage: string;
    asksModel?: boolean;
    sealedExhausted: string;
    leaseExpiresAt: string;
  };
  /** Refuses the message from now on; does nothing if it is the latest one. */
  WithdrawMessage: { turnId: string };
  /** Ends the turn if control has changed; otherwise does nothing. */
  ContinueTurn: OfTurn;
  RecordDecomposition: OfTurn &
    Fields<'TurnDecomposed', 'round' | 'decision' | 'intents' | 'after' | 'sealedPlan' | 'usage' | 'tokens'>;
  SpawnDriverSession: OfTurn & { sessionId: SessionId };
  OpenInitialUrl: OfTurn & { sessionId: SessionId };
  /** `settles`: the turn's settlement in the same append, if this is its last step. */
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
  /**
   * `participant`: the client's participant in the room, if known. `isPresent`: true if its token proves that it is
   * in the room.
   */
  TakeOver: {
    clientId: string;
    participant?: string;
    isPresent?: boolean;
    trigger: 'takeover' | 'input_event';
    heartbeatDueAt: string;
  };
  /** `lastHeartbeatAt`: when the client last sent a heartbeat. */
  ExpireHeartbeat: { heartbeatMs: number; lastHeartbeatAt: string | null };
  /** Sent once the client is in the room of the browser, where its input arrives. */
  GrantTakeover: { clientId: string; heartbeatDueAt: string };
  /** `clientId`: only if that client has the controls. */
  HandBack: { clientId?: string };
  /** `since`: only the handback that has been pending since then. */
  CompleteHandback: { since?: string };
}>;

export type ControlCommand = CommandsOf<{
  CreateAgentSession: Omit<Recorded<'AgentSessionCreated'>, 'at'>;
  WithdrawAgentSession: Omit<Recorded<'AgentSessionWithdrawn'>, 'at'>;
  ChangeMode: { mode: AgentMode };
  /** The participant has touched the browser in manual mode. Does nothing if it was the last one that is recorded since control changed. */
  TakeOverScreen: { participant: string };
  Pause: { sessionId: SessionId; challengeId: string };
  /** Without `challengeId`: for any challenge. */
  RequestResume: { challengeId: string | null; expiresAt: string };
  ExpireResume: unknown;
  Resume: { challengeId: string };
  LoseDriverSession: { sessionId: SessionId; cause: Recorded<'DriverSessionLost'>['cause'] } & BrowserEnd;
  /** Does nothing if this drain was announced, unless only now the node's stop is known. */
  AnnounceDrain: { sessionId: SessionId; endsBy: string | null };
  /** For a person who has joined. Does nothing if there is a driver session already. */
  StartDriverSession: { sessionId: SessionId };
  /** Does nothing if the initial address was opened before. */
  StartAtInitialUrl: { sessionId: SessionId };
  RaiseError: Failure;
  RecordBrowserChange: { change: Recorded<'BrowserChanged'>['change'] };
  Close: { reason: Recorded<'AgentSessionClosed'>['reason'] };
  /** `lastUseAt`: the latest activity outside the stream: operations of its driver session, and watchers. */
  EnforceIdleTimeout: { lastUseAt: string | null };
}>;

export type LinkCommand = CommandsOf<{
  CreateLink: Omit<Recorded<'LinkCreated'>, 'at' | 'agentSessionId' | 'accountId'>;
  UseLink: { linkId: LinkId };
  RevokeLink: { linkId: LinkId };
}>;

export type AgentSessionCommand = TurnCommand | PairCommand | ControlCommand | LinkCommand;
