import { readFileSync } from 'node:fs';

const golden = new URL('../../infra/event-store/golden/', import.meta.url);

/** The data of the golden event of a type in its first version, each text replaced as `rewrite` has it. */
export function goldenData(
  category: string,
  type: string,
  rewrite: (text: string) => string = (text) => text,
): unknown {
  const text = readFileSync(new URL(`${category}/${type}.v1.json`, golden), 'utf8');
  return (JSON.parse(rewrite(text)) as { readonly data: unknown }).data;
}
