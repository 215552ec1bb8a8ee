import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import { parseId, uuidOf, type AccountId, type IdKind } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Decider } from '../../domain/kit/decider.ts';
import type { LoadOptions, Runner } from './runner.ts';

type None = { readonly status: 'none' };
type Owned = { readonly status: string } & (
  { readonly accountId: AccountId } | { readonly record: { readonly accountId: AccountId } }
);
export type Existing<State> = Exclude<State, None>;

/** Another account's resource, a missing one and an id that is none are refused alike: nobody learns which exist. */
export async function findOwned<State extends None | Owned, Command, Event extends DomainEvent>(
  runner: Pick<Runner, 'load'>,
  decider: Decider<State, Command, Event>,
  kind: IdKind,
  accountId: AccountId,
  text: string,
  options?: LoadOptions,
): Promise<Existing<State>> {
  const id = parseId(kind, text);
  if (id === undefined) throw refuse('not-found');
  const { state } = await runner.load(decider, uuidOf(id), options);
  if (!exists(state) || ownerOf(state) !== accountId) throw refuse('not-found');
  return state;
}

/** False for a stream without events. */
export const exists = <State extends { readonly status: string }>(state: State): state is Existing<State> =>
  state.status !== 'none';

const ownerOf = (state: None | Owned): AccountId | undefined => {
  if ('record' in state) return state.record.accountId;
  return 'accountId' in state ? state.accountId : undefined;
};
