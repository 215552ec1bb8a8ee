import { expect } from 'chai';
import { isOfSite, secretsIn } from './secrets.ts';

describe('a configured secret', () => {
  it('is found by its name, whatever its case', () => {
    const text = '{"site":"shop.example","username":"ada","password":"correct horse"}';
    const secrets = secretsIn({ SERVICE_SECRET_SHOP: text, OTHER: 'x' });
    expect(secrets.names).to.deep.equal(['shop']);
    expect(secrets.find('Shop')).to.deep.equal(JSON.parse(text));
    expect(secrets.find('other')).to.equal(undefined);
  });
  it('is refused if it is invalid, without its value in the message', () => {
    for (const wrong of [
      'hunter2',
      '{}',
      '{"site":"a","pin":"hunter2"}',
      '{"site":"a","password":2}',
      'null',
      '[]',
    ])
      expect(() => secretsIn({ SERVICE_SECRET_A: wrong })).to.throw(
        /^SERVICE_SECRET_A must be JSON with "site"(?!.*hunter2)/,
      );
  });
  it('is only for its own site', () => {
    const yes = ['https://shop.example/login', 'https://www.shop.example/', 'https://SHOP.example:8443/'];
    const no = [
      'http://shop.example/',
      'https://shop.example.evil.example/',
      'https://notshop.example/',
      'https://evil.example/?shop.example',
      'https://shop.example@evil.example/',
      'about:blank',
      'javascript:1',
      '',
    ];
    expect(yes.filter((url) => !isOfSite(url, 'shop.example'))).to.deep.equal([]);
    expect(no.filter((url) => isOfSite(url, 'shop.example'))).to.deep.equal([]);
    expect(isOfSite('http://127.0.0.1:3000/', 'http://127.0.0.1')).to.equal(true);
  });
});
