import { join } from 'node:path';
import { tlsDirectory } from './environment.ts';
import { addresses, apiHosts, balanced, withStores } from './places.ts';
import type { LocalStores } from './host-program.ts';
import type { SideProgram } from './side-program.ts';

export type SidePrograms = Readonly<Record<'stores' | 'client' | (typeof withStores)[number], SideProgram>>;

/** Ports of `stores` between hosts, in this order. */
const firstPort = 7001;
const loopback = '127.0.0.1';

/** Lets each host with a part of the control plane see the stores on its own loopback, as through a tunnel of an operator. */
export async function joinStores(
  programs: SidePrograms,
  directory: string,
  { eventStore, postgres, redis }: LocalStores,
): Promise<void> {
  for (const [index, port] of [eventStore, postgres, redis].entries()) {
    const between = (name: keyof typeof addresses) => ({
      host: addresses.stores,
      port: firstPort + index,
      tls: tlsDirectory(directory, name),
    });
    const near = { host: loopback, port };
    await programs.stores.ask({ relay: { from: between('stores'), to: near } });
    for (const name of withStores) await programs[name].ask({ relay: { from: near, to: between(name) } });
  }
  // For the test itself.
  const socket = { path: join(directory, '.s.PGSQL.5432') };
  await programs.stores.ask({ relay: { from: socket, to: { host: loopback, port: postgres } } });
}

/** Opens the balancers, and the clients' door, a socket that leads from the clients' host to the gateways. */
export async function openDoor({ control, client }: SidePrograms, door: string): Promise<void> {
  for (const { port, scheme } of Object.values(balanced)) {
    const targets = apiHosts.map((name) => ({ host: addresses[name], port, scheme }));
    await control.ask({ balancer: { at: { host: addresses.control, port }, targets } });
  }
  const to = { host: addresses.control, port: balanced.gateway.port };
  await client.ask({ relay: { from: { path: door }, to } });
}
