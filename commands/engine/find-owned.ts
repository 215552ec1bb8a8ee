import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import { parseId, uuidOf, type AccountId, type IdKind } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Decider } from '../../domain/kit/decider.ts';
import type { LoadOptions, Runner } from './runner.ts';

type None = { readonly status: 'none' };
type Owned = { readonly accountId: AccountId } | { readonly record: { readonly accountId: AccountId } };
export type Existing<State> = Exclude<State, None>;

/** A foreign resource, a missing one and an invalid id are refused alike, so that ids cannot be enumerated. */
export async function findOwned<State extends object, Command, Event extends DomainEvent>(
  runner: Pick<Runner, 'load'>,
  decider: Decider<State, Command, Event>,
  kind: IdKind,
  accountId: AccountId,
  text: string,
  options?: LoadOptions,
): Promise<Extract<State, Owned>> {
  const id = parseId(kind, text);
  if (id === undefined) throw refuse('not-found');
  const { state } = await runner.load(decider, uuidOf(id), options);
  if (!isOwned(state) || ownerOf(state) !== accountId) throw refuse('not-found');
  return state;
}

/** False for a stream without events. */
export const exists = <State extends { readonly status: string }>(state: State): state is Existing<State> =>
  state.status !== 'none';

/** False for a stream that never existed or was withdrawn before its creation: it has no owner. */
const isOwned = <State extends object>(state: State): state is Extract<State, Owned> =>
  'accountId' in state || 'record' in state;

const ownerOf = (state: Owned): AccountId => ('record' in state ? state.record : state).accountId;
