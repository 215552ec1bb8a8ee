import type { Config } from '../../config/index.ts';
import { freePort } from '../../free-port.ts';
import { roles, type RoleName } from '../roles/table.ts';

type PortVariable = keyof Config & `${string}PORT`;
const portVariables = [
  ...Object.values(roles).map((role) => role.port),
  'NODE_PORT',
] as const satisfies PortVariable[];

export type Ports = Readonly<Record<(typeof portVariables)[number], string>>;

/** Every port a role will listen on, as variables; a configured 0 becomes a free one, the same for all who ask. */
export async function choosePorts(config: Config): Promise<Ports> {
  const chosen = await Promise.all(
    portVariables.map(async (name) => [name, String(config[name] || (await freePort()))] as const),
  );
  return Object.fromEntries(chosen) as Ports;
}

/** Where this role answers `/readyz` on this machine. */
export const healthUrl = (ports: Readonly<Record<string, string>>, role: RoleName) =>
  `http://127.0.0.1:${ports[roles[role].port]}`;

const everywhere = ['0.0.0.0', '::'];

/** The address to show to people and to give to clients. */
export function baseUrl({ BASE_URL, HOST }: Config, ports: Readonly<Record<string, string>>): string {
  if (BASE_URL !== undefined) return BASE_URL;
  const host = everywhere.includes(HOST) ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${ports.PORT}`;
}
