import { ownLlmKeyEvents, type LlmKeyFailure, type OwnLlmKeyEvent } from '../contracts/events/own-llm-key.ts';
import { refuse } from '../contracts/problems.ts';
import { decideBy, type CommandsOf, type DataOf, type Decider, type Rules } from './kit/decider.ts';
import { isBefore } from './kit/time.ts';

type Stored = DataOf<OwnLlmKeyEvent, 'OwnLlmKeyStored'>;

export interface StoredLlmKey extends Readonly<Omit<Stored, 'at'>> {
  readonly status: 'stored';
  readonly storedAt: string;
  /** Whether its owner has been reminded to replace it. */
  readonly isAged: boolean;
  /** `error` null: the provider accepted the key. */
  readonly lastTest: { readonly error: LlmKeyFailure | null; readonly at: string } | null;
}
export type OwnLlmKeyState = { readonly status: 'none' } | StoredLlmKey;

export type OwnLlmKeyCommand = CommandsOf<{
  StoreKey: Omit<Stored, 'at'>;
  RemoveKey: unknown;
  /** The result of the test of the key with this id. */
  RecordTest: { keyId: string; error: LlmKeyFailure | null };
  MarkAged: unknown;
}>;

const rules: Rules<OwnLlmKeyState, OwnLlmKeyCommand, OwnLlmKeyEvent> = {
  /** Replaces the previous key. */
  StoreKey(state, { type: _, ...data }) {
    if (state.status === 'stored' && state.keyId === data.keyId) return [];
    return [{ type: 'OwnLlmKeyStored', data }];
  },
  RemoveKey(state, { at }) {
    if (state.status === 'none') return [];
    const { accountId, keyId } = state;
    return [{ type: 'OwnLlmKeyRemoved', data: { accountId, keyId, at } }];
  },
  /** The test of a key that was replaced meanwhile is ignored. */
  RecordTest(state, { keyId, error, at }) {
    const { accountId, lastTest, keyId: stored } = storedKey(state);
    if (stored !== keyId)
      throw refuse('conflict', 'The key was replaced while it was being tested. Test it again.');
    if (lastTest?.at === at && lastTest.error === error) return [];
    return [{ type: 'OwnLlmKeyTested', data: { accountId, keyId, error, at } }];
  },
  /** At most once per key, and not before the reminder is due. */
  MarkAged(state, { at }) {
    if (state.status === 'none' || state.isAged || isBefore(at, state.remindAt)) return [];
    const { accountId, keyId } = state;
    return [{ type: 'OwnLlmKeyAged', data: { accountId, keyId, at } }];
  },
};

/** The account's own key of a model provider: none or one, which may be replaced at any time. */
export const ownLlmKey: Decider<OwnLlmKeyState, OwnLlmKeyCommand, OwnLlmKeyEvent> = {
  category: ownLlmKeyEvents,
  initialState: { status: 'none' },
  decide: decideBy(rules),
  evolve,
  snapshotEvery: 200,
};

/** Throws `not-found` if no key is stored. */
export function storedKey(state: OwnLlmKeyState): StoredLlmKey {
  if (state.status === 'none') throw refuse('not-found', 'No model-provider key is stored.');
  return state;
}

function evolve(state: OwnLlmKeyState, { type, data }: OwnLlmKeyEvent): OwnLlmKeyState {
  if (type === 'OwnLlmKeyStored') {
    const { at: storedAt, ...key } = data;
    return { status: 'stored', ...key, storedAt, isAged: false, lastTest: null };
  }
  if (state.status === 'none' || state.keyId !== data.keyId) return state;
  switch (type) {
    case 'OwnLlmKeyTested':
      return { ...state, lastTest: { error: data.error, at: data.at } };
    case 'OwnLlmKeyRemoved':
      return { status: 'none' };
    case 'OwnLlmKeyAged':
      return { ...state, isAged: true };
  }
}

export type OwnKeyReminder = Pick<DataOf<OwnLlmKeyEvent, 'OwnLlmKeyAged'>, 'accountId' | 'keyId' | 'at'>;

/** The reminders that an event causes. */
export const ownKeyReminders = ({ type, data }: OwnLlmKeyEvent): readonly OwnKeyReminder[] =>
  type === 'OwnLlmKeyAged' ? [data] : [];
