import type { IncomingMessage, RequestListener } from 'node:http';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../config/index.ts';
import type { OnUpgrade } from '../../http/index.ts';
import type { InternalTls } from '../../internal-tls/index.ts';
import type { Logger } from '../../logging/index.ts';
import type { Check, Metrics } from '../../metrics/index.ts';
import type { Lifetime } from '../lifetime.ts';

/** The base of a process. Everything opened with it is deferred to its lifetime, in the order of opening. */
export interface RoleContext {
  /** Name of the process for stores and operators. */
  readonly name: string;
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly lifetime: Lifetime;
  readonly clock: Clock;
  /** TLS between processes; undefined without it. */
  readonly tls?: InternalTls | undefined;
}

export interface ComposedRole {
  /** Checks required for readiness, by name. */
  readonly checks: Readonly<Record<string, Check>>;
  /** Checks reported as degraded if they reject, by name. */
  readonly degradations?: Readonly<Record<string, Check>>;
  /** Served besides health and metrics. */
  readonly app?: RequestListener;
  /** Handles WebSocket requests; undefined: none. */
  readonly upgrade?: OnUpgrade;
  /** Called with each request that was refused before the app because the process is overloaded. */
  readonly onShed?: (request: IncomingMessage) => void;
  /** Called when the server stops accepting requests: ends endless answers. */
  readonly drain?: () => void;
  /** Resolves when no request is worked on, not even for a client that has left. */
  readonly idle?: () => Promise<void>;
}

/** Several roles may share the same ports in one process. */
export type ComposeRole<Opened = RoleContext> = (opened: Opened) => ComposedRole | Promise<ComposedRole>;
