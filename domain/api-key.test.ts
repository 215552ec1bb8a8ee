import { expect } from 'chai';
import fc from 'fast-check';
import { scopes, type ApiKeyEvent } from '../contracts/events/api-key.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';
import { apiKey, scopesBeyond, validityAt, type ApiKeyCommand, type KeyRecord } from './api-key.ts';

const at = '2026-01-01T00:00:00.000Z';
const graceEndsAt = '2026-01-02T00:00:00.000Z';
const accountId = 'acc_00000000-0000-4000-8000-000000000001';
const apiKeyId = 'key_00000000-0000-4000-8000-000000000001';
const record: KeyRecord = {
  apiKeyId,
  accountId,
  name: 'ci',
  scopes: ['read', 'write'],
  prefix: 'svc_live_aaaaaaaa',
  last4: 'wxyz',
  hash: 'a'.repeat(64),
  expiresAt: null,
};
const fresh = {
  apiKeyId: 'key_00000000-0000-4000-8000-000000000002',
  prefix: 'svc_live_bbbbbbbb',
  last4: 'stuv',
  hash: 'b'.repeat(64),
} as const;
const event = eventBuilders<ApiKeyEvent>({
  ApiKeyCreated: { ...record, rotatedFrom: null, at },
  ApiKeyRotated: { apiKeyId, successor: { ...record, ...fresh }, graceEndsAt, at },
  ApiKeyRevoked: { apiKeyId, accountId, name: 'ci', by: 'owner', at },
  ApiKeyWithdrawn: { apiKeyId, accountId, at },
});
const command = commandBuilders<ApiKeyCommand>({
  CreateApiKey: { record, rotatedFrom: null, at },
  RotateApiKey: { successor: fresh, graceEndsAt, at },
  RevokeApiKey: { by: 'owner', at },
  WithdrawApiKey: { apiKeyId, accountId, at },
});
const { given } = deciderSpec(apiKey);
const created = event.ApiKeyCreated();
const validityOf = (time: string, ...history: ApiKeyEvent[]) =>
  validityAt(history.reduce(apiKey.evolve, apiKey.initialState), new Date(time));

describe('an API key', () => {
  it('is created once; the same key again makes no event, another under its id is a conflict', () => {
    given().when(command.CreateApiKey()).then(created);
    given(created).when(command.CreateApiKey()).nothing();
    given(created)
      .when(command.CreateApiKey({ record: { ...record, hash: 'c'.repeat(64) } }))
      .refused('conflict');
  });

  it('that is withdrawn before its creation is never created', () => {
    given().when(command.WithdrawApiKey()).then(event.ApiKeyWithdrawn());
    given(event.ApiKeyWithdrawn()).when(command.WithdrawApiKey()).nothing();
    given(event.ApiKeyWithdrawn()).when(command.CreateApiKey()).refused('conflict');
    given(created).when(command.WithdrawApiKey()).nothing();
  });

  it('is rotated once, its successor with the same name, scopes and expiry', () => {
    given(created).when(command.RotateApiKey()).then(event.ApiKeyRotated());
    given(created, event.ApiKeyRotated()).when(command.RotateApiKey()).refused('conflict');
  });

  it('cannot be rotated once revoked or expired, or if it never existed', () => {
    given(created, event.ApiKeyRevoked()).when(command.RotateApiKey()).refused('conflict');
    given(event.ApiKeyCreated({ expiresAt: at }))
      .when(command.RotateApiKey())
      .refused('conflict');
    given().when(command.RotateApiKey()).refused('not-found');
  });

  it('gains no time from a rotation: the grace ends with the key', () => {
    const expiresAt = '2026-01-01T06:00:00.000Z';
    given(event.ApiKeyCreated({ expiresAt }))
      .when(command.RotateApiKey())
      .then(event.ApiKeyRotated({ graceEndsAt: expiresAt, successor: { ...record, ...fresh, expiresAt } }));
  });

  it('is revoked by owner or staff, in its grace period too, and only once', () => {
    given(created).when(command.RevokeApiKey()).then(event.ApiKeyRevoked());
    given(created)
      .when(command.RevokeApiKey({ by: 'staff' }))
      .then(event.ApiKeyRevoked({ by: 'staff' }));
    given(created, event.ApiKeyRotated()).when(command.RevokeApiKey()).then(event.ApiKeyRevoked());
    given(created, event.ApiKeyRevoked()).when(command.RevokeApiKey()).nothing();
    given().when(command.RevokeApiKey()).refused('not-found');
  });

  it('works until the last millisecond of its grace period', () => {
    expect(validityOf('2026-01-01T23:59:59.999Z', created, event.ApiKeyRotated())).to.equal('active');
    expect(validityOf('2026-01-02T00:00:00.000Z', created, event.ApiKeyRotated())).to.equal('expired');
  });

  it('expires at its expiry', () => {
    const limited = event.ApiKeyCreated({ expiresAt: graceEndsAt });
    expect(validityOf('2026-01-01T23:59:59.999Z', limited)).to.equal('active');
    expect(validityOf(graceEndsAt, limited)).to.equal('expired');
  });

  it('is revoked for good, expired or not, and unknown before it exists', () => {
    expect(
      validityOf('2030-01-01T00:00:00.000Z', created, event.ApiKeyRotated(), event.ApiKeyRevoked()),
    ).to.equal('revoked');
    expect(validityOf(at)).to.equal('unknown');
  });
});

describe('scopes that a key may grant to another', () => {
  it('are its own, and the granular ones under a broad one', () => {
    expect(scopesBeyond(['read', 'read:sessions', 'write:sessions'], ['read', 'write'])).to.deep.equal([]);
    expect(scopesBeyond(['read', 'write'], ['read:sessions', 'write'])).to.deep.equal(['read']);
    expect(scopesBeyond(['account_owner'], ['read', 'write'])).to.deep.equal(['account_owner']);
  });

  it('never grow down a chain of keys', () => {
    const some = fc.subarray([...scopes]);
    fc.assert(
      fc.property(some, some, some, (top, middle, bottom) => {
        fc.pre(scopesBeyond(middle, top).length === 0 && scopesBeyond(bottom, middle).length === 0);
        expect(scopesBeyond(bottom, top)).to.deep.equal([]);
      }),
    );
  });
});
