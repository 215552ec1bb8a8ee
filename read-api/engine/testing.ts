import type { AccountId } from '../../contracts/ids.ts';
import type { HistoryEntry } from '../../contracts/resources/history.ts';
import { positionText } from '../../infra/event-store/client/position.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import type { Answer } from '../../infra/http/testing.ts';
import { aSession, destroyed, ready, requested, sessionStream } from '../../projections/testing/index.ts';
import { dataOf, type ReadApi } from '../testing.ts';

/** More than two minutes ahead of the store: `nextMinute`, at most 61 seconds away, is over, too. */
export const aheadClock = { now: () => new Date(Date.now() + 125_000) };
/** The first full minute by which the appended events are committed. */
export const nextMinute = () => new Date(Math.ceil((Date.now() + 1000) / 60_000) * 60_000);

export const entriesIn = (answer: Answer): HistoryEntry[] => dataOf<HistoryEntry>(answer);
/** The fields named by a refusal. */
export const errorsOf = ({ json }: Answer): string[] =>
  (json.errors as { path: string }[]).map(({ path }) => path);

/** Requests to a read-api about the past. */
export function asking(api: () => ReadApi) {
  const get = (token: string, path: string, headers = {}) => api().call(`GET ${path}`, { token, headers });
  const asOf = (token: string, path: string, moment: Position | Date | string, headers = {}) => {
    const text =
      typeof moment === 'string'
        ? moment
        : moment instanceof Date
          ? moment.toISOString()
          : positionText(moment);
    return get(token, `${path}?as_of=${encodeURIComponent(text)}`, headers);
  };
  /** A session that was requested, ready and destroyed, with the position after each. */
  async function aLife(given?: { readonly account: AccountId; readonly key: { readonly text: string } }) {
    const { account, key } = given ?? (await api().addAccount());
    const id = aSession();
    const positions: Position[] = [];
    for (const event of [requested(id, account), ready(id), destroyed(id)])
      positions.push(await api().write(account, sessionStream(id), [event]));
    const [wasRequested, wasReady, wasDestroyed] = positions as [Position, Position, Position];
    return { account, token: key.text, id, path: `/v1/sessions/${id}`, wasRequested, wasReady, wasDestroyed };
  }

  return { get, asOf, aLife };
}
