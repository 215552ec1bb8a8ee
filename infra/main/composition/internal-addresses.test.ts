import { expect } from 'chai';
import { loadConfig } from '../../config/index.ts';
import { portVariables } from '../roles/table.ts';
import { internalAddresses } from './internal-addresses.ts';

describe('the internal addresses of an installation', () => {
  it('are every port that a role listens on', () => {
    const ports = Object.fromEntries(portVariables.map((name, index) => [name, String(4000 + index)]));
    expect(internalAddresses(loadConfig(ports))).to.have.members(
      portVariables.map((_, index) => `127.0.0.1:${4000 + index}`),
    );
  });

  it('are those of its stores, peers and nodes, wherever they are', () => {
    const found = internalAddresses(
      loadConfig({
        HOST: '::1',
        PORT: '4000',
        WRITE_URL: 'http://write.internal:9081',
        READ_URL: 'https://read.internal/',
        NODE_URL: 'http://[2001:db8::1]:9086',
        READY_PEERS: 'http://10.0.0.4:9083,http://10.0.0.5:9084',
        EVENTSTORE_URL: 'esdb+discover://me:p%40ss@store-1.internal:2113,store-2.internal?tls=false',
        POSTGRES_URL: 'postgres://me:pass@db.internal/service',
        QUEUE_URL: 'rediss://:pass@redis.internal:6380/1',
        SMTP_URL: 'smtp://mail.internal:25',
        BLOB_URL: 's3://bucket/prefix?endpoint=http://blobs.internal:9000&region=here',
      }),
    );
    expect(found).to.include.members([
      ...['[::1]:4000', 'write.internal:9081', 'read.internal:443', '[2001:db8::1]:9086'],
      ...['10.0.0.4:9083', '10.0.0.5:9084', 'store-1.internal:2113', 'store-2.internal:2113'],
      ...['db.internal:5432', 'redis.internal:6380', 'mail.internal:25', 'blobs.internal:9000'],
    ]);
    expect(found.join()).not.to.contain('pass');
  });
});
