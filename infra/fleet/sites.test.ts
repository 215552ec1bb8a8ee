import { expect } from 'chai';
import { isOf, sitesOf } from './sites.ts';

const addresses = [
  'https://shop.example/login',
  'https://www.shop.example:8443/',
  'http://shop.example/',
  'https://notshop.example/',
  'https://shop.example.evil.example/',
  'https://shop.example@evil.example/',
  'about:blank',
].map((text) => new URL(text));
const of = (sites: readonly string[] | undefined) =>
  addresses.flatMap((address, index) => (sites?.some((site) => isOf(address, site)) === true ? [index] : []));

describe('a site that data may go to', () => {
  it('is a domain with its subdomains or, with =, one host, over https only if it begins with https://', () => {
    expect(of(['shop.example'])).to.deep.equal([0, 1, 2]);
    expect(of(['=shop.example'])).to.deep.equal([0, 2]);
    expect(of(['https://shop.example'])).to.deep.equal([0, 1]);
    expect(of(['https://=shop.example'])).to.deep.equal([0]);
  });
  it('of a login is over https only, unless it begins with http://', () => {
    expect(of(sitesOf('Shop.example'))).to.deep.equal([0, 1]);
    expect(of(sitesOf('https://shop.example'))).to.deep.equal([0, 1]);
    expect(of(sitesOf('http://shop.example'))).to.deep.equal([0, 1, 2]);
    expect(sitesOf(undefined)).to.equal(undefined);
  });
});
