import { Readable } from 'node:stream';
import type { ListMultipartUploadsCommandOutput, S3Client } from '@aws-sdk/client-s3';
import { Incoming, storeFailed } from './content.ts';
import { abandonedAfterMs, assertKey, isKey } from './keys.ts';
import { BlobMissing, type BlobStore, type StoredBlob } from './types.ts';

const mebibyte = 1024 * 1024;
/** One part is sent while the beginning of the next is read. The uploader briefly holds a part twice. */
const partBytes = 8 * mebibyte;
const readAheadBytes = 4 * mebibyte;

export interface S3Options {
  /** See `openBlobStore`. */
  readonly url: string;
  /** Timeout without data during a request, in ms; its total time is unlimited. */
  readonly idleMs?: number;
  readonly connectMs?: number;
  readonly attempts?: number;
  readonly now?: () => number;
}

/** The SDK takes a fifth of a second to load, so it is loaded only for a bucket. */
const loadSdk = () => import('./s3-sdk.ts');

interface Bucket {
  readonly sdk: Awaited<ReturnType<typeof loadSdk>>;
  readonly client: S3Client;
  readonly name: string;
  /** Empty, or ends with `/`. */
  readonly prefix: string;
  readonly now: () => number;
}

/** Blobs as objects of a bucket. A multipart upload is visible once it is completed, and aborted if that fails. */
export async function openS3({ url, now = Date.now, ...options }: S3Options): Promise<BlobStore> {
  const { name, prefix, ...where } = parse(url);
  const sdk = await loadSdk();
  const client = connect(sdk, { ...where, ...options });
  const bucket: Bucket = { sdk, client, name, prefix, now };
  const failed = (error: unknown): never => {
    throw storeFailed(nameOf(bucket), error);
  };
  return {
    put: async (key, content, signal) =>
      upload(bucket, objectOf(bucket, key), new Incoming(content, signal, readAheadBytes)),
    async get(key) {
      const body = await download(bucket, key).catch((error: unknown) =>
        error instanceof BlobMissing ? Promise.reject(error) : failed(error),
      );
      return Readable.from(orFailed(body, failed), { objectMode: false });
    },
    delete: async (key) => remove(bucket, objectOf(bucket, key)).catch(failed),
    list: () => orFailed(objectsIn(bucket), failed),
    close: async () => client.destroy(),
  };
}

const nameOf = ({ name, prefix }: Bucket): string => `The object store s3://${name}/${prefix}`;

function objectOf({ name, prefix }: Bucket, key: string) {
  assertKey(key);
  return { Bucket: name, Key: `${prefix}${key}` };
}

function parse(url: string) {
  const { hostname: name, pathname, searchParams } = new URL(url);
  const { endpoint, region, ...others } = Object.fromEntries(searchParams);
  const unknown = Object.keys(others).join(', ');
  if (name === '' || unknown !== '')
    throw new Error(`Not of the form s3://bucket/prefix?endpoint=…&region=…${unknown && `: ${unknown}`}`);
  const path = pathname.replace(/^\/+|\/+$/g, '');
  return { name, prefix: path && `${path}/`, endpoint, region };
}

interface Connection extends Pick<S3Options, 'idleMs' | 'connectMs' | 'attempts'> {
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
}

function connect(
  { S3Client }: Bucket['sdk'],
  { endpoint, region, idleMs = 15_000, connectMs = 5_000, attempts = 3 }: Connection,
): S3Client {
  // The SDK warns on stdout about the Node.js version; the log is JSON lines, and the operator chooses the version.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const at = region ?? (endpoint === undefined ? undefined : 'us-east-1');
  return new S3Client({
    ...(endpoint !== undefined && { endpoint }),
    ...(at !== undefined && { region: at }),
    forcePathStyle: true,
    maxAttempts: attempts,
    // Servers other than Amazon's may not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMs, socketTimeout: idleMs },
  });
}

interface StoredObject {
  readonly Bucket: string;
  readonly Key: string;
}

async function upload(bucket: Bucket, object: StoredObject, incoming: Incoming): Promise<void> {
  const { sdk, client } = bucket;
  try {
    const params = { ...object, Body: incoming.body };
    // With several, the others would read on to the end of the content after one has failed.
    await new sdk.Upload({ client, params, partSize: partBytes, queueSize: 1 }).done();
  } catch (error) {
    throw incoming.explain(error, nameOf(bucket));
  } finally {
    incoming.body.destroy();
  }
}

async function download(bucket: Bucket, key: string): Promise<AsyncIterable<Uint8Array>> {
  const { sdk, client } = bucket;
  try {
    const { Body: body } = await client.send(new sdk.GetObjectCommand(objectOf(bucket, key)));
    if (body instanceof Readable) return body;
    throw new Error('The answer has no content.');
  } catch (error) {
    throw error instanceof sdk.NoSuchKey ? new BlobMissing(`There is no blob ${key}.`) : error;
  }
}

async function remove({ sdk, client }: Bucket, object: StoredObject): Promise<void> {
  try {
    await client.send(new sdk.DeleteObjectCommand(object));
  } catch (error) {
    if (!(error instanceof Error && error.name === 'NoSuchKey')) throw error;
  }
}

async function* objectsIn(bucket: Bucket): AsyncGenerator<StoredBlob> {
  const { sdk, client, name, prefix } = bucket;
  await abortAbandoned(bucket);
  const pages = sdk.paginateListObjectsV2({ client }, { Bucket: name, Prefix: prefix });
  for await (const { Contents = [] } of pages)
    for (const { Key = '', Size: bytes = 0, LastModified: storedAt = new Date(0) } of Contents) {
      const key = Key.slice(prefix.length);
      if (isKey(key)) yield { key, bytes, storedAt };
    }
}

/** Aborts multipart uploads whose process died: the store keeps, and bills, their parts until then. */
async function abortAbandoned({ sdk, client, name, prefix, now }: Bucket): Promise<void> {
  const since = now() - abandonedAfterMs;
  let from: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
  while (from) {
    const command = new sdk.ListMultipartUploadsCommand({ Bucket: name, Prefix: prefix, ...from });
    const page: ListMultipartUploadsCommandOutput = await client.send(command);
    for (const { Key, UploadId, Initiated } of page.Uploads ?? [])
      if (Initiated && Initiated.getTime() < since)
        await client.send(new sdk.AbortMultipartUploadCommand({ Bucket: name, Key, UploadId }));
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
    const hasMore = page.IsTruncated === true && KeyMarker !== undefined && UploadIdMarker !== undefined;
    from = hasMore ? { KeyMarker, UploadIdMarker } : undefined;
  }
}

async function* orFailed<T>(values: AsyncIterable<T>, failed: (error: unknown) => never): AsyncGenerator<T> {
  try {
    yield* values;
  } catch (error) {
    failed(error);
  }
}
