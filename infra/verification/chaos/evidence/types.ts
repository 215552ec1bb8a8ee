import type { EventMetadata } from '../../../../contracts/events/metadata.ts';
import type { TakenMail, TakenMessage } from '../../testbed/index.ts';
import type { Exchange } from '../history.ts';
import type { ClockJump } from '../world/clock.ts';
import type { PaymentEvidence } from './payments.ts';

/** An event as the store gives it to the vendor's client. */
export interface LogEvent {
  readonly id: string;
  readonly stream: string;
  /** The part of the stream's name before the first `-`. */
  readonly category: string;
  readonly type: string;
  readonly revision: number;
  /** Commit position. */
  readonly position: bigint;
  /** When the store took it, by the store's clock; milliseconds since the epoch. */
  readonly created: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
  readonly metadata: Pick<EventMetadata, 'correlation_id' | 'causation_id' | 'by'>;
  /** Data and metadata as JSON. */
  readonly text: string;
}

/** A line of the driver's log: something reached a browser. */
export interface DriverLine {
  readonly action: string;
  readonly session_id: string;
  readonly dispatch_id?: string;
}

export type Row = Readonly<Record<string, unknown>>;

/** A checkpoint with what the tables held, seen at one instant. */
export interface Sample {
  /** Commit position of the read models' checkpoint, and of the process managers'. */
  readonly readModels: bigint;
  readonly processes: bigint;
  readonly deliveries: bigint;
  readonly sessions: number;
  readonly accounts: number;
  readonly apiKeys: number;
  /** Events set aside: rows may lack what they say. */
  readonly parked: number;
}

export interface Inflicted {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export interface ProcessEnd {
  readonly process: string;
  /** A signal's name or `exit status N`. */
  readonly how: string;
}

/** Text that must be found in no place but those that were meant to have it. */
export interface Canary {
  readonly name: string;
  readonly text: string;
}

/** Everything a run left behind, gathered from outside the service. */
export interface Evidence {
  readonly history: readonly Exchange[];
  readonly faults: readonly Inflicted[];
  readonly log: readonly LogEvent[];
  readonly driver: readonly DriverLine[];
  /** What customers' endpoints were sent, in the order it came, and the mail. */
  readonly messages: readonly TakenMessage[];
  readonly mails: readonly TakenMail[];
  readonly clockJumps: readonly ClockJump[];
  readonly payments: PaymentEvidence;
  readonly tables: {
    readonly sessions: readonly Row[];
    readonly agentSessions: readonly Row[];
    readonly auditLog: readonly Row[];
    readonly timers: readonly Row[];
    readonly parkedEvents: readonly Row[];
    readonly parkedReactions: readonly Row[];
  };
  /** In the order they were taken; the last one is of the settled service. */
  readonly samples: readonly Sample[];
  readonly rebuilds: readonly {
    readonly projection: string;
    readonly matches: boolean;
    readonly detail: string;
  }[];
  /** Ends that the supervisor told of, and the kills that were meant. */
  readonly ends: readonly ProcessEnd[];
  readonly kills: readonly string[];
  /** Lines by process. */
  readonly processLogs: Readonly<Record<string, readonly string[]>>;
  readonly exitStatus: number | null;
  /** Processes still alive after the service was told to stop. */
  readonly leftovers: readonly string[];
  readonly canaries: readonly Canary[];
  /** Everything stored, as text, by place: tables, queue keys, log events. */
  readonly stored: Readonly<Record<string, readonly string[]>>;
  /** Answers about one session, each with its past at the position of the answer. */
  readonly pasts: readonly { readonly answer: Exchange; readonly past: Exchange }[];
  /** Clients that could not be served after the drain, and why. */
  readonly unserved: readonly string[];
}
