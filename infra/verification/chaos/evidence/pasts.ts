import { answered, type Exchange } from '../history.ts';
import type { Player } from '../workload/player.ts';
import type { Evidence } from './types.ts';

/** How many of a program's newest answers are checked. */
const most = 100;

/** For sessions that programs created or read: queries the past at the position of that answer. */
export async function queryPasts(
  history: readonly Exchange[],
  players: readonly Player[],
): Promise<Evidence['pasts']> {
  const asked = players.map(async ({ client }) => {
    const pasts: Evidence['pasts'][number][] = [];
    const own = history.filter(({ actor }) => actor === client.name).flatMap(placed);
    for (const { answer, path, position } of own.slice(-most)) {
      const target = `GET ${path}?as_of=${encodeURIComponent(position)}`;
      pasts.push({ answer, past: await client.call({ action: 'as-of', target }) });
    }
    return pasts;
  });
  return (await Promise.all(asked)).flat();
}

interface Placed {
  readonly answer: Exchange;
  readonly path: string;
  readonly position: string;
}

/** Path of the resource in an answer; undefined if the answer does not contain a whole one. */
const placeOf: Readonly<Record<string, (exchange: Exchange) => string>> = {
  get: ({ target }) => target.replace('GET ', ''),
  create: (exchange) => `/v1/sessions/${madeIn(exchange)}`,
  launch: (exchange) => `/v1/sessions/${madeIn(exchange)}`,
  'create-profile': (exchange) => `/v1/profiles/${madeIn(exchange)}`,
};

const madeIn = (exchange: Exchange): string => String(answered(exchange, 'id'));

/** The position of a stale answer, or of one repeated for an `Idempotency-Key`, is not that of its content. */
export function placed(exchange: Exchange): readonly Placed[] {
  const { action, answer } = exchange;
  if (answer.kind !== 'done') return [];
  const { headers } = answer;
  const position = headers['x-service-position'];
  if (position === undefined || headers['x-service-stale'] !== undefined) return [];
  if (headers['idempotency-replayed'] !== undefined) return [];
  const path = placeOf[action]?.(exchange);
  return path === undefined ? [] : [{ answer: exchange, path, position }];
}
