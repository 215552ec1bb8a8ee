import { expect } from 'chai';
import { limitsOf } from '../node/driver.ts';
import { servePages } from './testing/pages.ts';
import { handsOf, withBrowser } from './testing/suite.ts';

const page = (body: string) =>
  `<!doctype html><meta name="viewport" content="width=device-width"><style>body { font: 40px serif }</style>${body}`;

describe('a picture for a model', () => {
  const suite = withBrowser(() =>
    servePages({
      '/': page('<input id="field"><div id="editor" contenteditable>-</div><canvas></canvas>'),
      '/framed': page('<iframe src="/" width="300" height="300"></iframe>'),
      '/long': page('<div style="height: 4000px">Long</div>'),
    }),
  );
  const picture = async (): Promise<Buffer> => {
    const { data, media_type } = await suite.browser.live.picture(null, limitsOf(10_000));
    expect(media_type).to.equal('image/jpeg');
    return Buffer.from(data, 'base64');
  };
  /** The picture while the field has this text. */
  const after = async (path: string, text: string, target: object, sensitive: boolean): Promise<string> => {
    const { go, act } = handsOf(suite);
    await go(path);
    await act({ kind: 'type', ...target, text, clear: true, sensitive });
    return (await picture()).toString('base64');
  };

  it('is a JPEG of the viewport, of 390 by 844 at most', async () => {
    for (const path of ['/', '/long']) {
      await handsOf(suite).go(path);
      const bytes = await picture();
      expect([...bytes.subarray(0, 3)]).to.deep.equal([0xff, 0xd8, 0xff]);
      const at = bytes.indexOf(Buffer.from([0xff, 0xc0]));
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      expect(width).to.be.within(300, 390);
      expect(height).to.be.within(500, 844);
      expect(bytes.length).to.be.below(200_000);
    }
  });

  const places: readonly (readonly [what: string, path: string, target: object])[] = [
    ['a field', '/', { selector: '#field' }],
    ['an editor', '/', { selector: '#editor' }],
    ['a field in a frame', '/framed', { selector: '#field', frame: 'iframe' }],
  ];
  for (const [what, path, target] of places)
    it(`shows nothing of secrets that were typed into ${what}`, async () => {
      const [one, other] = [
        await after(path, 'iiiii', target, true),
        await after(path, 'WWWWW', target, true),
      ];
      expect(one).to.equal(other);
      expect(await after(path, 'WWWWW', target, false)).not.to.equal(other);
    });
});
