import { invalid } from './field-errors.ts';

/** Throws `validation-failed` at the path if the value has more than `mostBytes` as JSON in UTF-8. `what`: a clause after the limit. */
export function assertJsonSize(path: string, value: unknown, mostBytes: number, what = ''): void {
  if (Buffer.byteLength(JSON.stringify(value)) <= mostBytes) return;
  throw invalid({ path, code: 'size', message: `must be at most ${mostBytes} bytes as JSON${what}` });
}
