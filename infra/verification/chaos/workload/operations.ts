import { randomUUID } from 'node:crypto';
import type { Random } from '../random.ts';
import type { Player } from './player.ts';

/** Pages of the simulated browsers, including broken ones. */
const pages = ['/', '/form', '/redirect', '/slow?ms=150', '/unreachable', '/crash', '/slow?ms=40'];
const timeout_ms = 2_000;

interface Operation {
  readonly weight: number;
  readonly target: (session: string) => string;
  readonly body?: (player: Player, random: Random) => object;
}

const post =
  (name: string) =>
  (session: string): string =>
    `POST /v1/sessions/${session}/${name}`;

/** Operations on a session. Typed text and passwords are planted secrets. */
export const operations: readonly Operation[] = [
  { weight: 6, target: post('wait'), body: (_, random) => pause(random) },
  {
    weight: 4,
    target: post('navigate'),
    body: (_, random) => ({ url: `http://sim.test${random.pick(pages)}`, timeout_ms }),
  },
  { weight: 2, target: post('capture'), body: () => ({ kind: 'dom_snapshot', timeout_ms }) },
  { weight: 1, target: (session) => `GET /v1/sessions/${session}/state` },
  {
    weight: 2,
    target: post('interact'),
    body: (player) => ({
      action: { kind: 'type', selector: '#name', text: plant(player, 'typed text'), sensitive: true },
      timeout_ms,
    }),
  },
  {
    weight: 1,
    target: post('login'),
    body: (player) => ({
      url: 'http://sim.test/login',
      fields: { username: 'ada', password: plant(player, 'password') },
      timeout_ms,
    }),
  },
];

const pause = (random: Random) => ({
  condition: { kind: 'delay', ms: random.between(0, 120) },
  timeout_ms,
});

export function plant(player: Player, name: string): string {
  const text = `canary-${randomUUID()}`;
  player.canaries.push({ name, text });
  return text;
}
