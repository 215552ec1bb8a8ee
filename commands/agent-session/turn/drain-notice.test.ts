import assert from 'node:assert/strict';
import { toId } from '../../../contracts/ids.ts';
import type { Browser } from '../../../domain/agent-session/browser.ts';
import { drainNotice } from './drain-notice.ts';

const at = '2026-01-05T12:00:00.000Z';
const sessionId = toId('session', '0197f1a0-0000-7000-8000-000000000003');
const notice = (more: Partial<Browser>) =>
  drainNotice({ browser: { sessionId, origin: 'spawned', ended: false, ...more } }, at);

describe('the notice that a node drains', () => {
  it('is given only for a running browser whose node does', () => {
    assert.equal(drainNotice({ browser: null }, at), null);
    assert.equal(notice({}), null);
    assert.equal(notice({ ended: true, drain: { endsBy: null } }), null);
  });
  for (const [endsBy, within] of [
    ['2026-01-05T12:05:30.000Z', '5 min'],
    ['2026-01-05T12:01:59.500Z', '119 s'],
    ['2026-01-05T11:59:00.000Z', '1 s'],
  ] as const)
    it(`says how long the browser runs at most: ${within}`, () => {
      assert.ok(notice({ drain: { endsBy } })?.includes(` ends within ${within},`));
    });
  it('names no time where the node waits', () => {
    assert.match(notice({ drain: { endsBy: null } }) ?? '', /waits until the browser is no longer needed/);
  });
});
