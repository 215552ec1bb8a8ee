import { startBalancer, type Balancer, type Target } from '../testbed/balancer.ts';
import { startStores, type StackStores } from '../testbed/stack-stores.ts';
import { startRelay, type Place, type Relay } from './relay.ts';

/** Requests to the program, answered one after the other. */
export type HostRequest =
  | { readonly relay: { readonly from: Place; readonly to: Place } }
  | { readonly balancer: { readonly at: ListeningAt; readonly targets: readonly (Target & ListeningAt)[] } }
  /** Whether balancers send new connections to this process. */
  | { readonly isServed: ListeningAt };

export interface ListeningAt {
  readonly host: string;
  readonly port: number;
}

/** Ports of the stores on the host's loopback, and the password of Postgres. */
export interface LocalStores extends Readonly<Record<'eventStore' | 'postgres' | 'redis', number>> {
  readonly password: string;
}

/**
 * What a host runs beside the service: `host-program.ts [directory for stores]`. Sends where the stores are, or null, once it takes
 * requests, and ends when its parent does.
 */
async function main(): Promise<void> {
  const [, , directory] = process.argv;
  const stores = directory === undefined ? undefined : await startStores(directory, true);
  const running: Running = { balancers: [], relays: [] };
  const stop = async () => {
    for (const relay of running.relays) relay.close();
    await stores?.stop();
    process.exit(0);
  };
  for (const end of ['SIGTERM', 'disconnect'] as const) process.once(end, () => void stop());
  process.on('message', (request: HostRequest) => {
    answer(request, running).then(
      (result) => process.send?.(result),
      (error: unknown) => process.send?.(String(error)),
    );
  });
  process.send?.(stores ? localStoresOf(stores) : null);
}

const localStoresOf = ({ eventStore, postgres, redis }: StackStores): LocalStores => {
  const { port, password } = new URL(postgres.url);
  return { eventStore: eventStore.port, postgres: Number(port), redis: redis?.port ?? 0, password };
};

interface Running {
  readonly balancers: Balancer[];
  readonly relays: Relay[];
}

async function answer(request: HostRequest, { balancers, relays }: Running): Promise<boolean> {
  if ('isServed' in request) {
    const { host, port } = request.isServed;
    return balancers.some((balancer) => balancer.sendsTo(port, host));
  }
  if ('relay' in request) relays.push(await startRelay(request.relay.from, request.relay.to));
  else balancers.push(await startBalancer(request.balancer.targets, request.balancer.at));
  return true;
}

await main();
