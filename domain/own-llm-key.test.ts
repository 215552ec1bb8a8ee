import { expect } from 'chai';
import type { OwnLlmKeyEvent } from '../contracts/events/own-llm-key.ts';
import { toId } from '../contracts/ids.ts';
import { ownKeyReminders, ownLlmKey, type OwnLlmKeyCommand } from './own-llm-key.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';

const accountId = toId('account', '0197f1a0-0000-7000-8000-000000000002');
const at = '2026-01-05T12:00:00.000Z';
const remindAt = '2026-03-06T12:00:00.000Z';
const of = { accountId, keyId: 'first' };
const key = { ...of, provider: 'anthropic', sealedKey: 'sealed1.first', last4: 'abcd', remindAt } as const;
const another = { keyId: 'second', sealedKey: 'sealed1.second' };

const { OwnLlmKeyStored, OwnLlmKeyTested, OwnLlmKeyRemoved, OwnLlmKeyAged } = eventBuilders<OwnLlmKeyEvent>({
  OwnLlmKeyStored: { ...key, at },
  OwnLlmKeyTested: { ...of, error: null, at },
  OwnLlmKeyRemoved: { ...of, at },
  OwnLlmKeyAged: { ...of, at: remindAt },
});
const { StoreKey, RemoveKey, RecordTest, MarkAged } = commandBuilders<OwnLlmKeyCommand>({
  StoreKey: { ...key, at },
  RemoveKey: { at },
  RecordTest: { keyId: 'first', error: null, at },
  MarkAged: { at: remindAt },
});
const { given } = deciderSpec(ownLlmKey);

describe('an own model-provider key', () => {
  it('is stored, and replaced by the next one', () => {
    given().when(StoreKey()).then(OwnLlmKeyStored());
    given(OwnLlmKeyStored()).when(StoreKey()).nothing();
    given(OwnLlmKeyStored()).when(StoreKey(another)).then(OwnLlmKeyStored(another));
  });

  it('is removed once, and can be stored again', () => {
    given(OwnLlmKeyStored()).when(RemoveKey()).then(OwnLlmKeyRemoved());
    given(OwnLlmKeyStored(), OwnLlmKeyRemoved()).when(RemoveKey()).nothing();
    given().when(RemoveKey()).nothing();
    given(OwnLlmKeyStored(), OwnLlmKeyRemoved()).when(StoreKey(another)).then(OwnLlmKeyStored(another));
  });

  it('keeps the result of its last test, which the next key does not inherit', () => {
    given(OwnLlmKeyStored())
      .when(RecordTest({ error: 'timeout' }))
      .then(OwnLlmKeyTested({ error: 'timeout' }));
    given(OwnLlmKeyStored(), OwnLlmKeyTested())
      .when(StoreKey(another))
      .leaves((state) => expect(state).to.deep.include({ keyId: 'second', lastTest: null }));
  });

  it('ignores the result of a test of another key, or without a key', () => {
    given(OwnLlmKeyStored(), OwnLlmKeyStored(another)).when(RecordTest()).refused('conflict');
    given().when(RecordTest()).refused('not-found');
    given(OwnLlmKeyStored(), OwnLlmKeyRemoved()).when(RecordTest()).refused('not-found');
  });

  it('ages once, and not before its time', () => {
    given(OwnLlmKeyStored()).when(MarkAged()).then(OwnLlmKeyAged());
    given(OwnLlmKeyStored(), OwnLlmKeyAged()).when(MarkAged()).nothing();
    given(OwnLlmKeyStored()).when(MarkAged({ at })).nothing();
    given(OwnLlmKeyStored(), OwnLlmKeyRemoved()).when(MarkAged()).nothing();
    given().when(MarkAged()).nothing();
  });

  it('ages anew once it was replaced', () => {
    given(OwnLlmKeyStored(), OwnLlmKeyAged(), OwnLlmKeyStored(another))
      .when(MarkAged())
      .then(OwnLlmKeyAged({ keyId: 'second' }));
  });

  it('reminds its owner when it has aged, and at nothing else', () => {
    const events = [OwnLlmKeyStored(), OwnLlmKeyTested(), OwnLlmKeyRemoved(), OwnLlmKeyAged()];
    expect(events.flatMap(ownKeyReminders)).to.deep.equal([{ ...of, at: remindAt }]);
  });
});
