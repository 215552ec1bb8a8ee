import type { RequestListener } from 'node:http';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../config/index.ts';
import type { OnUpgrade } from '../../http/index.ts';
import type { InternalTls } from '../../internal-tls/index.ts';
import type { Logger } from '../../logging/index.ts';
import type { Check, Metrics } from '../../metrics/index.ts';
import type { Lifetime } from '../lifetime.ts';

/** What a process is made from. Whatever is opened in it is deferred to the lifetime, in the order of opening. */
export interface RoleContext {
  /** Of the process, by which stores and operators know it. */
  readonly name: string;
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly lifetime: Lifetime;
  readonly clock: Clock;
  /** Of the connections between processes, where they are not in clear. */
  readonly tls?: InternalTls | undefined;
}

export interface ComposedRole {
  /** What must answer for the role to be ready, by name. */
  readonly checks: Readonly<Record<string, Check>>;
  /** What is reported as degraded while it rejects, by name. */
  readonly degradations?: Readonly<Record<string, Check>>;
  /** What it serves besides health and metrics. */
  readonly app?: RequestListener;
  /** Takes requests for sockets; without it there are none. */
  readonly upgrade?: OnUpgrade;
  /** As the server stops taking requests: ends the answers that would go on for ever. */
  readonly drain?: () => void;
  /** Longest time for a whole request to arrive, where the usual one is too short. */
  readonly requestTimeoutMs?: number;
}

/** Several roles may be composed from the same things in one process. */
export type ComposeRole<Opened = RoleContext> = (opened: Opened) => ComposedRole | Promise<ComposedRole>;
