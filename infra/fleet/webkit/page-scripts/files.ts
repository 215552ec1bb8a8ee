import { ready } from './aim.ts';
import { assertMayTake, type Confined } from './confinement.ts';
import { nameOf } from './dom.ts';
import { tellChanged } from './entering.ts';
import { Failure, refusal } from './failure.ts';
import { controlOf } from './states.ts';
import type { Target } from './targets.ts';

/** Contents that are being transferred into the document, by id. */
const received = new Map<string, Uint8Array<ArrayBuffer>[]>();

export interface Piece {
  readonly content: string;
  readonly data_base64: string;
}

/** Receives the next piece of a content. */
export function receive({ content, data_base64 }: Piece): null {
  const pieces = received.get(content) ?? [];
  pieces.push(bytesOf(data_base64));
  received.set(content, pieces);
  return null;
}

export interface ReceivedFile {
  readonly name: string;
  readonly mime: string;
  /** The id of its content, and its number of pieces. */
  readonly content: string;
  readonly pieces: number;
}

export async function upload(
  {
    target,
    files,
    ...confined
  }: { readonly target: Target; readonly files: readonly ReceivedFile[] } & Confined,
  endsAt: number,
) {
  try {
    const { element, matches } = await ready(target, { visible: false, enabled: true }, endsAt);
    const field = controlOf(element);
    if (!(field instanceof HTMLInputElement) || field.type !== 'file')
      throw refusal(`The element takes no files: it is ${nameOf(field)}.`);
    assertMayTake(field, confined);
    if (files.length > 1 && !field.multiple) throw refusal('The field takes one file.');
    const transfer = new DataTransfer();
    for (const { name, mime, content, pieces } of files) {
      const parts = received.get(content) ?? [];
      // Some pieces went to a document that this one has replaced.
      if (parts.length !== pieces)
        throw new Failure('page', 'condition_not_met', 'The page was replaced while it was given the files.');
      transfer.items.add(new File(parts, name, { type: mime }));
    }
    field.files = transfer.files;
    tellChanged(field);
    return { matches };
  } finally {
    received.clear();
  }
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
