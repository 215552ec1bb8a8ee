import type { World } from '../world/index.ts';
import type { Fault, Heal } from './fault.ts';

type Way = readonly [name: string, inject: (world: World) => Heal];
type CardFault = Parameters<World['payments']['cards']['fail']>[0];
type CryptoBehaviour = Parameters<World['payments']['crypto']['behave']>[0];

const cards =
  (fault: CardFault) =>
  ({ payments }: World): Heal => {
    payments.cards.fail(fault);
    return () => payments.cards.fail(undefined);
  };
const crypto =
  (behaviour: CryptoBehaviour) =>
  ({ payments }: World): Heal => {
    payments.crypto.behave(behaviour);
    return () => payments.crypto.behave('normal');
  };

const ways: readonly Way[] = [
  ['card processor away', cards({ kind: 'away' })],
  ['card processor answers 500', cards({ kind: 'status', status: 500 })],
  ['card processor loses its answers', cards({ kind: 'lost' })],
  ['card processor slow', cards({ kind: 'slow', ms: 1_500 })],
  ['crypto processor down', crypto('down')],
  ['crypto processor silent', crypto('silent')],
  ['crypto processor loses its answers', crypto('no-reply')],
];

export const paymentFaults: readonly Fault[] = ways.map(([name, inject]) => ({
  name,
  expected: 'buyers are told 503; what the processor has done is found afterwards, and money is counted once',
  weight: 0.7,
  lasts: [500, 4_000],
  inject,
}));
