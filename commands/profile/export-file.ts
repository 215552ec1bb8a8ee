import { Type, closed, type Static } from '../../contracts/schema.ts';
import { shape } from '../../infra/fleet/shape.ts';
import { ExportInvalid } from '../../infra/profile-states/index.ts';

/** The metadata of an export. The noise seed is not exported: no two profiles have the same noise. */
const About = closed({
  archetype: Type.String(),
  description: Type.Union([Type.String({ maxLength: 2000 }), Type.Null()]),
  /** Whether an archive follows. */
  has_state: Type.Boolean(),
});
export type About = Static<typeof About>;
const isAbout = shape(About);

const lineFeed = 0x0a;
/** Maximum bytes of the metadata. */
export const longestAbout = 64 * 1024;

/** The plaintext of an export: one line of JSON, then the archive. */
export async function* exportContent(
  about: About,
  archive: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(about)}\n`);
  yield* archive;
}

/** Parses both parts. Throws `ExportInvalid`, or the error of `content`. */
export async function readExport(
  content: AsyncIterable<Uint8Array>,
): Promise<{ readonly about: About; readonly archive: AsyncGenerator<Uint8Array> }> {
  const chunks = content[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let end = -1;
  while (end < 0) {
    const next = await chunks.next();
    if (next.done === true || head.length > longestAbout) throw notOurs();
    head = Buffer.concat([head, next.value]);
    end = head.indexOf(lineFeed);
  }
  const archive = async function* () {
    yield head.subarray(end + 1);
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  return { about: aboutIn(head.subarray(0, end).toString()), archive: archive() };
}

function aboutIn(text: string): About {
  let about: unknown;
  try {
    about = JSON.parse(text);
  } catch (error) {
    throw notOurs(error);
  }
  if (!isAbout.is(about)) throw notOurs();
  return about;
}

const notOurs = (cause?: unknown) =>
  new ExportInvalid('The file does not say which profile it is of.', { cause });
