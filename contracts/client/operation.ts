/** What the client knows of an operation: how it is sent, and whether it may be sent again. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** How its answer is read; `any`: as its content type says. */
  readonly gives: 'json' | 'text' | 'bytes' | 'events' | 'any';
  readonly takes: 'json' | 'raw' | undefined;
  /** The query's name for where a page begins, of lists. */
  readonly cursor: 'cursor' | 'after' | undefined;
  /** Changes nothing. */
  readonly isRead: boolean;
  /** Claims the browser: never sent twice. */
  readonly driver: boolean;
  /** Honours an idempotency key. */
  readonly keyed: boolean;
  /** Sent twice it has the same effect. */
  readonly repeatable: boolean;
  /** Takes `X-Service-Min-Position`. */
  readonly waitsForPosition: boolean;
}

/**
 * An operation as `generated/operations.ts` writes it: `GET /v1/sessions cr`. The letters, in any order: `b` takes a JSON body, `w`
 * one as it is; `c` a list by `cursor`, `a` by `after`; `t` gives text, `y` bytes, `e` events; `k` takes an idempotency key, `i` has the
 * same effect when sent twice, `d` claims the browser, `r` waits for a position.
 */
export function operationOf(id: string, row: string): Operation {
  const [method = '', path = '', letters = ''] = row.split(' ');
  const has = (letter: string): boolean => letters.includes(letter);
  const isRead = method === 'GET' && !has('d');
  return {
    ...{ id, method, path, isRead },
    gives: meaning(letters, { t: 'text', y: 'bytes', e: 'events' }) ?? 'json',
    takes: meaning(letters, { b: 'json', w: 'raw' }),
    cursor: meaning(letters, { c: 'cursor', a: 'after' }),
    driver: has('d'),
    keyed: has('k'),
    repeatable: isRead || has('k') || has('i'),
    waitsForPosition: has('r'),
  };
}

const meaning = <Value extends string>(
  letters: string,
  of: Readonly<Record<string, Value>>,
): Value | undefined => Object.entries(of).find(([letter]) => letters.includes(letter))?.[1];
