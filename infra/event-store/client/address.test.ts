import { EventStoreDBClient } from '@eventstore/db-client';
import { expect } from 'chai';
import { addressOf } from './address.ts';

describe('the address of an event store', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

  it('has its credentials added by us if the client would omit them: on loopback without TLS', () => {
    for (const [given, url] of [
      ['esdb://me:p%40ss@127.0.0.1:2113?tls=false', 'esdb://127.0.0.1:2113?tls=false'],
      ['esdb://me:p%40ss@localhost?a=b&tls=false', 'esdb://localhost?a=b&tls=false'],
      ['esdb+discover://me:p%40ss@127.0.0.1:1/?tls=false&a=b', 'esdb+discover://127.0.0.1:1/?tls=false&a=b'],
    ] as const)
      expect(addressOf(given)).to.deep.equal({ url, authorization: basic('me:p@ss') });
  });

  it('is converted to the scheme that the client knows', () => {
    for (const [given, url] of [
      ['kurrentdb://me:pass@store.example:2113?tls=true', 'esdb://me:pass@store.example:2113?tls=true'],
      ['kurrentdb+discover://a.example,b.example', 'esdb+discover://a.example,b.example'],
    ] as const) {
      expect(addressOf(given)).to.deep.equal({ url });
      expect(() => EventStoreDBClient.connectionString(addressOf(given).url)).not.to.throw();
    }
    expect(addressOf('kurrentdb://me:p@localhost:1?tls=false').authorization).to.equal(basic('me:p'));
  });

  it('is left to the client in all other cases, so that no password crosses a network unencrypted', () => {
    for (const url of [
      'esdb://127.0.0.1:2113?tls=false',
      'esdb://me:pass@127.0.0.1:2113',
      'esdb://me:pass@127.0.0.1:2113?tls=true',
      'esdb://me:pass@127.0.0.1.example.com:2113?tls=false',
      'esdb://me:pass@10.0.0.1:2113?tls=false',
      'esdb://me:pass@store.example.com?tls=false',
    ])
      expect(addressOf(url)).to.deep.equal({ url });
  });
});
