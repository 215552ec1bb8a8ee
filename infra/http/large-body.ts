import { finished } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { refuse } from '../../contracts/problems.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { ConcurrencyLimiter } from '../platform/concurrency-limiter.ts';
import { bytesBesideStrings } from '../platform/json-bytes.ts';
import { bodyReader, jsonBodyOf, type Reader } from './body.ts';
import type { Identity } from './types.ts';

/**
 * Large bodies in the memory of this process at the same time, in total and per account. Each takes up to six times its size while it is
 * read, validated and sent on.
 */
const largeBodies = new ConcurrencyLimiter({ total: 3, perKey: 1 });

export interface LargeBodyLimits {
  /** Limit of the body. */
  readonly mostBytes: number;
  /** Limit of a body without a declared length, and of what is not within strings in any other. */
  readonly usualBytes: number;
}

export interface LargeBody {
  readonly value: unknown;
  /** Called once the body is no longer needed. */
  readonly release?: () => void;
}

/** Reads a JSON body that may be larger than usual if it declares its length. Refuses more concurrent ones than fit. */
export function largeBodyOf(route: Route, { mostBytes, usualBytes }: LargeBodyLimits) {
  const readUsual = jsonBodyOf(route, bodyReader(usualBytes, ' without a Content-Length'));
  const readLarge = jsonBodyOf(route, mostlyStrings(bodyReader(mostBytes), usualBytes));
  return async (req: Request, res: Response, { accountId }: Identity): Promise<LargeBody> => {
    const isLarge = Number(req.headers['content-length'] ?? 0) > usualBytes;
    if (!isLarge) return { value: await readUsual(req, res) };
    const release = await roomFor(req, accountId);
    try {
      return { value: await readLarge(req, res), release };
    } catch (error) {
      release();
      throw error;
    }
  };
}

async function roomFor(req: Request, accountId: string): Promise<() => void> {
  try {
    return largeBodies.acquire(accountId);
  } catch (error) {
    // The client reads the answer once it has sent all.
    await finished(req.resume()).catch(() => undefined);
    throw error;
  }
}

/** Refuses bodies with more than this outside of strings: a list of empty objects takes twenty times as much memory as text. */
const mostlyStrings =
  (read: Reader, mostBytes: number): Reader =>
  async (req, res) => {
    const bytes = await read(req, res);
    if (bytes !== undefined && bytesBesideStrings(bytes) > mostBytes)
      throw refuse('bad-request', `The body may have at most ${mostBytes} bytes outside of strings.`);
    return bytes;
  };
