import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId } from '../../../contracts/ids.ts';
import type { Geolocation } from '../../../contracts/resources/agent-session.ts';
import { pages } from './testing/live-pages.ts';
import { withSessions } from './testing/node-suite.ts';

describe('a real browser of an agent session', () => {
  const suite = withSessions(pages);
  const { got, go, read } = suite;

  describe('captures', () => {
    const keep = async (kind: 'screenshot' | 'dom_snapshot' | 'pdf', of = suite.session) => {
      const keep_as = toId('capture', randomUUID());
      return { id: keep_as, result: await suite.on.operate(of, 'capture', { kind, keep_as }) };
    };

    it('are kept by the node, and returned by their ids', async () => {
      await go('/second');
      const { id, result } = await keep('dom_snapshot');
      expect(result).to.include({ kind: 'dom_snapshot', data: '', encoding: 'utf8' });
      expect(result.byte_size).to.be.greaterThan(20);
      await go('/');
      const kept = await got('kept_capture', { id });
      expect(kept?.data).to.include('<title>Second</title>');
      const { id: picture } = await keep('screenshot');
      const png = Buffer.from((await got('kept_capture', { id: picture }))?.data ?? '', 'base64');
      expect(png.subarray(1, 4).toString()).to.equal('PNG');
    });

    it('are of their session alone', async () => {
      const { id } = await keep('screenshot');
      const other = await suite.on.create();
      const asked = await suite.on.fleet.live(
        { node: suite.on.node, session: other, timeoutMs: 5_000 },
        'kept_capture',
        {
          id,
        },
      );
      expect(asked).to.deep.equal({ status: 'ok', result: null });
      await suite.on.sessions.destroy(other);
    });
  });

  describe('the position of the phone', () => {
    const located = async (geolocation?: Geolocation, path = '/where') => {
      await suite.renew({ ...(geolocation && { geolocation }) });
      await go(path);
      await suite.on.operate(suite.session, 'wait', {
        condition: { kind: 'selector', selector: '#place[data-known]' },
      });
      return read('#place');
    };

    it('is given to pages without a permission prompt', async () => {
      expect(await located({ latitude: 48.137, longitude: 11.575, accuracy: 8 })).to.equal(
        '48.137 11.575 8 granted',
      );
      expect(await located({ latitude: -90, longitude: 180 })).to.equal('-90 180 20 granted');
    });

    it('is given to pages that watch it, as often as they ask', async () => {
      expect(await located({ latitude: 48.137, longitude: 11.575, accuracy: 8 }, '/watching')).to.equal('?');
    });

    it('is not given where none was set', async () => {
      expect(await located()).to.match(/^refused 1 /);
    });
  });
});
