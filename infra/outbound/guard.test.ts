import { expect } from 'chai';
import { parseAllowList } from './address-policy.ts';
import { OutboundRefused, createOutboundGuard } from './guard.ts';

const refused = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://127.0.0.1./',
  'http://127.255.255.254/',
  'http://１２７.０.０.１/',
  'http://①②⑦.⓪.⓪.①/',
  'http://0/',
  'http://0.0.0.0/',
  'http://0.1.2.3/',
  'http://10.0.0.1/',
  'http://10.255.255.255/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://3232235777/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://169.254.170.2/',
  'http://100.64.0.1/',
  'http://100.100.100.200/',
  'http://192.0.0.192/',
  'http://192.0.2.1/',
  'http://198.18.0.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://224.0.0.1/',
  'http://239.255.255.250/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://localhost/',
  'http://LOCALHOST/',
  'http://localhost./',
  'http://a.localhost/',
  'http://a.b.localhost./',
  'http://ｌｏｃａｌｈｏｓｔ/',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://[2001:0:53aa:64c:0:0:80ff:fffe]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://[2001:db8::1]/',
  'http://[100::1]/',
  'http://[4000::1]/',
  'http://user@example.com/',
  'http://user:secret@example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,hello',
  'blob:http://example.com/1',
  'example.com',
  '//example.com/',
  '',
];

const open = [
  'http://example.com/',
  'https://example.com:8443/path?query#part',
  'http://example.com./',
  'http://bücher.example/',
  'http://8.8.8.8/',
  'http://172.32.0.1/',
  'http://[2606:4700::1111]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[64:ff9b::8.8.8.8]/',
  'http://localhost.example.com/',
];

describe('the outbound guard', () => {
  const guard = createOutboundGuard({ lookup: () => Promise.resolve(['93.184.215.14']) });

  for (const url of refused) {
    it(`refuses ${url || 'an empty address'}`, () => {
      expect(() => guard.checkUrl(url)).to.throw(OutboundRefused);
    });
  }

  for (const url of open) {
    it(`lets ${url} through`, () => {
      expect(guard.checkUrl(url)).to.be.instanceOf(URL);
    });
  }

  it('names OUTBOUND_ALLOW when it refuses', () => {
    expect(() => guard.checkUrl('http://10.0.0.1/')).to.throw('10.0.0.1 is not allowed');
    expect(() => guard.checkUrl('http://10.0.0.1/')).to.throw('OUTBOUND_ALLOW');
  });

  it('refuses a name when any one of its addresses is not public', async () => {
    const mixed = createOutboundGuard({ lookup: () => Promise.resolve(['93.184.215.14', '10.0.0.1']) });
    const failure: unknown = await mixed.resolve('example.com', 443).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(OutboundRefused);
    expect(String(failure)).not.to.include('10.0.0.1');
  });

  it('checks and gives the first 32 addresses of a name that has more', async () => {
    const addresses = Array.from({ length: 40 }, (_, index) => `93.184.215.${index}`);
    const many = createOutboundGuard({ lookup: () => Promise.resolve(addresses) });
    expect(await many.resolve('example.com', 443)).to.deep.equal(addresses.slice(0, 32));
  });

  it('takes a name without any address for one that was not found', async () => {
    const empty = createOutboundGuard({ lookup: () => Promise.resolve([]) });
    const failure: unknown = await empty.resolve('example.com', 443).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error).and.to.have.property('code', 'ENOTFOUND');
  });

  it('gives the checked addresses of a name', async () => {
    expect(await guard.resolve('example.com', 443)).to.deep.equal(['93.184.215.14']);
    expect(await guard.resolve('[2606:4700::1111]', 443)).to.deep.equal(['2606:4700::1111']);
  });

  it('judges a disguised literal given to resolve, as a proxy gets it', async () => {
    for (const host of ['127.1', '0x7f.1', '2130706433', '[::1]', 'localhost.', '169.254.169.254.']) {
      expect(await guard.resolve(host, 443).catch((error: unknown) => error), host).to.be.instanceOf(
        OutboundRefused,
      );
    }
  });

  it('opens the ranges it is given, and nothing else', async () => {
    const development = createOutboundGuard({ allow: parseAllowList('127.0.0.0/8, fd00::/8') });
    for (const url of [
      'http://127.0.0.1:81/',
      'http://127.1/',
      'http://localhost/',
      'http://[::ffff:127.0.0.1]/',
      'http://[fd00::1]/',
    ]) {
      expect(development.checkUrl(url), url).to.be.instanceOf(URL);
    }
    expect(await development.resolve('localhost', 443)).to.deep.equal(['127.0.0.1']);
    for (const url of ['http://10.0.0.1/', 'http://[::1]/', 'http://0.0.0.0/']) {
      expect(() => development.checkUrl(url), url).to.throw(OutboundRefused);
    }
  });

  it('says which entry of an allow-list it cannot read', () => {
    expect(parseAllowList('')).to.deep.equal([]);
    expect(parseAllowList('10.1.2.3')).to.have.length(1);
    expect(() => parseAllowList('10.0.0.0/8, 10.0.0.0/33')).to.throw('"10.0.0.0/33"');
    expect(() => parseAllowList('localhost')).to.throw('"localhost"');
  });
});
