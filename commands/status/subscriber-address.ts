import { subscriberEmail } from '../../contracts/events/status-subscriber.ts';
import type { StatusSubscriptionId } from '../../contracts/ids.ts';
import { statusSubscriber } from '../../domain/status-subscriber.ts';
import type { Vault } from '../../infra/vault/index.ts';
import type { Runner } from '../engine/runner.ts';

interface Ports {
  readonly runner: Pick<Runner, 'load'>;
  readonly vault: Pick<Vault, 'open'>;
}

/** The address of a subscription that waits to be confirmed or is in force; undefined once it is neither. */
export async function subscriberAddress(
  { runner, vault }: Ports,
  subscriber: string,
  subscriptionId: StatusSubscriptionId,
): Promise<string | undefined> {
  const { state } = await runner.load(statusSubscriber, subscriber);
  const found = [state.confirmed, state.pending].find((each) => each?.subscriptionId === subscriptionId);
  if (!found) return undefined;
  const opened = await vault.open(subscriptionId, subscriberEmail, found.sealedEmail);
  return 'text' in opened ? opened.text : undefined;
}
