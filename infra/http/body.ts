import { raw, type Request, type RequestHandler, type Response } from 'express';
import { Refusal, refuse } from '../../contracts/problems.ts';
import { namesUnknownFields } from '../../contracts/route.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { declaredFields, unknownFields, type JsonBody } from './unknown-fields.ts';
import { assertStorable } from './text.ts';
import { invalid } from './problem.ts';

/** Maximum depth of JSON: deeper documents have no honest use and are expensive to walk. */
const maxDepth = 64;
const jsonType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const formType = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

export type Reader = (request: Request, response: Response) => Promise<Buffer | undefined>;

export const endedEarly = 'The body ended early.';

/** Reads whole bodies up to a limit; undefined if the request has none. `when`: the condition of the limit, for the refusal. */
export function bodyReader(limitBytes: number, when = ''): Reader {
  const reasons: Record<string, string> = {
    'entity.too.large': `The body may have at most ${limitBytes} bytes${when}.`,
    'encoding.unsupported': encoded,
    'request.aborted': endedEarly,
    'request.size.invalid': 'The length of the body differs from Content-Length.',
  };
  const refusalOf = (error: unknown): Error => {
    const reason = error instanceof Error && 'type' in error ? reasons[String(error.type)] : undefined;
    if (reason !== undefined) return refuse('bad-request', reason);
    return error instanceof Error ? error : new Error('The body could not be read.', { cause: error });
  };
  const read: RequestHandler = raw({ limit: limitBytes, inflate: false, type: () => true });
  return (request, response) =>
    new Promise((resolve, reject) => {
      void read(request, response, (error?: unknown) => {
        if (error !== undefined) reject(refusalOf(error));
        else if (Buffer.isBuffer(request.body)) resolve(request.body);
        // The parser treats an aborted request as already read.
        else if (hasBody(request)) reject(refuse('bad-request', endedEarly));
        else resolve(undefined);
      });
    });
}

const encoded = 'Send the body without Content-Encoding.';

export function refuseEncoded({ headers }: Request): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw refuse('bad-request', encoded);
}

export const hasBody = ({ headers }: Pick<Request, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Parses a JSON body; undefined if there is none. Refuses values that are unsafe to process; of an object only `fields`, if given.
 */
export function parseJson(
  bytes: Buffer | undefined,
  contentType: string | undefined,
  fields?: ReadonlySet<string>,
): JsonBody | undefined {
  if (bytes === undefined || bytes.length === 0) return undefined;
  if (!jsonType.test(contentType ?? '')) {
    throw refuse('bad-request', 'Send the body as Content-Type: application/json, in UTF-8.');
  }
  const text = decode(bytes);
  if (isTooDeep(text)) {
    throw invalid({
      path: '/body',
      code: 'depth',
      message: `must not be nested deeper than ${maxDepth} levels`,
    });
  }
  const value = parse(text);
  // Decoded text is well-formed, and raw U+0000 is not JSON: only an escape can contain either.
  if (text.includes('\\u')) assertStorable(onlyFields(value, fields), '/body');
  return { text, value };
}

/** Parses the fields of a form, each a text. */
function parseForm(bytes: Buffer, known: ReadonlySet<string>): JsonBody {
  const text = decode(bytes);
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    // Parameters must not be repeated (RFC 6749, 3.2).
    if (fields.has(name)) throw refuse('bad-request', 'A field of the form is repeated.');
    fields.set(name, value);
  }
  const value: unknown = Object.fromEntries(fields);
  assertStorable(onlyFields(value, known), '/body');
  return { text, value };
}

/** An object with only these fields; any other value as it is. */
const onlyFields = (value: unknown, fields: ReadonlySet<string> | undefined): unknown =>
  fields === undefined || typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).filter(([name]) => fields.has(name)));

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw refuse('bad-request', 'The body is not valid UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse('bad-request', 'The body is not valid JSON.');
  }
}

function isTooDeep(text: string): boolean {
  if (text.length <= 2 * maxDepth) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (inString) {
      if (char === 92) at += 1;
      else if (char === 34) inString = false;
    } else if (char === 34) inString = true;
    else if (char === 91 || char === 123) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (char === 93 || char === 125) depth -= 1;
  }
  return false;
}

/**
 * Reads the route's declared body, JSON or, for OAuth, a form, and lists undeclared fields, which may have any content, because they
 * are ignored. A missing body is `{}`.
 */
export function jsonBodyOf(route: Route, read: Reader) {
  const { body: schema } = route;
  const declared = declaredFields(schema);
  const parsedBody = async (req: Request, res: Response): Promise<JsonBody | undefined> => {
    const [bytes, type] = [await read(req, res), req.headers['content-type']];
    const isForm = route.oauth === true && bytes !== undefined && formType.test(type ?? '');
    const body = isForm ? parseForm(bytes, declared) : parseJson(bytes, type, declared);
    const ignored = body && namesUnknownFields(route) ? unknownFields(body, declared) : undefined;
    if (ignored !== undefined) res.setHeader('x-service-unknown-fields', ignored);
    return body;
  };
  if (schema === undefined) {
    return namesUnknownFields(route) ? withoutRefusing(parsedBody) : async () => undefined;
  }
  return async (req: Request, res: Response): Promise<unknown> => {
    const body = await parsedBody(req, res);
    if (body !== undefined) return body.value;
    if (route.bodyRequired !== true) return {};
    throw invalid({ path: '/body', code: 'required', message: 'is required' });
  };
}

/** An undeclared body may be anything: it is only read for the names of its fields. */
const withoutRefusing =
  (read: (req: Request, res: Response) => Promise<unknown>) =>
  async (req: Request, res: Response): Promise<undefined> => {
    try {
      await read(req, res);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  };
