import { ConfigError, type Config, type Environment } from '../../config/index.ts';
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
 * Every port a role will listen on, as variables. A stack with all roles takes free ports where none was set, so that
 * several run on one machine; only clients have to know `PORT`. One with some roles keeps to the defaults, by which those of
 * other stacks find them. A 0 becomes a free port, the same for all who ask.
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
    await assertFree(name, Number(ports[name]), name === 'PORT' ? config.HOST : '127.0.0.1');
  return ports;
}

/** Before anything is started: a role that cannot listen would only say so in its log. */
async function assertFree(name: PortVariable, port: number, host: string): Promise<void> {
  if (await isFree(port, host)) return;
  throw new ConfigError([
    `${name} is ${port}, and something else listens on ${host}:${port}. Set ${name} to another port; 0 is any free one.`,
  ]);
}

const everywhere = ['0.0.0.0', '::'];
const authority = (host: string, port: string | undefined) =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Where this role answers `/readyz`. All but the gateway listen on loopback. */
export const healthUrl = ({ HOST }: Config, ports: Readonly<Record<string, string>>, role: RoleName) => {
  const { port } = roles[role];
  return authority(port === 'PORT' && !everywhere.includes(HOST) ? HOST : '127.0.0.1', ports[port]);
};

/** The address to show to people and to give to clients. */
export function baseUrl({ BASE_URL, HOST }: Config, ports: Readonly<Record<string, string>>): string {
  if (BASE_URL !== undefined) return BASE_URL;
  const host = everywhere.includes(HOST) ? 'localhost' : HOST;
  return authority(host, ports.PORT);
}
