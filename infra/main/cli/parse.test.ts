import { expect } from 'chai';
import { address, hosts } from './parse.ts';

describe('the address of a process', () => {
  it('is a URL, without its final slashes', () => {
    expect(address('http://read-api:8082/')).to.equal('http://read-api:8082');
    expect(() => address('read-api:8082')).to.throw(
      'Expected an address starting with `http://` or `https://`.',
    );
  });
});

describe('the hosts of a certificate', () => {
  it('are names and addresses', () => {
    const given = 'api-1.internal, 10.0.0.11,fd00::1,*.node.service.svc,xn--bcher-kva.example,localhost,';
    expect(hosts(given)).to.deep.equal(
      given
        .split(',')
        .map((host) => host.trim())
        .slice(0, -1),
    );
    expect(hosts('')).to.deep.equal([]);
  });

  it('are no URLs, ports or other texts, by which no caller would find them', () => {
    for (const strange of [
      ...['https://api-1.internal:8081', 'api-1.internal:8081', '10.0.0.11:8081', '[fd00::1]', 'a b'],
      ...['b\u00fccher.example', '*', 'a.*.b', '.a', 'a..b', 'a/b', 'x'.repeat(64)],
    ])
      expect(() => hosts(`fine.example,${strange}`), strange).to.throw(`not ${strange}.`);
  });
});
