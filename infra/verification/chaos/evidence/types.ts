import type { EventMetadata } from '../../../../contracts/events/metadata.ts';
import type { ReceivedMail, ReceivedMessage } from '../../testbed/index.ts';
import type { Exchange } from '../history.ts';
import type { ClockJump } from '../world/clock.ts';
import type { LiveEvidence } from './live.ts';
import type { PaymentEvidence } from './payments.ts';

/** An event as the vendor's client returns it. */
export interface LogEvent {
  readonly id: string;
  readonly stream: string;
  /** The part of the stream's name before the first `-`. */
  readonly category: string;
  readonly type: string;
  readonly revision: number;
  /** Commit position. */
  readonly position: bigint;
  /** When the store recorded it, by the store's clock, in milliseconds since the epoch. */
  readonly created: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
  readonly metadata: Pick<EventMetadata, 'correlation_id' | 'causation_id' | 'by'>;
}

/** A line of the driver's log: an operation or a person's touch reached a browser. */
export interface DriverLine {
  readonly action: string;
  readonly session_id: string;
  readonly dispatch_id?: string;
  /** The kind of a touch. */
  readonly type?: 'down' | 'move' | 'up';
  readonly x?: number;
  readonly y?: number;
}

export type Row = Readonly<Record<string, unknown>>;

/** A checkpoint and the contents of tables, at one instant. */
export interface Sample {
  /** Commit positions of the checkpoints of the read models and of the process managers. */
  readonly readModels: bigint;
  readonly processes: bigint;
  readonly deliveries: bigint;
  readonly sessions: number;
  readonly accounts: number;
  readonly apiKeys: number;
  /** Parked events, whose effect may be missing in rows. */
  readonly parked: number;
}

export interface InjectedFault {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export interface ProcessEnd {
  readonly process: string;
  /** A signal's name or `exit status N`. */
  readonly how: string;
}

/** A planted secret, which may only be found in the places that are meant to have it. */
export interface Canary {
  readonly name: string;
  readonly text: string;
}

/** Evidence of a run, collected from outside the service. */
export interface Evidence {
  readonly history: readonly Exchange[];
  readonly faults: readonly InjectedFault[];
  readonly log: readonly LogEvent[];
  readonly driver: readonly DriverLine[];
  /** Requests to customers' endpoints in the order of arrival, and mails. */
  readonly messages: readonly ReceivedMessage[];
  readonly mails: readonly ReceivedMail[];
  readonly clockJumps: readonly ClockJump[];
  readonly payments: PaymentEvidence;
  readonly live: LiveEvidence;
  readonly tables: {
    readonly sessions: readonly Row[];
    readonly agentSessions: readonly Row[];
    readonly auditLog: readonly Row[];
    readonly timers: readonly Row[];
    readonly parkedEvents: readonly Row[];
    readonly parkedReactions: readonly Row[];
  };
  /** In the order of sampling; the last one is of the settled service. */
  readonly samples: readonly Sample[];
  readonly rebuilds: readonly {
    readonly projection: string;
    readonly matches: boolean;
    readonly detail: string;
  }[];
  /** Exits that the supervisor reported, and kills that were injected. */
  readonly ends: readonly ProcessEnd[];
  readonly kills: readonly string[];
  /** Lines by process. */
  readonly processLogs: Readonly<Record<string, readonly string[]>>;
  readonly exitStatus: number | null;
  /** Ids of processes that are still alive after the service was stopped. */
  readonly leftovers: readonly string[];
  readonly canaries: readonly Canary[];
  /** All that is stored and contains the beginning of a canary, as text, by place: rows, queue keys, log events. */
  readonly stored: Readonly<Record<string, readonly string[]>>;
  /** Answers about a session, each with its past at the answer's position. */
  readonly pasts: readonly { readonly answer: Exchange; readonly past: Exchange }[];
  /** Calls of unknown outcome without a key, each with the answer about its request's events. */
  readonly queriedEffects: readonly { readonly call: Exchange; readonly reply: Exchange }[];
  /** Clients whose requests failed after the drain, and why. */
  readonly unserved: readonly string[];
}
