import { Ajv, type ValidateFunction } from 'ajv';
import { trustedSchemaOptions } from '../platform/trusted-schema-options.ts';
import { bytesBesideStrings } from '../platform/json-bytes.ts';
import { StateArchiveInvalid, StateArchiveTooLarge } from './invalid.ts';
import { Manifest, StoredCookies, StoredSessions, isOwnFile, ownFiles, type OwnFile } from './layout.ts';
import type { UnpackLimits } from './limits.ts';
import type { StateFile } from './pack.ts';

/** A file of a state; the service's own files with their parsed content. */
export interface CheckedFile extends StateFile {
  readonly cookies?: StoredCookies;
  readonly sessions?: StoredSessions;
}

/**
 * Validates the service's own files: each occurs once, before the engine's, and is well-formed.
 *
 * Throws `StateArchiveInvalid`, or `StateArchiveTooLarge` above a limit.
 */
export async function* checkedFiles(
  files: AsyncIterable<StateFile>,
  limits: UnpackLimits,
): AsyncGenerator<CheckedFile> {
  const missing: OwnFile[] = [...ownFiles];
  for await (const file of files) {
    const expected = missing.shift();
    if (expected !== undefined && file.path !== expected) throw absent(expected);
    yield isOwnFile(file.path) ? await checkedFile(file, file.path, limits) : file;
  }
  if (missing[0] !== undefined) throw absent(missing[0]);
}

const absent = (file: OwnFile) => new StateArchiveInvalid(`The state has no ${file} where it should be.`);

const ajv = new Ajv(trustedSchemaOptions);
const isManifest = ajv.compile<Manifest>(Manifest);
const isCookies = ajv.compile<StoredCookies>(StoredCookies);
const isSessions = ajv.compile<StoredSessions>(StoredSessions);

async function checkedFile(file: StateFile, path: OwnFile, limits: UnpackLimits): Promise<CheckedFile> {
  const limit = limits.ownBytes[path];
  if (file.bytes > limit) throw new StateArchiveTooLarge(`${path} has more than ${limit} bytes.`);
  const bytes = await wholeOf(file.content);
  if (path === 'session-storage.json' && bytesBesideStrings(bytes) > limits.besideStrings)
    throw new StateArchiveTooLarge(`${path} has more than ${limits.besideStrings} bytes outside of strings.`);
  const value = parse(path, bytes);
  const held = { ...file, content: once(bytes) };
  switch (path) {
    case 'manifest.json':
      assertForm(path, isManifest, value);
      return held;
    case 'cookies.json':
      return { ...held, cookies: assertForm(path, isCookies, value) };
    case 'session-storage.json':
      return { ...held, sessions: assertForm(path, isSessions, value) };
  }
}

function assertForm<T>(path: OwnFile, is: ValidateFunction<T>, value: unknown): T {
  if (is(value)) return value;
  throw new StateArchiveInvalid(`${path} is not of the form that this version knows.`);
}

async function wholeOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function parse(path: OwnFile, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    throw new StateArchiveInvalid(`${path} is not JSON.`, { cause: error });
  }
}

export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}
