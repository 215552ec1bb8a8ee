import { expect } from 'chai';
import { Refusal } from '../../contracts/problems.ts';
import { bearerToken } from '../platform/presented-secrets.ts';
import { credentialIn } from './authentication.ts';

const credentialOf = (authorization: string): string | undefined => {
  try {
    return credentialIn({
      header: (name) => (name.toLowerCase() === 'authorization' ? authorization : undefined),
    });
  } catch (error) {
    if (error instanceof Refusal && error.slug === 'unauthorized') return undefined;
    throw error;
  }
};

describe('the bearer token of a request', () => {
  for (const [header, token] of [
    ['Bearer svc_live_1', 'svc_live_1'],
    ['bearer svc_live_1', 'svc_live_1'],
    ['Bearer   svc_live_1', 'svc_live_1'],
    ['Bearer svc_live_1  ', 'svc_live_1'],
    ['Bearer\tsvc_live_1', undefined],
    ['Bearer svc live', undefined],
    ['Bearer schlüssel', undefined],
    ['Bearer ', undefined],
    ['Basic c3Zj', undefined],
    ['', undefined],
  ] as const)
    it(`is ${token ?? 'none'} in ${JSON.stringify(header)}, for the API and for every other server`, () => {
      expect(bearerToken(header)).to.equal(token);
      expect(credentialOf(header)).to.equal(token);
    });
});
