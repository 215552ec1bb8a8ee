import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId } from '../../contracts/ids.ts';
import { isRefreshToken, readRefreshToken, refreshToken } from './refresh-token.ts';

describe('a refresh token', () => {
  const claim = { webSessionId: toId('webSession', randomUUID()), generation: 61 };
  const text = refreshToken(claim, 'seed');

  it('names its session and generation', () => {
    expect(readRefreshToken(text)).to.deep.equal(claim);
    expect(text).to.match(/^svc_refresh_[0-9A-Za-z]{66}$/);
  });

  it('is made again from the same seed, and from no other', () => {
    expect(isRefreshToken(text, claim, 'seed')).to.equal(true);
    expect(isRefreshToken(text, claim, 'another')).to.equal(false);
    expect(isRefreshToken(text, { ...claim, generation: 62 }, 'seed')).to.equal(false);
    expect(isRefreshToken(`${text}x`, claim, 'seed')).to.equal(false);
  });

  it('that is mistyped is none', () => {
    for (const wrong of ['', text.slice(1), `${text}x`, text.replace('svc', 'svx'), `${text.slice(0, -1)}!`])
      expect(readRefreshToken(wrong), wrong).to.equal(undefined);
  });
});
