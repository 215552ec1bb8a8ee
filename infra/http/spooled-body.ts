import type { Request, Response } from 'express';
import { Refusal, refuse } from '../../contracts/problems.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { spool, type Spooled } from '../platform/spool.ts';
import { Base64Decoder, NotBase64 } from './base64-decoder.ts';
import { endedEarly, jsonBodyOf, refuseEncoded } from './body.ts';
import { FieldSplitter } from './field-splitter.ts';
import { invalid } from './problem.ts';
import { spoolRoom, type SpoolReservation } from './spool-room.ts';
import type { Identity } from './types.ts';

export interface SpoolingOptions {
  readonly directory: string;
  /** Limit of the body without the field. */
  readonly bodyLimitBytes: number;
}

export interface SpooledBody {
  /** The body with `x` as the field's value. */
  readonly value: unknown;
  /** The decoded field, closed by the caller; null if the account's concurrent uploads exceed their limit. */
  readonly file: Spooled | null;
}

type Spools = NonNullable<Route['spools']>;

/** Reads a JSON body with one base64 field too large for memory, which is decoded into a file while it is received. */
export function spooledBodyOf(route: Route, spools: Spools, options: SpoolingOptions) {
  const reserve = spoolRoom(spools);
  return async (req: Request, res: Response, caller: Identity): Promise<SpooledBody> => {
    const declared = req.headers['content-length'];
    const reservation = reserve(
      caller.accountId,
      declared === undefined ? undefined : decodedBytes(declared),
    );
    let file: Spooled | null = null;
    const left = new AbortController();
    res.once('close', () => left.abort());
    try {
      refuseEncoded(req);
      assertFits(req, spools, options, caller);
      const splitter = new FieldSplitter(spools.field);
      const content = contentOf(req, splitter, { ...spools, ...options, caller });
      file = reservation
        ? await spool(options.directory, reservation.counted(content))
        : await discard(content);
      await reservation?.turn(left.signal);
      const value = await jsonBodyOf(route, async () => splitter.rest())(req, res);
      if (splitter.count > 1) throw wrong(spools, 'unique', 'must be present exactly once');
      return { value, file: releasedOnClose(file, reservation) };
    } catch (error) {
      // The client is still sending, and reads the answer afterwards.
      req.resume();
      await file?.close();
      reservation?.release();
      throw error;
    }
  };
}

const decodedBytes = (base64Bytes: string | number): number => Math.floor((Number(base64Bytes) * 3) / 4);

const releasedOnClose = (file: Spooled | null, reservation: SpoolReservation | undefined): Spooled | null =>
  file && { ...file, close: () => file.close().finally(reservation?.release) };

/** Reads a content to its end without storing it, so that it is validated as usual. */
async function discard(content: AsyncIterable<unknown>): Promise<null> {
  const reader = content[Symbol.asyncIterator]();
  while (!(await reader.next()).done);
  return null;
}

/** A body with too large a `Content-Length` is refused before it is read. */
function assertFits(
  { headers }: Request,
  spools: Spools,
  { bodyLimitBytes }: SpoolingOptions,
  caller: Identity,
): void {
  const declared = decodedBytes(Number(headers['content-length'] ?? 0) - bodyLimitBytes);
  if (declared > spools.mostBytes) throw tooLarge(declared, spools, caller);
}

async function* contentOf(
  req: Request,
  splitter: FieldSplitter,
  { caller, bodyLimitBytes, ...spools }: Spools & SpoolingOptions & { readonly caller: Identity },
): AsyncGenerator<Buffer> {
  const decoder = new Base64Decoder();
  let bytes = 0;
  const counted = (decoded: Buffer): Buffer => {
    bytes += decoded.length;
    if (bytes > spools.mostBytes) throw tooLarge(bytes, spools, caller);
    return decoded;
  };
  try {
    // A refusal is answered on the same connection, which must stay open.
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      for (const part of splitter.push(chunk)) yield counted(decoder.push(part));
      if (splitter.restBytes > bodyLimitBytes)
        throw refuse(
          'bad-request',
          `The body may have at most ${bodyLimitBytes} bytes beside \`${spools.field}\`.`,
        );
    }
    yield counted(decoder.end());
  } catch (error) {
    if (error instanceof NotBase64) throw wrong(spools, 'base64', 'must be base64');
    throw error instanceof Refusal || !req.errored ? error : refuse('bad-request', endedEarly);
  }
}

const wrong = ({ field }: Pick<Spools, 'field'>, code: string, message: string): Refusal =>
  invalid({ path: `/body/${field}`, code, message });

function tooLarge(bytes: number, spools: Spools, { tier }: Identity): Refusal {
  const { mostBytes: cap_bytes } = spools;
  if (spools.accountBytes !== undefined)
    return wrong(spools, 'maxLength', `must hold at most ${cap_bytes} bytes`);
  const facts = { used_bytes: bytes, cap_bytes, tier };
  return refuse('storage-quota-exceeded', `At most ${cap_bytes} bytes are accepted.`, facts);
}
