import type { World } from '../world/index.ts';
import { atOnce, type Fault, type Heal } from './fault.ts';

type Way = readonly [name: string, lasts: Fault['lasts'], inject: (world: World) => Heal];

/** The mail server's answer to every recipient, until the fault is healed. */
const answering =
  (answer: 'refuse' | 'hang') =>
  ({ mailbox }: World): Heal => {
    mailbox.answer = () => answer;
    return () => {
      mailbox.answer = () => 'take';
    };
  };

const ways: readonly Way[] = [
  [
    'away',
    [1_000, 6_000],
    ({ mailLink }) => {
      mailLink.refuse();
      mailLink.cut();
      return () => mailLink.heal();
    },
  ],
  [
    'half-open',
    [500, 4_000],
    ({ mailLink }) => {
      mailLink.blackhole();
      return () => {
        mailLink.cut();
        return mailLink.heal();
      };
    },
  ],
  [
    'cut off',
    [0, 0],
    ({ mailLink }) => {
      mailLink.cut();
      return atOnce;
    },
  ],
  ['refuses readers', [500, 4_000], answering('refuse')],
  ['hangs', [500, 4_000], answering('hang')],
];

export const mailFaults: readonly Fault[] = ways.map(([name, lasts, inject]) => ({
  name: `mail server ${name}`,
  expected: 'mails wait and are tried again; each is sent, and nobody who waits for none is held up',
  weight: name === 'away' ? 3 : 1,
  lasts,
  inject,
}));
