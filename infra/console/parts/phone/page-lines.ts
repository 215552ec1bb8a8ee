import type { SessionsArea } from '../../../../contracts/client/index.ts';

const read = ['h1', 'h2', 'h3', 'h4', 'p', 'li', 'a', 'button', 'label', 'td', 'th', 'summary'];

const schema = {
  type: 'array',
  'x-selector': read.join(),
  items: { type: 'string' },
} as const;

/** A page's texts in document order, for people who cannot see its picture. */
export async function pageLines(
  service: Pick<SessionsArea, 'extract'>,
  session: string,
): Promise<readonly string[]> {
  const { data } = await service.extract(session, { schema });
  const lines = (data as readonly string[]).map((line) => line.trim());
  return lines.filter((line, index) => line !== '' && line !== lines[index - 1]);
}
