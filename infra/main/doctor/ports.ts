import { connect } from 'node:net';
import { once } from 'node:events';
import { here } from '../composition/peers.ts';
import { isRole, portsOf, type PortVariable } from '../roles/table.ts';
import { counted, ill, well, withoutSupervisor, type Finding } from './finding.ts';
import type { Patient } from './patient.ts';

/** Whether the ports of this machine's roles accept connections. */
export async function ports({ config, stack }: Patient): Promise<Finding> {
  if (stack === undefined) return withoutSupervisor;
  const names = Object.keys(stack.processes)
    .filter((name) => isRole(name))
    .flatMap(portsOf);
  const places = names.map((name) => ({
    name,
    port: Number(stack.environment[name] ?? config[name]),
    host: here(name === 'PORT' ? config.HOST : config.INTERNAL_HOST),
  }));
  const closed = await Promise.all(places.map(async (place) => ((await isOpen(place)) ? [] : [place])));
  const missing = closed.flat().map(({ name, host, port }) => `${name} (${host}:${port})`);
  if (missing.length === 0) return well(`${counted(names.length, 'port')}, all open on this machine`);
  return ill(
    `closed: ${missing.join(', ')}`,
    'The process is starting, is not running, or listens on another interface (see HOST and INTERNAL_HOST).',
  );
}

interface Place {
  readonly name: PortVariable;
  readonly port: number;
  readonly host: string;
}

const limitMs = 2_000;

async function isOpen({ port, host }: Place): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(limitMs) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
