import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { expect } from 'chai';
import { dayMs } from '../../contracts/durations.ts';
import { startS3, startTcpProxy, type TcpProxy, type TestS3 } from '../verification/testbed/index.ts';
import { BlobMissing, BlobStoreFailed, openBlobStore, type BlobStore } from './index.ts';
import { openS3 } from './s3.ts';
import {
  behavesAsStore,
  bytesOf,
  content,
  errorOf,
  hashOf,
  keysOf,
  mebibyte,
  textOf,
} from './testing/store-suite.ts';

describe('blobs in a bucket', () => {
  let server: TestS3;
  let bucket: S3Client;
  const name = 'states';
  const urlOf = (endpoint: string, { in: path = 'here' } = {}) => `s3://${name}/${path}?endpoint=${endpoint}`;
  const credentials = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;
  const valuesBefore = credentials.map((variable) => process.env[variable]);

  before(async () => {
    server = await startS3();
    process.env.AWS_ACCESS_KEY_ID = server.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY = server.secretAccessKey;
    bucket = new S3Client({ endpoint: server.url, region: 'us-east-1', forcePathStyle: true });
    await bucket.send(new CreateBucketCommand({ Bucket: name }));
  });
  after(() => {
    bucket.destroy();
    credentials.forEach((variable, at) => {
      const value = valuesBefore[at];
      if (value === undefined) Reflect.deleteProperty(process.env, variable);
      else process.env[variable] = value;
    });
    return server.stop();
  });
  const unfinished = async () => {
    const { Uploads = [] } = await bucket.send(new ListMultipartUploadsCommand({ Bucket: name }));
    return Uploads.map(({ Key }) => String(Key));
  };

  behavesAsStore(async () => ({ store: await openBlobStore(urlOf(server.url)), unfinished }));

  it('are apart from those below another prefix', async () => {
    const [one, other] = [
      await openS3({ url: urlOf(server.url, { in: 'one' }) }),
      await openS3({ url: urlOf(server.url, { in: 'other' }) }),
    ];
    await one.put('profile/1-a', bytesOf('one'));
    await other.put('profile/1-a', bytesOf('other'));
    expect(await textOf(one, 'profile/1-a')).to.equal('one');
    expect(await keysOf(one)).to.deep.equal(['profile/1-a']);
    await Promise.all([one.close(), other.close()]);
  });

  it('that a dead process was uploading are not listed, and aborted after a day', async () => {
    await bucket.send(new CreateMultipartUploadCommand({ Bucket: name, Key: 'dead/profile/1-a' }));
    const url = urlOf(server.url, { in: 'dead' });
    const [today, tomorrow] = [
      await openS3({ url }),
      await openS3({ url, now: () => Date.now() + dayMs + 60_000 }),
    ];
    expect(await keysOf(today)).to.deep.equal([]);
    expect(await unfinished()).to.deep.equal(['dead/profile/1-a']);
    expect(await keysOf(tomorrow)).to.deep.equal([]);
    expect(await unfinished()).to.deep.equal([]);
    await Promise.all([today.close(), tomorrow.close()]);
  });

  it('are refused to a wrong secret, which the error says', async () => {
    process.env.AWS_SECRET_ACCESS_KEY = 'wrong';
    const store = await openS3({ url: urlOf(server.url) });
    const error = await errorOf(store.put('profile/1-a', bytesOf('x')));
    process.env.AWS_SECRET_ACCESS_KEY = server.secretAccessKey;
    expect(error).to.be.instanceOf(BlobStoreFailed);
    expect(String(error)).to.include('s3://states/here/').and.include('SignatureDoesNotMatch');
    await store.close();
  });

  it('of a bucket that is not there are not missing: the store fails', async () => {
    const store = await openS3({ url: `s3://nowhere/?endpoint=${server.url}` });
    for (const work of [
      () => store.get('profile/1-a'),
      () => store.put('profile/1-a', bytesOf('x')),
      () => keysOf(store),
    ])
      expect(String(await errorOf(work()))).to.match(/^BlobStoreFailed: .*NoSuchBucket/);
    await store.close();
  });

  describe('behind a network that breaks', () => {
    let link: TcpProxy;
    let store: BlobStore;
    before(async () => {
      link = await startTcpProxy(server);
      store = await openS3({
        url: urlOf(`http://127.0.0.1:${link.port}`),
        idleMs: 500,
        connectMs: 500,
        attempts: 2,
      });
    });
    afterEach(async () => {
      link.cut();
      await link.heal();
    });
    after(async () => {
      await store.close();
      await link.close();
    });

    it('are given up when nothing moves for the limit, and the content is ended', async () => {
      link.blackhole();
      const startedAt = performance.now();
      let ended = false;
      const endless = async function* () {
        try {
          for (;;) yield* content(1).chunks;
        } finally {
          ended = true;
        }
      };
      expect(String(await errorOf(store.put('profile/1-hangs', endless())))).to.match(
        /^BlobStoreFailed: .*imeout/,
      );
      expect(String(await errorOf(store.get('profile/1-hangs')))).to.match(/^BlobStoreFailed: .*imeout/);
      expect(performance.now() - startedAt).to.be.below(15_000);
      expect(ended).to.equal(true);
    });

    it('are stored however slow it is, as long as something moves', async () => {
      const patient = await openS3({
        url: urlOf(`http://127.0.0.1:${link.port}`),
        idleMs: 3_000,
        attempts: 1,
      });
      link.throttle(5 * mebibyte);
      const { chunks, sha256 } = content(18);
      const startedAt = performance.now();
      await patient.put('profile/1-slow', chunks);
      expect(performance.now() - startedAt).to.be.above(3_000);
      expect(await hashOf(patient, 'profile/1-slow')).to.equal(sha256());
      await patient.close();
    });

    it('that are cut while they are read end with an error, not early', async () => {
      await store.put('profile/1-cut', content(20).chunks);
      let read = 0;
      const reading = async () => {
        for await (const chunk of await store.get('profile/1-cut')) {
          read += (chunk as Buffer).length;
          if (read > mebibyte) link.cut();
        }
      };
      expect(await errorOf(reading())).to.be.instanceOf(BlobStoreFailed);
      expect(read).to.be.below(20 * mebibyte);
    });

    it('that are cut while they are uploaded leave nothing', async () => {
      let sent = 0;
      const cutting = async function* () {
        for await (const chunk of content(30).chunks) {
          sent += 1;
          if (sent === 15) {
            link.cut();
            link.refuse();
          }
          yield chunk;
        }
      };
      const error = await errorOf(store.put('profile/1-lost', cutting()));
      expect(error).to.be.instanceOf(BlobStoreFailed);
      await link.heal();
      expect(await errorOf((await openedAgain()).get('profile/1-lost'))).to.be.instanceOf(BlobMissing);
    });

    const openedAgain = () => openS3({ url: urlOf(server.url) });
  });

  it('of a server that answers 503 are asked for again, and then the store fails with what it said', async () => {
    let asked = 0;
    const busy = createServer((request, response) => {
      asked += 1;
      request.resume().once('end', () => response.writeHead(503).end());
    });
    await once(busy.listen(0, '127.0.0.1'), 'listening');
    const { port } = busy.address() as AddressInfo;
    const store = await openS3({ url: urlOf(`http://127.0.0.1:${port}`), attempts: 2 });
    const error = await errorOf(store.put('profile/1-a', bytesOf('x')));
    await store.close();
    busy.close();
    expect(String(error)).to.match(/^BlobStoreFailed: .*503/);
    expect(asked).to.equal(2);
  });
});
