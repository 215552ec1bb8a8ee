import type { Config } from '../../config/index.ts';

export interface RoleEntry {
  readonly port: keyof Config & `${string}PORT`;
  /** The interface it listens on, where it is not `INTERNAL_HOST`: only the gateway is for others than ourselves. */
  readonly host?: 'HOST';
  /** Others send it requests, which go elsewhere once it is not ready any more. */
  readonly isAsked?: true;
  /** It asks no store. */
  readonly storeless?: true;
  /** Of Node and V8, for its process. */
  readonly flags?: readonly string[];
  /** Of its process, unless it is set for all of them. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Of a process that waits most of the time: a small young generation costs it nothing and keeps it small. */
const light = ['--max-semi-space-size=1'];

/**
 * Of a process with much in hand at once: a young generation that holds all of it spares copying it out, a tenth of the time
 * of a process that sends webhooks. It grows with use and takes nothing while idle.
 */
export const busy = ['--max-semi-space-size=64'];

/** Names are looked up in half of libuv's threads, four by default: as many names whose servers hang would stop all others. */
const lookups = { UV_THREADPOOL_SIZE: '64' };

/** The service's processes, in the order in which they start; they stop in the reverse one. */
export const roles = {
  projector: {
    port: 'PROJECTOR_PORT',
    flags: busy,
  },
  'read-api': { port: 'READ_PORT', isAsked: true },
  'write-api': {
    port: 'WRITE_PORT',
    isAsked: true,
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
  gateway: { port: 'PORT', host: 'HOST', isAsked: true, storeless: true },
} as const satisfies Record<string, RoleEntry>;

export type RoleName = keyof typeof roles;
export const roleNames = Object.keys(roles) as RoleName[];
export const isRole = (name: string): name is RoleName => name in roles;

/** Milliseconds for which a role continues to serve after SIGTERM. */
export function noticeMs(config: Pick<Config, 'SHUTDOWN_NOTICE'>, name: RoleName): number {
  const { isAsked }: RoleEntry = roles[name];
  return isAsked ? config.SHUTDOWN_NOTICE : 0;
}

type StopLimits = Pick<Config, 'SHUTDOWN_NOTICE' | 'SHUTDOWN_LIMIT' | 'DRAIN_LIMIT'>;

/** What it may take until it has stopped, milliseconds. */
export const stopLimitMs = (config: StopLimits, name: RoleName) =>
  noticeMs(config, name) + (name === 'node' ? config.DRAIN_LIMIT : 0) + config.SHUTDOWN_LIMIT;

/** Every variable that names a port some role listens on: for its health, and the node's for the fleet protocol too. */
export const portVariables = [...Object.values(roles).map((role) => role.port), 'NODE_PORT'] as const;
export type PortVariable = (typeof portVariables)[number];

export const portsOf = (role: RoleName): readonly PortVariable[] =>
  role === 'node' ? [roles.node.port, 'NODE_PORT'] : [roles[role].port];
