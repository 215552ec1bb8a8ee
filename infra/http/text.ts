import { pointer } from '../../contracts/field-errors.ts';
import { invalid } from './problem.ts';

/** Characters that Postgres cannot store: U+0000 and unpaired surrogates. */
const unstorable = /[\0\p{Surrogate}]/u;

const reject = (path: string) => {
  throw invalid({ path, code: 'text', message: 'must not contain U+0000 or a lone surrogate' });
};

/** Refuses text that cannot be stored, naming the field. */
export function assertStorable(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (unstorable.test(value)) reject(path);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => assertStorable(item, `${path}/${index}`));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (unstorable.test(key)) reject(path);
      assertStorable(item, `${path}/${pointer(key)}`);
    }
  }
}

function decoded(text: string, path: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid({ path, code: 'text', message: 'must be percent-encoded UTF-8' });
  }
}

/** Refuses a query with names or values that are not UTF-8, or cannot be stored. Cheap for ASCII. */
export function assertStorableQuery(url: string): void {
  const at = url.indexOf('?');
  if (at < 0 || !/%(?:00|[89a-f])/i.test(url)) return;
  for (const pair of url.slice(at + 1).split('&')) {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const key = decoded(name, '/query');
    assertStorable(key, '/query');
    assertStorable(decoded(value, `/query/${pointer(key)}`), `/query/${pointer(key)}`);
  }
}
