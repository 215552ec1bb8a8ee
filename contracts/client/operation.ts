/** An operation: how it is sent, and whether it may be retried. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Format of the answer; `any`: by its content type. */
  readonly gives: 'json' | 'text' | 'bytes' | 'events' | 'any';
  readonly takes: 'json' | 'raw' | undefined;
  /** The query field of a list's cursor. */
  readonly cursor: 'cursor' | 'after' | undefined;
  /** Has no effect. */
  readonly isRead: boolean;
  /** Claims the browser: never retried. */
  readonly driver: boolean;
  /** Honours an idempotency key. */
  readonly keyed: boolean;
  /** Idempotent. */
  readonly repeatable: boolean;
  /** Takes `X-Service-Min-Position`. */
  readonly waitsForPosition: boolean;
}

/**
 * Parses an operation in the format of `generated/operations.ts`: `GET /v1/sessions cr`. The letters, in any order: `b` takes a
 * JSON body, `w` a raw one; `c` is a list by `cursor`, `a` by `after`; `t` answers text, `y` bytes, `e` events; `k` takes an
 * idempotency key, `i` is idempotent, `d` claims the browser, `r` waits for a position.
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
