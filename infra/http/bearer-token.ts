import { refuse } from '../../contracts/problems.ts';

/** The API key of an `Authorization` header. Missing, or of another scheme, is `unauthorized`; the key itself is not judged. */
export function bearerToken(header: string | undefined): string {
  const [, token] = /^Bearer +([^\s]+) *$/i.exec(header ?? '') ?? [];
  if (token === undefined) throw refuse('unauthorized', 'Send the API key as Authorization: Bearer <key>.');
  return token;
}
