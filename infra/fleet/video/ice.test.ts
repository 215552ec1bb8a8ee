import { expect } from 'chai';
import { parseAllowList } from '../../outbound/address-policy.ts';
import { bounds } from './bounds.ts';
import { withoutFingerprints } from './descriptions.ts';
import { isNamable, namable, reachable } from './ice.ts';

const candidate = (address: string, transport = 'udp') =>
  `candidate:1 1 ${transport} 2113937151 ${address} 50000 typ host generation 0`;
const none = { peerAllow: [] };

describe('candidate addresses of a participant', () => {
  for (const address of [
    ...['127.0.0.1', '10.0.0.1', '172.16.0.9', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
    ...['::1', 'fe80::1', 'fc00::1', '::ffff:10.0.0.1', '::ffff:127.0.0.1', '224.0.0.1', '255.255.255.255'],
  ])
    it(`are refused if they are internal: ${address}`, () =>
      expect(isNamable(candidate(address), none)).to.equal(false));
  for (const name of [
    '0c6dd8d1-0d50-4ea5-a8ea-c3e2d8d3a7b6.local',
    'db.internal',
    'localhost',
    '',
    '0x7f000001',
  ])
    it(`are refused if they are names: ${name || 'none'}`, () =>
      expect(isNamable(candidate(name), none)).to.equal(false));
  it('are used for UDP only', () => {
    expect(isNamable(candidate('93.184.216.34'), none)).to.equal(true);
    expect(isNamable(candidate('93.184.216.34', 'tcp'), none)).to.equal(false);
    expect(isNamable('candidate:', none)).to.equal(false);
  });
  it('may be internal in ranges that the operator allows', () => {
    const allowed = { peerAllow: parseAllowList('10.1.0.0/16') };
    expect(isNamable(candidate('10.1.2.3'), allowed)).to.equal(true);
    expect(isNamable(candidate('10.2.2.3'), allowed)).to.equal(false);
  });
  it('are removed from descriptions if refused, and so is the end of candidates', () => {
    const [inside, open] = ['10.0.0.1', '93.184.216.34'].map((address) => `a=${candidate(address)}`);
    const given = ['v=0', inside, open, 'a=end-of-candidates', 'a=mid:0', ''].join('\r\n');
    expect(namable(given, none)).to.equal(['v=0', open, 'a=mid:0', ''].join('\r\n'));
  });
  it('are removed from descriptions with other ends of lines, and so are the names of published media', () => {
    const inside = `a=${candidate('10.0.0.1')}`;
    const given = ['v=0', inside, 'a=rid:hi send', 'a=ssrc:1 cname:x', 'a=mid:0', ''].join('\n');
    expect(namable(given, none)).to.equal(['v=0', 'a=mid:0', ''].join('\r\n'));
  });
  it('come without fingerprints after the first description', () => {
    expect(withoutFingerprints('v=0\r\na=fingerprint:sha-256 AA\na=mid:0\r\n')).to.equal(
      'v=0\r\na=mid:0\r\n',
    );
  });
  it('are limited in number for each description', () => {
    const given = Array.from({ length: 500 }, (_, n) => `a=${candidate(`93.184.${n % 256}.34`)}`);
    expect(namable(given.join('\r\n'), none)).to.equal(given.slice(0, bounds.ports.named).join('\r\n'));
  });
});

describe('the addresses of a node', () => {
  const sdp = (...addresses: string[]) =>
    ['v=0', ...addresses.map((address) => `a=${candidate(address)}`), ''].join('\r\n');
  const told = (text: string) => [...text.matchAll(/udp \d+ (\S+) 50000/g)].map(([, address]) => address);

  it('are those of its interfaces if it has no public ones', () => {
    expect(reachable(sdp('10.0.0.5', '10.0.0.6'), { addresses: [] })).to.equal(sdp('10.0.0.5', '10.0.0.6'));
  });
  it('are replaced by its public ones, once for each transport and address family', () => {
    const given = reachable(sdp('10.0.0.5', '10.0.0.6', 'fe80::1'), { addresses: ['203.0.113.7'] });
    expect(told(given)).to.deep.equal(['203.0.113.7']);
  });
  it('are left out if an interface has the public one', () => {
    const given = reachable(sdp('10.0.0.5', '203.0.113.7'), { addresses: ['203.0.113.7'] });
    expect(told(given)).to.deep.equal(['203.0.113.7']);
  });
});
