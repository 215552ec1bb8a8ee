import type { Config } from '../../config/index.ts';
import type { BodyPace } from '../../http/index.ts';

export interface RoleEntry {
  readonly port: keyof Config & `${string}PORT`;
  /** The variable of its listening address, if not `INTERNAL_HOST`: only the gateway is public. */
  readonly host?: 'HOST';
  /** Receives requests of other processes, which use another instance once it is not ready. */
  readonly isAsked?: true;
  /** Receives contents of files and states of profiles. */
  readonly takesContents?: true;
  /** Uses no store. */
  readonly storeless?: true;
  /** Flags of Node and V8. */
  readonly flags?: readonly string[];
  /** Environment of its process, unless set for all of them. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** For mostly idle processes: a small young generation saves memory at no cost. */
const light = ['--max-semi-space-size=1'];

/**
 * For a process that sends webhooks: a young generation that holds all concurrent deliveries avoids copying, a tenth of its time. It
 * takes up to 130 MB after long use.
 */
const busy = ['--max-semi-space-size=64'];

/** Name look-ups use half of libuv's threads, four by default: that many hanging look-ups would block all others. */
const lookups = { UV_THREADPOOL_SIZE: '64' };

/** The service's processes, in starting order; they stop in reverse. */
export const roles = {
  projector: { port: 'PROJECTOR_PORT' },
  'read-api': { port: 'READ_PORT', isAsked: true },
  'write-api': {
    port: 'WRITE_PORT',
    isAsked: true,
    takesContents: true,
    environment: lookups,
  },
  node: { port: 'NODE_HEALTH_PORT', storeless: true, flags: light, environment: lookups },
  processes: {
    port: 'PROCESSES_PORT',
  },
  worker: {
    port: 'WORKER_PORT',
    flags: busy,
    environment: lookups,
  },
  gateway: { port: 'PORT', host: 'HOST', isAsked: true, takesContents: true, storeless: true },
} as const satisfies Record<string, RoleEntry>;

export type RoleName = keyof typeof roles;
export const roleNames = Object.keys(roles) as RoleName[];
export const isRole = (name: string): name is RoleName => name in roles;

/** Only the gateway is reached by customers themselves. */
export function isPublic(name: RoleName): boolean {
  const { host }: RoleEntry = roles[name];
  return host !== undefined;
}

/** Whether customers wait for the answers of the role: the gateway, and the APIs behind it. */
export function answersCustomers(name: RoleName): boolean {
  const { isAsked }: RoleEntry = roles[name];
  return isAsked === true;
}

/** How long a role keeps serving after a stop signal, in milliseconds. */
export function noticeMs(config: Pick<Config, 'SHUTDOWN_NOTICE'>, name: RoleName): number {
  return answersCustomers(name) ? config.SHUTDOWN_NOTICE : 0;
}

/** Timeout for a whole request, in milliseconds; undefined: the usual one. A node sends a state for up to five minutes. */
export function requestTimeoutMs(name: RoleName): number | undefined {
  const { takesContents }: RoleEntry = roles[name];
  return takesContents && 6 * 60_000;
}

/** Least pace of bodies from the public: slower ones would hold connections to the APIs for minutes, at no cost to their client. */
export function bodyPace(name: RoleName): BodyPace | undefined {
  return isPublic(name) ? { bytes: 1024 * 1024, everyMs: 30_000 } : undefined;
}

/** How long requests and jobs in progress may take after the notice, in milliseconds; the rest is for closing everything else. */
export const finishLimitMs = ({ SHUTDOWN_LIMIT }: Pick<Config, 'SHUTDOWN_LIMIT'>): number =>
  SHUTDOWN_LIMIT * 0.7;

type StopLimits = Pick<Config, 'SHUTDOWN_NOTICE' | 'SHUTDOWN_LIMIT' | 'DRAIN_LIMIT'>;

/** Time limit for the role to stop, in milliseconds. */
export const stopLimitMs = (config: StopLimits, name: RoleName) =>
  noticeMs(config, name) + (name === 'node' ? config.DRAIN_LIMIT : 0) + config.SHUTDOWN_LIMIT;

/** Variables of all ports on which roles listen. A node has a second port, `NODE_PORT`, for the fleet protocol. */
export const portVariables = [...Object.values(roles).map((role) => role.port), 'NODE_PORT'] as const;
export type PortVariable = (typeof portVariables)[number];

export const portsOf = (role: RoleName): readonly PortVariable[] =>
  role === 'node' ? [roles.node.port, 'NODE_PORT'] : [roles[role].port];
