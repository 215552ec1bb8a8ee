import { ToolError } from '../advice.ts';
import { companionOf } from '../companion.ts';
import { observe, pictureOf } from '../looking.ts';
import { maxResourceBytes } from '../limits.ts';
import { fileUri, pageKinds, pageUri, type PageKind } from '../resource-names.ts';
import { beginning, firstThatFit, tokensOf } from '../tokens.ts';
import { defineTool, hints, schemas, type ToolContext } from '../tool.ts';
import { linesOf } from '../page.ts';
import { notice, oneLine } from '../words.ts';

const { described, session, string, objects, count, oneOf } = schemas;

export const savePage = defineTool<{ readonly session: string; readonly as: PageKind }>({
  name: 'save_page',
  title: 'Save the page',
  description:
    'Returns a link to the page as png, pdf or html, captured when the link is read; for png also a picture.',
  hints: hints.reads,
  takes: { 'session!': session, 'as!': oneOf(...Object.keys(pageKinds)) },
  gives: { session: string, uri: string, mime_type: string, untrusted: string },
  run: async (context, { session: id, as }) => {
    const page = await observe(context, id, { picture: as === 'png' });
    const { mimeType } = pageKinds[as];
    const uri = pageUri(id, as);
    const link = { type: 'resource_link', uri, name: `page.${as}`, mimeType } as const;
    return {
      lines: [`Read ${uri} for the page as ${as}.`],
      words: [`address: ${oneLine(page.url)}`, `title: ${oneLine(page.title, 150)}`],
      structured: { session: id, uri, mime_type: mimeType, untrusted: notice },
      attachments: [link, ...(page.picture ? [pictureOf(page.picture)] : [])],
    };
  },
});

interface FilesOf {
  readonly session: string;
  readonly name?: string;
  readonly from?: number;
}

export const files = defineTool<FilesOf>({
  name: 'files',
  title: 'Downloaded files',
  description: 'Lists the files that a browser has downloaded or, with a name, reads one.',
  hints: hints.reads,
  takes: {
    'session!': session,
    name: described('File to read'),
    from: described('Index of the first file or character', count),
  },
  gives: { session: string, files: objects, uri: string, next: count, untrusted: string },
  run: (context, asked) =>
    asked.name === undefined ? list(context, asked) : read(context, asked.name, asked),
});

/** Maximum tokens of a list, in its text and in its structured content together, and of a read. */
const maxListTokens = 5000;
const maxReadTokens = 4000;

async function list(context: ToolContext, { session: id, from = 0 }: FilesOf) {
  const agent = await companionOf(context, id);
  const { files: kept, status, reason = '' } = await agent.downloads({ signal: context.signal });
  if (kept === null || status !== 'ok') throw new ToolError(oneLine(reason), 'Try again in a moment.');
  const asked = kept.slice(from).map(({ name, size, mime }) => ({
    ...{ name: oneLine(name, 255), size },
    ...(mime !== undefined && { mime: oneLine(mime, 100) }),
  }));
  const shown = firstThatFit(asked, maxListTokens, (file) => 2 * tokensOf(JSON.stringify(file)));
  const left = asked.length - shown.length;
  const next = kept.length - left;
  return {
    lines: [`${kept.length} files${from === 0 ? '.' : `, from ${from} on:`}`],
    words: shown.map((file) => JSON.stringify(file)),
    more: left === 0 ? [] : [`${left} files are left: files with from: ${next}.`],
    structured: { session: id, files: shown, ...(left > 0 && { next }), untrusted: notice },
  };
}

async function read(context: ToolContext, name: string, { session: id, from = 0 }: FilesOf) {
  const { mime, bytes } = await contentOf(context, id, name);
  const uri = fileUri(id, name);
  const link = { type: 'resource_link', uri, name: oneLine(name, 255), mimeType: mime } as const;
  const structured = { session: id, uri, untrusted: notice };
  const text = textIn(bytes);
  if (text === undefined)
    return {
      lines: [`${bytes.length} bytes of ${mime}, which is no text: read ${uri} for them.`],
      structured,
      attachments: [link],
    };
  const part = beginning(text.slice(from), maxReadTokens);
  const next = from + part.length;
  return {
    lines: [`${text.length} characters of ${mime}, from ${from} on:`],
    words: linesOf(part),
    more: next < text.length ? [`It goes on: files with from: ${next}.`] : [],
    structured: { ...structured, ...(next < text.length && { next }) },
    attachments: [link],
  };
}

export async function contentOf(
  context: Pick<ToolContext, 'service' | 'signal' | 'largeRead'>,
  id: string,
  name: string,
) {
  const agent = await companionOf(context, id);
  await context.largeRead?.begin(context.signal);
  const { file, reason = '' } = await agent.download({ name, signal: context.signal });
  if (file === null) throw new ToolError(oneLine(reason) || 'There is no such file.', 'files lists them.');
  if (file.dataB64.length > maxResourceBytes)
    throw new ToolError('The file is larger than can be given here.', 'Fetch it by the API.');
  return { mime: oneLine(file.mime, 100), bytes: Buffer.from(file.dataB64, 'base64') };
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\u0000') ? undefined : text;
  } catch {
    return undefined;
  }
}
