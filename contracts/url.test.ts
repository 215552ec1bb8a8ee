import { expect } from 'chai';
import { parsedUrl } from './url.ts';

describe('a parsed URL', () => {
  it('is the same after many others, with letters beyond ASCII in it', () => {
    const url = 'http://bücher.example/café';
    for (let times = 0; times < 50_000; times += 1)
      if (parsedUrl(url)?.href !== 'http://xn--bcher-kva.example/caf%C3%A9')
        expect.fail(`refused after ${times} times`);
  });

  for (const text of ['', 'bücher.example', 'http://', 'http://a b/'])
    it(`is none for "${text}"`, () => {
      expect(parsedUrl(text)).to.equal(undefined);
    });
});
