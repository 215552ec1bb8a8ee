import { expect } from 'chai';
import { addressKey } from './address-key.ts';

describe('the key of an address', () => {
  it('is one for the IPv6 network of a subscriber, and for each form of an IPv4 address', () => {
    expect(addressKey('2001:db8:1:2:3:4:5:6')).to.equal(addressKey('2001:db8:1:2::1'));
    expect(addressKey('2001:db8:1:2::1')).not.to.equal(addressKey('2001:db8:1:3::1'));
    expect(addressKey('::ffff:192.0.2.1')).to.equal(addressKey('192.0.2.1'));
    expect(addressKey('192.0.2.1')).not.to.equal(addressKey('192.0.2.2'));
    expect(addressKey('::FFFF:c000:201')).to.equal(addressKey('192.0.2.1'));
    for (const text of ['unknown', '::ffff:unknown', '']) expect(addressKey(text)).to.equal(text);
  });
});
