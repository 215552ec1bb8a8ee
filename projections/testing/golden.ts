import { readFileSync } from 'node:fs';

const golden = new URL('../../infra/event-store/golden/', import.meta.url);

/** The data of a type's golden event in its first version, with each text mapped by `rewrite`. */
export function goldenData(
  category: string,
  type: string,
  rewrite: (text: string) => string = (text) => text,
): unknown {
  const text = readFileSync(new URL(`${category}/${type}.v1.json`, golden), 'utf8');
  return (JSON.parse(rewrite(text)) as { readonly data: unknown }).data;
}
