import { expect } from 'chai';
import { parseAllowList } from '../outbound/address-policy.ts';
import { OutboundRefused } from '../outbound/guard.ts';
import type { Lookup } from '../outbound/lookup.ts';
import { createInternalAddresses } from '../outbound/internal-addresses.ts';
import { createWebhookTarget } from './target.ts';

const publicly: Lookup = () => Promise.resolve(['93.184.215.14']);

const refused = [
  // Private, local and special addresses, in all notations.
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://127.0.0.1./',
  'https://127.0.0.1../',
  'https://%31%32%37.0.0.1/',
  'https://１２７.０.０.１/',
  'https://①②⑦.⓪.⓪.①/',
  'https://127。0。0。1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://0xa9fea9fe/',
  'https://100.100.100.200/',
  'https://192.0.0.192/',
  'https://198.18.0.1/',
  'https://203.0.113.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://a.localhost/',
  'https://ｌｏｃａｌｈｏｓｔ/',
  'https://[::]/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:0:127.0.0.1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[64:ff9b:1::1]/',
  'https://[2002:7f00:1::]/',
  'https://[2002:a9fe:a9fe::1]/',
  'https://[2001:0:53aa:64c:0:0:80ff:fffe]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[ff02::1]/',
  'https://[2001:db8::1]/',
  // With credentials, another scheme, or another port.
  'https://user@example.com/',
  'https://user:secret@example.com/',
  'https://:secret@example.com/',
  'https://127.0.0.1\\@example.com/',
  'http://example.com/',
  'http://example.com:443/',
  'https://example.com:8443/',
  'https://example.com:80/',
  'https://example.com:0/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,hello',
  'wss://example.com/',
  // Not absolute URLs.
  'https:example.com',
  'https:/example.com/',
  'https:///example.com/',
  'https:\\\\example.com/',
  'https://example.com\\@10.0.0.1/',
  '//example.com/',
  'example.com',
  '',
  'https://',
  'https://./',
  'https://a..example.com/',
  ' https://example.com/',
  'https://example.com/\n',
  'https://exa\tmple.com/',
  `https://example.com/${'x'.repeat(2029)}`,
];

const open = {
  'https://example.com': 'https://example.com/',
  'https://example.com:443/in?a=1': 'https://example.com/in?a=1',
  'HTTPS://EXAMPLE.COM/In': 'https://example.com/In',
  'https://example.com./in': 'https://example.com/in',
  'https://bücher.example/': 'https://xn--bcher-kva.example/',
  'https://8.8.8.8/': 'https://8.8.8.8/',
  'https://[2606:4700::1111]/': 'https://[2606:4700::1111]/',
  'https://[::ffff:8.8.8.8]/': 'https://[::ffff:808:808]/',
  'https://localhost.example.com/': 'https://localhost.example.com/',
  [`https://example.com/${'x'.repeat(2028)}`]: `https://example.com/${'x'.repeat(2028)}`,
};

describe('the address of a webhook', () => {
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => 'taken',
      (error: unknown) => error,
    );

  for (const url of refused)
    it(`is not ${JSON.stringify(url.slice(0, 60))}`, async () => {
      const target = createWebhookTarget({ lookup: publicly });
      expect(await failureOf(target.resolve(url))).to.be.instanceOf(OutboundRefused);
    });

  for (const [url, called] of Object.entries(open))
    it(`may be ${url.slice(0, 60)}`, async () => {
      const target = createWebhookTarget({ lookup: publicly });
      expect((await target.resolve(url)).url.href).to.equal(called);
    });

  it('comes with the addresses that were checked', async () => {
    const lookup: Lookup = () => Promise.resolve(['93.184.215.14', '2606:4700::1111']);
    const { addresses } = await createWebhookTarget({ lookup }).resolve('https://example.com/');
    expect(addresses).to.deep.equal(['93.184.215.14', '2606:4700::1111']);
  });

  it('is not a name with any private address, however that is written', async () => {
    for (const hidden of [
      '10.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      'fe80::1',
    ]) {
      const lookup: Lookup = () => Promise.resolve(['93.184.215.14', hidden]);
      const failure = await failureOf(createWebhookTarget({ lookup }).resolve('https://example.com/'));
      expect(failure, hidden).to.be.instanceOf(OutboundRefused);
      expect(String(failure), hidden).not.to.contain(hidden);
    }
  });

  it('is judged each time: a name that was public and is not any more is refused', async () => {
    const answers = [['93.184.215.14'], ['169.254.169.254']];
    const target = createWebhookTarget({ lookup: () => Promise.resolve(answers.shift() ?? []) });
    expect(await target.resolve('https://rebinding.example/')).to.have.property('addresses');
    expect(await failureOf(target.resolve('https://rebinding.example/'))).to.be.instanceOf(OutboundRefused);
  });

  it('that does not resolve fails by the resolver’s own error', async () => {
    const lookup: Lookup = () =>
      Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
    const failure = await failureOf(createWebhookTarget({ lookup }).resolve('https://gone.example/'));
    expect(failure).to.have.property('code', 'ENOTFOUND');
    expect(failure).not.to.be.instanceOf(OutboundRefused);
  });

  it('fails as one that does not resolve when its name server takes longer than there is patience', async () => {
    const target = createWebhookTarget({ lookup: () => new Promise(() => undefined), patienceMs: 20 });
    expect(await failureOf(target.resolve('https://hanging.example/'))).to.have.property('code', 'ETIMEOUT');
  });

  it('is nothing that the service itself listens on, whatever is open', async () => {
    const target = createWebhookTarget({
      allow: parseAllowList('127.0.0.0/8'),
      internal: createInternalAddresses({ own: ['127.0.0.1:8081', '127.0.0.1:443'], lookup: publicly }),
      lookup: () => Promise.resolve(['127.0.0.1']),
    });
    for (const url of ['http://127.0.0.1:8081/', 'http://receiver.test:8081/', 'https://receiver.test/'])
      expect(await failureOf(target.resolve(url)), url).to.be.instanceOf(OutboundRefused);
    expect(await target.resolve('http://receiver.test:8090/')).to.have.property('addresses');
  });

  it('may be plain http, at any port, where every address of it is inside OUTBOUND_ALLOW', async () => {
    const within = (...found: string[]) =>
      createWebhookTarget({ allow: parseAllowList('127.0.0.0/8'), lookup: () => Promise.resolve(found) });
    for (const url of ['http://127.0.0.1:4000/', 'http://localhost:4000/', 'https://127.0.0.1:8443/'])
      expect(await within().resolve(url), url)
        .to.have.property('addresses')
        .that.deep.equals(['127.0.0.1']);
    expect(await within('127.0.0.9').resolve('http://receiver.test/')).to.have.property('url');
    for (const [url, ...found] of [
      ['http://receiver.test/', '93.184.215.14'],
      ['http://receiver.test/', '127.0.0.9', '93.184.215.14'],
      ['https://receiver.test:8443/', '127.0.0.9', '93.184.215.14'],
      ['https://receiver.test/', '127.0.0.9', '10.0.0.1'],
    ] as const)
      expect(await failureOf(within(...found).resolve(url)), url).to.be.instanceOf(OutboundRefused);
    expect(await within('127.0.0.9', '93.184.215.14').resolve('https://receiver.test/')).to.have.property(
      'url',
    );
  });
});
