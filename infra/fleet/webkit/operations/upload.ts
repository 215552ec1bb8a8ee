import { randomUUID } from 'node:crypto';
import { Type, closed } from '../../../../contracts/schema.ts';
import type { Action } from '../../../../contracts/resources/session.ts';
import { pageFailure, type OperationLimits, type Uploaded } from '../../node/driver.ts';
import { base64Of } from '../../../platform/base64.ts';
import { shape } from '../../shape.ts';
import { nothing } from '../ask.ts';
import type { Page } from '../page.ts';
import type { Located } from './target.ts';

/** The part of an `upload` that names its files. */
interface Given {
  readonly handle: string | undefined;
  readonly files: Extract<Action, { kind: 'upload' }>['files'] | undefined;
}

interface Content {
  readonly name: string;
  readonly mime: string;
  /** Splits a file into pieces of base64. */
  readonly pieces: () => AsyncIterable<string> | Iterable<string>;
}

/** Bytes of a piece: a multiple of three, so that each piece is valid base64. */
const pieceBytes = 3 * 256 * 1024;
const chosen = shape(closed({ matches: Type.Integer() }));

/** The files of an action: that of its handle, or those in its body. */
export function contentsOf(uploads: Uploaded, { handle, files }: Given): readonly Content[] {
  if ((handle === undefined) === (files === undefined))
    throw pageFailure('invalid_request', 'Give the files, or the handle of one.');
  if (handle === undefined) {
    return (files ?? []).map(({ name, mime = 'application/octet-stream', data_base64 }) => ({
      ...{ name, mime },
      pieces: () => piecesOf(data_base64),
    }));
  }
  const file = uploads.find(handle);
  if (!file) throw pageFailure('invalid_request', 'There is no file of this handle.');
  return [{ name: file.name, mime: file.mime, pieces: () => base64Of(file.read(pieceBytes)) }];
}

function* piecesOf(base64: string): Generator<string> {
  const length = (pieceBytes / 3) * 4;
  for (let at = 0; at < base64.length; at += length) yield base64.slice(at, at + length);
}

/** Transfers the contents into the field's document, piece by piece, and selects them there. */
export async function chooseFiles(
  page: Page,
  { frame, target }: Located,
  contents: readonly Content[],
  limits: OperationLimits,
): Promise<number> {
  const files = [];
  for (const { name, mime, pieces } of contents) {
    const file = { name, mime, content: randomUUID(), pieces: 0 };
    for await (const data_base64 of pieces()) {
      await page.run('receive', { frame, content: file.content, data_base64 }, nothing, limits);
      file.pieces += 1;
    }
    files.push(file);
  }
  return (await page.run('upload', { frame, target, files }, chosen, limits)).matches;
}
