import type { Request, Response } from 'express';
import { Refusal, refuse } from '../../contracts/problems.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { spool, type Spooled } from '../platform/spool.ts';
import { UnderWay } from '../platform/under-way.ts';
import { Base64Decoder, NotBase64 } from './base64-decoder.ts';
import { endedEarly, jsonBodyOf, refuseEncoded } from './body.ts';
import { FieldSplitter } from './field-splitter.ts';
import { invalid } from './problem.ts';
import type { Identity } from './types.ts';

/** Bodies that are spooled at once, and those of one account: each takes the room of its largest field on the disk. */
const most = { atOnce: 8, ofOneKey: 2 } as const;

export interface SpoolingOptions {
  readonly directory: string;
  /** Of the body without the field. */
  readonly bodyLimitBytes: number;
}

export interface SpooledBody {
  /** With `x` where the field is. */
  readonly value: unknown;
  /** What the field says, decoded. To be closed by whoever gets it. */
  readonly file: Spooled;
}

type Spools = NonNullable<Route['spools']>;

/** Reads a JSON body of which one field, in base64, is too large for memory: that is decoded into a file as it arrives. */
export function spooledBodyOf(route: Route, spools: Spools, options: SpoolingOptions) {
  const underWay = new UnderWay(most);
  return async (req: Request, res: Response, caller: Identity): Promise<SpooledBody> => {
    const done = underWay.begin(caller.accountId);
    let file: Spooled | undefined;
    try {
      refuseEncoded(req);
      assertFits(req, spools, options, caller);
      const splitter = new FieldSplitter(spools.field);
      file = await spool(options.directory, contentOf(req, splitter, { ...spools, ...options, caller }));
      const value = await jsonBodyOf(route, async () => splitter.rest())(req, res);
      if (splitter.count > 1) throw wrong(spools, 'unique', 'must be there once');
      const { close } = file;
      return { value, file: { ...file, close: () => close().finally(done) } };
    } catch (error) {
      // The client is still sending; it reads the answer once it may.
      req.resume();
      await file?.close();
      done();
      throw error;
    }
  };
}

/** What is announced as too much is refused before it is sent. */
function assertFits(
  { headers }: Request,
  { mostBytes }: Spools,
  { bodyLimitBytes }: SpoolingOptions,
  caller: Identity,
): void {
  const announced = Math.floor(((Number(headers['content-length'] ?? 0) - bodyLimitBytes) * 3) / 4);
  if (announced > mostBytes) throw tooLarge(announced, mostBytes, caller);
}

async function* contentOf(
  req: Request,
  splitter: FieldSplitter,
  { caller, bodyLimitBytes, ...spools }: Spools & SpoolingOptions & { readonly caller: Identity },
): AsyncGenerator<Buffer> {
  const decoder = new Base64Decoder();
  let bytes = 0;
  try {
    // The connection must outlive a refusal, which is answered on it.
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      for (const part of splitter.push(chunk)) {
        const decoded = decoder.push(part);
        bytes += decoded.length;
        if (bytes > spools.mostBytes) throw tooLarge(bytes, spools.mostBytes, caller);
        yield decoded;
      }
      if (splitter.restBytes > bodyLimitBytes)
        throw refuse(
          'bad-request',
          `The body may have at most ${bodyLimitBytes} bytes beside \`${spools.field}\`.`,
        );
    }
    yield decoder.end();
  } catch (error) {
    if (error instanceof NotBase64) throw wrong(spools, 'base64', 'must be base64');
    throw error instanceof Refusal || !req.errored ? error : refuse('bad-request', endedEarly);
  }
}

const wrong = ({ field }: Pick<Spools, 'field'>, code: string, message: string): Refusal =>
  invalid({ path: `/body/${field}`, code, message });

const tooLarge = (bytes: number, mostBytes: number, { tier }: Identity): Refusal =>
  refuse('storage-quota-exceeded', `At most ${mostBytes} bytes are taken.`, {
    used_bytes: bytes,
    cap_bytes: mostBytes,
    tier,
  });
