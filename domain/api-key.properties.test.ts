import fc from 'fast-check';
import { scopes } from '../contracts/events/api-key.ts';
import { idOf, laterTime, text, time } from './testing/arbitraries.ts';
import { describeDecider } from './testing/decider-properties.ts';
import { apiKey, type ApiKeyCommand } from './api-key.ts';

const issued = { apiKeyId: idOf('apiKey'), prefix: text, last4: text, hash: fc.constantFrom('one', 'other') };
const record = fc.record({
  ...issued,
  accountId: idOf('account', 1),
  name: text,
  scopes: fc.subarray([...scopes]),
  expiresAt: fc.option(fc.oneof(time, laterTime)),
});
const command: fc.Arbitrary<ApiKeyCommand> = fc.oneof(
  fc.record({
    type: fc.constant('CreateApiKey' as const),
    record,
    rotatedFrom: fc.option(idOf('apiKey')),
    at: time,
  }),
  fc.record({
    type: fc.constant('RotateApiKey' as const),
    successor: fc.record(issued),
    graceEndsAt: laterTime,
    at: time,
  }),
  fc.record({
    type: fc.constant('RevokeApiKey' as const),
    by: fc.constantFrom('owner' as const, 'staff' as const),
    at: time,
  }),
  fc.record({
    type: fc.constant('WithdrawApiKey' as const),
    ...{ apiKeyId: idOf('apiKey'), accountId: idOf('account', 1), at: time },
  }),
);

describeDecider('an API key under any sequence of commands', {
  decider: apiKey,
  command,
  statusOf: ({ status }) => status,
  transitions: [
    ['none', 'ApiKeyCreated', 'active'],
    ['none', 'ApiKeyWithdrawn', 'none'],
    ['active', 'ApiKeyRotated', 'rotated'],
    ['active', 'ApiKeyRevoked', 'revoked'],
    ['rotated', 'ApiKeyRevoked', 'revoked'],
  ],
});
