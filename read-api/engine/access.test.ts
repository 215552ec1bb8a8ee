import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId } from '../../contracts/ids.ts';
import { anAccount, at } from '../../projections/testing/index.ts';
import { endsAccess, type Access, type AccessEvent } from './access.ts';

const [owner, member, stranger] = [anAccount(), anAccount(), anAccount()];
const [apiKeyId, webSessionId] = [toId('apiKey', randomUUID()), toId('webSession', randomUUID())];
const key = { accountId: owner, actorId: owner, credentialId: apiKeyId };
const session = { ...key, credentialId: webSessionId };
const seat = { ...key, actorId: member, credentialId: toId('apiKey', randomUUID()) };

const of = { accountId: owner, at };
const membershipId = toId('membership', randomUUID());
const removed = { membershipId, accountId: member, at, made: null, revokes: false };
const reset = { sealedPasswordHash: 'sealed', epoch: 1, at };

type Case = readonly [what: string, event: AccessEvent, ended: readonly Access[]];
/** The streams that each event ends, of those admitted by a key, a web session and a seat on the team. */
const cases: readonly Case[] = [
  ['a suspension', { type: 'AccountSuspended', data: { ...of, reason: 'abuse' } }, [key, session, seat]],
  [
    'a suspension of the member',
    { type: 'AccountSuspended', data: { ...of, accountId: member, reason: 'abuse' } },
    [seat],
  ],
  ['the end of a suspension', { type: 'AccountUnsuspended', data: of }, []],
  ['an erasure', { type: 'AccountErased', data: of }, [key, session, seat]],
  ['an erasure of another account', { type: 'AccountErased', data: { ...of, accountId: stranger } }, []],
  ['a revocation', { type: 'ApiKeyRevoked', data: { ...of, apiKeyId, name: 'a key', by: 'owner' } }, [key]],
  ['a withdrawal', { type: 'ApiKeyWithdrawn', data: { ...of, apiKeyId } }, [key]],
  ['a sign-out', { type: 'WebSessionEnded', data: { ...of, webSessionId, reason: 'signed_out' } }, [session]],
  ['a reset of the password', { type: 'PasswordReset', data: { ...reset, accountId: owner } }, [session]],
  ['a reset of the member’s password', { type: 'PasswordReset', data: { ...reset, accountId: member } }, []],
  ['a password that is dropped', { type: 'UnprovenPasswordDropped', data: { ...of, epoch: 1 } }, [session]],
  ['a removal', { type: 'TeamMemberRemoved', data: { ...removed, ownerAccountId: owner } }, [seat]],
  [
    'a removal from another team',
    { type: 'TeamMemberRemoved', data: { ...removed, ownerAccountId: stranger } },
    [],
  ],
];

describe('what a stream was let in by', () => {
  for (const [what, event, ended] of cases)
    it(`${ended.length === 0 ? 'goes on after' : 'ends with'} ${what}`, () => {
      expect([key, session, seat].filter((access) => endsAccess(event, access))).to.deep.equal(ended);
    });
});
