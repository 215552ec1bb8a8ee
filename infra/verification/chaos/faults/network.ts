import type { LinkName } from '../../testbed/stack-links.ts';
import type { TcpProxy } from '../../testbed/tcp-proxy.ts';
import type { Random } from '../random.ts';
import { atOnce, type Fault } from './fault.ts';

/** Ways in which a network breaks. `heal` restores each proxy. */
const ways: Readonly<
  Record<
    string,
    {
      readonly lasts: Fault['lasts'];
      readonly apply: (link: TcpProxy, random: Random) => void;
      readonly expected: string;
    }
  >
> = {
  cut: {
    lasts: [0, 0],
    apply: (link) => link.cut(),
    expected: 'connections are made anew; what was under way is of unknown outcome',
  },
  refuse: {
    lasts: [300, 3_000],
    apply: (link) => {
      link.refuse();
      link.cut();
    },
    expected: 'callers are told 503 or wait; nothing is lost',
  },
  'half-open': {
    lasts: [500, 4_000],
    apply: (link) => link.blackhole(),
    expected: 'silence is noticed and given up on',
  },
  'lose answers of': {
    lasts: [300, 3_000],
    apply: (link) => link.blackhole('answers'),
    expected: 'requests that took effect are not repeated into a second effect',
  },
  delay: {
    lasts: [500, 3_000],
    apply: (link, random) => link.delay(random.between(5, 150)),
    expected: 'slower, nothing else',
  },
  throttle: {
    lasts: [500, 2_000],
    apply: (link, random) => link.throttle(random.between(20_000, 200_000)),
    expected: 'slower, nothing else',
  },
};

const links: readonly LinkName[] = ['event-store', 'postgres', 'write-api', 'read-api', 'node', 'redis'];

const broken = (name: LinkName, way: string, { lasts, apply, expected }: (typeof ways)[string]): Fault => ({
  name: `${way} ${name}`,
  expected,
  weight: 0.7,
  lasts,
  ...(name === 'redis' && { queue: 'redis' }),
  inject: ({ stack }, random) => {
    const link = stack.link(name);
    apply(link, random);
    if (lasts[1] === 0) return atOnce;
    // Held-back data arrives late, or never.
    const loses = random.next() < 0.5;
    return () => {
      if (loses) link.cut();
      return link.heal();
    };
  },
});

export const networkFaults: readonly Fault[] = links.flatMap((name) =>
  Object.entries(ways).map(([way, how]) => broken(name, way, how)),
);
