import { subscriberEmail } from '../../contracts/events/status-subscriber.ts';
import type { StatusSubscriptionId } from '../../contracts/ids.ts';
import { statusSubscriber } from '../../domain/status-subscriber.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { openSealed } from '../engine/open-sealed.ts';
import type { Runner } from '../engine/runner.ts';

interface Ports {
  readonly runner: Pick<Runner, 'load'>;
  readonly vault: Pick<Vault, 'open'>;
}

/** The address of a pending or confirmed subscription; null otherwise. */
export async function subscriberAddress(
  { runner, vault }: Ports,
  subscriber: string,
  subscriptionId: StatusSubscriptionId,
): Promise<string | null> {
  const { state } = await runner.load(statusSubscriber, subscriber);
  const found = [state.confirmed, state.pending].find((each) => each?.subscriptionId === subscriptionId);
  return found ? openSealed(vault, subscriptionId, subscriberEmail, found.sealedEmail) : null;
}
