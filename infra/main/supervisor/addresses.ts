import { ConfigError, type Config, type Environment } from '../../config/index.ts';
import { authority, here, internalUrl, isEverywhere } from '../composition/peers.ts';
import { freePort, isFree } from '../../platform/free-port.ts';
import {
  portsOf,
  portVariables,
  roleNames,
  roles,
  type PortVariable,
  type RoleName,
} from '../roles/table.ts';

export type Ports = Readonly<Record<PortVariable, string>>;

export interface PortsOptions {
  readonly config: Config;
  readonly environment: Environment;
  readonly roles: readonly RoleName[];
}

/**
 * The ports of all roles, as variables. A stack with all roles uses free ports for variables that are not set, so that
 * several stacks run on one machine; only `PORT` must be known to clients. A stack with some roles uses the defaults,
 * so that other stacks find these roles. A 0 becomes a free port, which every process of the stack gets.
 */
export async function choosePorts({ config, environment, roles: names }: PortsOptions): Promise<Ports> {
  const isWhole = names.length === roleNames.length;
  const chosen = await Promise.all(
    portVariables.map(async (name) => {
      const isFixed = name === 'PORT' || !isWhole || Boolean(environment[name]);
      return [name, String((isFixed && config[name]) || (await freePort()))] as const;
    }),
  );
  const ports = Object.fromEntries(chosen) as Ports;
  for (const name of names.flatMap(portsOf))
    await assertFree(name, Number(ports[name]), name === 'PORT' ? config.HOST : config.INTERNAL_HOST);
  return ports;
}

/** Throws if the port is in use. Called before anything is started, because a role that cannot listen only logs it. */
async function assertFree(name: PortVariable, port: number, host: string): Promise<void> {
  if (await isFree(port, host)) return;
  throw new ConfigError([
    `${name} is ${port}, and something else listens on ${host}:${port}. Set ${name} to another port; 0 chooses a free one.`,
  ]);
}

/** Base URL of the role's health pages, for callers on this machine. */
export const healthUrl = (
  config: Config,
  ports: Readonly<Record<string, string | undefined>>,
  role: RoleName,
): string => {
  const port = ports[roles[role].port] ?? '';
  return role === 'gateway' ? `http://${authority(here(config.HOST), port)}` : internalUrl(config, port);
};

/** The address to show to people, and for clients. */
export function baseUrl({ BASE_URL, HOST }: Config, ports: Readonly<Record<string, string>>): string {
  if (BASE_URL !== undefined) return BASE_URL;
  return `http://${authority(isEverywhere(HOST) ? 'localhost' : HOST, ports.PORT ?? '')}`;
}
