import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { finished } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { refuse } from '../../contracts/problems.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { ConcurrencyLimiter } from '../platform/concurrency-limiter.ts';
import { bytesBesideStrings } from '../platform/json-bytes.ts';
import { spool } from '../platform/spool.ts';
import { bodyReader, endedEarly, jsonBodyOf, refuseEncoded, type Reader } from './body.ts';
import type { Identity } from './types.ts';

/** Large bodies at the same time, in total and per account, from their first byte to the answer. They are received into files. */
const largeBodies = new ConcurrencyLimiter({ total: 64, perKey: 1 });

/**
 * Those of them that are complete and in the memory of this process. Each takes up to six times its size while it is validated and
 * sent on.
 */
const inMemory = new ConcurrencyLimiter({ total: 3, perKey: 1 });

export interface LargeBodyOptions {
  /** Limit of the body. */
  readonly mostBytes: number;
  /** Limit of a body without a declared length, and of what is not within strings in any other. */
  readonly usualBytes: number;
  /** Of the files. */
  readonly directory: string;
}

export interface LargeBody {
  readonly value: unknown;
  /** Called once the body is no longer needed. */
  readonly release?: () => void;
}

/**
 * Reads a JSON body that may be larger than usual if it declares its length. It takes memory only once it is complete, so a slow
 * sender keeps nobody else from sending one. Refuses more concurrent ones than fit.
 */
export function largeBodyOf(route: Route, { mostBytes, usualBytes, directory }: LargeBodyOptions) {
  const readUsual = jsonBodyOf(route, bodyReader(usualBytes, ' without a Content-Length'));
  return async (req: Request, res: Response, { accountId }: Identity): Promise<LargeBody> => {
    const isLarge = Number(req.headers['content-length'] ?? 0) > usualBytes;
    if (!isLarge) return { value: await readUsual(req, res) };
    const releases: (() => void)[] = [];
    const release = () => releases.forEach((each) => each());
    try {
      releases.push(largeBodies.acquire(accountId));
      const body = await receive(req, directory, mostBytes);
      try {
        releases.push(inMemory.acquire(accountId));
        const value = await jsonBodyOf(route, mostlyStrings(body.read, usualBytes))(req, res);
        return { value, release };
      } finally {
        await body.close();
      }
    } catch (error) {
      release();
      // The client reads the answer once it has sent all.
      await finished(req.resume()).catch(() => undefined);
      throw error;
    }
  };
}

/** Receives a body into a file, encrypted by a key that is only in memory, because bodies have cookies. */
async function receive(req: Request, directory: string, mostBytes: number) {
  refuseEncoded(req);
  if (Number(req.headers['content-length']) > mostBytes)
    throw refuse('bad-request', `The body may have at most ${mostBytes} bytes.`);
  const cipher = ['aes-256-ctr', randomBytes(32), randomBytes(16)] as const;
  const file = await spool(directory, transformed(received(req), createCipheriv(...cipher)));
  const read = async (): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of transformed(file.read(), createDecipheriv(...cipher))) chunks.push(chunk);
    return Buffer.concat(chunks, file.bytes);
  };
  return { read, close: () => file.close() };
}

async function* received(req: Request): AsyncGenerator<Buffer> {
  try {
    // A refusal is answered on the same connection, which must stay open.
    yield* req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw req.errored ? refuse('bad-request', endedEarly) : error;
  }
}

async function* transformed(
  chunks: AsyncIterable<Buffer>,
  by: { readonly update: (chunk: Buffer) => Buffer },
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield by.update(chunk);
}

/** Refuses bodies with more than this outside of strings: a list of empty objects takes twenty times as much memory as text. */
const mostlyStrings =
  (read: () => Promise<Buffer>, mostBytes: number): Reader =>
  async () => {
    const bytes = await read();
    if (bytesBesideStrings(bytes) > mostBytes)
      throw refuse('bad-request', `The body may have at most ${mostBytes} bytes outside of strings.`);
    return bytes;
  };
