import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import pino from 'pino';
import { toId } from '../../../contracts/ids.ts';
import { watchForCopies } from './same-credential.ts';

describe('a node whose heartbeats report', () => {
  const node = toId('node', randomUUID());
  /** Warnings of one of several processes about those heartbeats with these URLs that it receives. */
  const warnings = (urls: readonly string[], everyMs = 1_000, receives = (_url: string) => true) => {
    const lines: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    let at = 0;
    const beat = watchForCopies(logger, () => (at += everyMs));
    for (const [n, url] of urls.entries()) if (receives(url)) beat(node, url, urls[n - 1]);
    return lines.map((line) => JSON.parse(line) as { readonly urls: readonly string[] });
  };

  it('two URLs in turn is warned of, once a minute', () => {
    const [first, ...more] = warnings(Array.from({ length: 70 }, (_, n) => (n % 2 === 0 ? 'a' : 'b')));
    expect(first?.urls).to.deep.equal(['a', 'b']);
    expect(more).to.have.length(1);
  });

  it('two URLs in turn is warned of, also if each process receives those with one URL', () => {
    const urls = ['a', 'b', 'a', 'b', 'a'];
    for (const received of ['a', 'b'])
      expect(warnings(urls, 1_000, (url) => url === received)).to.have.length(1);
  });

  it('another URL since its restart is not', () => {
    expect(warnings(['a', 'a', 'b', 'b', 'c'])).to.deep.equal([]);
  });

  it('its former URL again after more than a minute is not', () => {
    expect(warnings(['a', 'b', 'b', 'a'], 61_000)).to.deep.equal([]);
  });
});
