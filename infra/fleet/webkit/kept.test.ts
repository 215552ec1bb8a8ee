import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { LiveInput, LiveOperation } from '../../../contracts/fleet/operations.ts';
import { toId, type SessionId } from '../../../contracts/ids.ts';
import type { Geolocation } from '../../../contracts/resources/agent-session.ts';
import { startNodeOf } from '../testing.ts';
import { startDriver } from './testing/browser.ts';
import { startCaseSite, type CaseSite } from './testing/cases/site-case.ts';
import { pages } from './testing/live-pages.ts';

describe('a real browser of an agent session', () => {
  let site: CaseSite;
  let on: Awaited<ReturnType<typeof startNodeOf>>;
  let session: SessionId;
  before(async () => {
    site = await startCaseSite();
    site.serve(pages);
    on = await startNodeOf(await startDriver());
  });
  after(async () => {
    await on.stop();
    await site.close();
  });
  beforeEach(async () => {
    session = await on.create();
  });
  afterEach(() => on.sessions.destroy(session));

  const got = async <O extends LiveOperation>(operation: O, input: LiveInput<O>) => {
    const answer = await on.fleet.live({ node: on.node, session, timeoutMs: 5_000 }, operation, input);
    if (answer.status !== 'ok') throw new Error(answer.reason);
    return answer.result;
  };
  const go = (path: string) => on.operate(session, 'navigate', { url: `${site.origin}${path}` });
  const read = async (selector: string) =>
    (await on.operate(session, 'extract', { schema: { type: 'string', 'x-selector': selector } })).data;

  describe('captures', () => {
    const keep = async (kind: 'screenshot' | 'dom_snapshot' | 'pdf', of = session) => {
      const keep_as = toId('capture', randomUUID());
      return { id: keep_as, result: await on.operate(of, 'capture', { kind, keep_as }) };
    };

    it('are kept by the node, and given by their ids', async () => {
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
      const other = await on.create();
      const asked = await on.fleet.live({ node: on.node, session: other, timeoutMs: 5_000 }, 'kept_capture', {
        id,
      });
      expect(asked).to.deep.equal({ status: 'ok', result: null });
      await on.sessions.destroy(other);
    });
  });

  describe('where the phone is', () => {
    const located = async (geolocation?: Geolocation) => {
      await on.sessions.destroy(session);
      session = await on.create({ ...(geolocation && { geolocation }) });
      await go('/where');
      await on.operate(session, 'wait', { condition: { kind: 'selector', selector: '#place[data-known]' } });
      return read('#place');
    };

    it('is what pages are told, without anybody being asked', async () => {
      expect(await located({ latitude: 48.137, longitude: 11.575, accuracy: 8 })).to.equal(
        '48.137 11.575 8 granted',
      );
      expect(await located({ latitude: -90, longitude: 180 })).to.equal('-90 180 20 granted');
    });

    it('is told of no page where it was not said', async () => {
      expect(await located()).to.match(/^refused 1 /);
    });
  });
});
