/** A parsed mail. */
export interface ParsedMail {
  /** Unfolded, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded, with line feeds only. */
  readonly text: string;
  readonly html: string;
}

/**
 * Parses a `multipart/alternative` message of one text and one HTML part (RFC 5322, RFC 2046). Throws if it is none.
 */
export function parseMail(source: string): ParsedMail {
  const { headers, body } = splitHead(source);
  const boundary = /^multipart\/alternative;.*boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) throw new Error(`Not multipart/alternative: ${headers['content-type']}`);
  const parts = body.split(`--${boundary}`);
  if (parts.length !== 4 || !parts.at(-1)?.startsWith('--')) throw new Error(`${parts.length - 2} parts`);
  const [text = '', html = ''] = parts.slice(1, -1).map((part) => part.replace(/^\r\n/, ''));
  return { headers, text: decoded(text, 'text/plain'), html: decoded(html, 'text/html') };
}

function splitHead(source: string) {
  const end = source.indexOf('\r\n\r\n');
  const lines = source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const entries = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  return {
    headers: Object.fromEntries(entries) as Readonly<Record<string, string>>,
    body: source.slice(end + 4),
  };
}

function decoded(part: string, type: string): string {
  const { headers, body } = splitHead(part);
  if (!headers['content-type']?.startsWith(`${type}; charset=utf-8`))
    throw new Error(`${headers['content-type']} is not ${type}`);
  const bytes = decoders[headers['content-transfer-encoding'] ?? '7bit']?.(body);
  if (bytes === undefined) throw new Error(`An encoding: ${headers['content-transfer-encoding']}`);
  return bytes.toString('utf8').replaceAll('\r\n', '\n').trimEnd();
}

const decoders: Readonly<Record<string, (body: string) => Buffer>> = {
  '7bit': (body) => Buffer.from(body),
  base64: (body) => Buffer.from(body, 'base64'),
  'quoted-printable': (body) =>
    Buffer.from(
      body
        .replace(/=[ \t]*\r\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
      'latin1',
    ),
};
