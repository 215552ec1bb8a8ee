import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { toId } from '../../../contracts/ids.ts';
import { until } from '../../verification/testbed/index.ts';
import { liveBrowser } from './testing/live-browser.ts';
import { digest } from './testing/live-pages.ts';

describe('what a real browser is given and leaves, beside its operations', () => {
  const live = liveBrowser();
  const { call, got, go, read, put } = live;
  const choose = (handle: string) =>
    live.on.operate(
      live.session,
      'interact',
      { action: { kind: 'upload', selector: '#file', handle } },
      30_000,
    );

  describe('captures', () => {
    const keep = async (kind: 'screenshot' | 'dom_snapshot' | 'pdf', of = live.session) => {
      const keep_as = toId('capture', randomUUID());
      return { id: keep_as, result: await live.on.operate(of, 'capture', { kind, keep_as }) };
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
      const other = await live.on.create();
      const asked = await live.on.fleet.live(
        { node: live.on.node, session: other, timeoutMs: 5_000 },
        'kept_capture',
        {
          id,
        },
      );
      expect(asked).to.deep.equal({ status: 'ok', result: null });
      await live.on.sessions.destroy(other);
    });
  });

  describe('files', () => {
    const handleOf = async (name: string, content: Uint8Array, mime?: string) => {
      const answer = await put(name, content, mime);
      if (answer.status !== 'ok') throw new Error(answer.reason);
      return answer.result;
    };

    it('are chosen by their handle, with name, type and content', async () => {
      await go('/');
      const content = randomBytes(5_000_001);
      const handle = await handleOf('a photo.jpg', content, 'image/jpeg');
      expect(handle).to.include({ name: 'a photo.jpg', mime: 'image/jpeg', size: content.length });
      await choose(handle.id);
      const seen = await until(async () => (await read('#seen')) || false);
      expect(seen).to.equal(`a photo.jpg image/jpeg ${content.length} ${digest(content)}`);
    });

    it('have bare names', async () => {
      const names = ['../../etc/passwd', 'C:\\dir\\a.txt', '..', 'a\u0000b', '.profile'];
      const handles = await Promise.all(names.map((name) => handleOf(name, Buffer.from('x'))));
      expect(handles.map(({ name }) => name)).to.deep.equal(['passwd', 'a.txt', 'file', 'a_b', 'profile']);
    });

    it('of a handle that nobody gave out, or of another session, cannot be chosen', async () => {
      const { id } = await handleOf('a.txt', Buffer.from('x'));
      await live.renew();
      await go('/');
      for (const handle of ['file_1', id]) {
        const refused = await choose(handle).catch((error: unknown) => String(error));
        expect(refused).to.include('no file of this handle');
      }
    });

    it('are taken while an operation is at work', async () => {
      const slow = go('/slow');
      expect((await put('a.txt', Buffer.from('x'))).status).to.equal('ok');
      await slow;
    });
  });

  describe('downloads', () => {
    const fetched = async (name: string) => {
      const answer = await live.on.fleet.download(call(), name);
      if (answer.status !== 'ok') return answer.reason;
      const { content, ...entry } = answer.result;
      return [entry, (await buffer(content)).toString()];
    };

    it('are listed and fetched', async () => {
      await go('/report.csv');
      const entry = { name: 'report.csv', size: 8, mime: 'text/csv' };
      expect(await got('downloads', null)).to.deep.equal({ files: [entry] });
      expect(await fetched('report.csv')).to.deep.equal([entry, 'a,b\n1,2\n']);
    });

    it('may be empty', async () => {
      await go('/empty.bin');
      expect(await fetched('empty.bin')).to.deep.equal([
        { name: 'empty.bin', size: 0, mime: 'application/x-thing' },
        '',
      ]);
    });

    it('are fetched by bare names, and only those that were kept', async () => {
      await go('/report.csv');
      expect(await fetched('../downloads/report.csv')).to.be.an('array');
      for (const name of ['../service.js', 'service.js', '..', ''])
        expect(await fetched(name), name).to.equal('There is no such download.');
    });
  });
});
