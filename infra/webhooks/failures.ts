import type { AttemptError } from '../../contracts/events/webhook-delivery.ts';

/** By the code of the error or, where a parser gives it none, its name; the first that fits. */
const byCode: readonly (readonly [RegExp, AttemptError])[] = [
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'timeout'],
  [
    /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_|EPROTO)/,
    'tls_failure',
  ],
  [/^(HPE_|HTTPParserError$|UND_ERR_HEADERS|UND_ERR_RES|UND_ERR_RESPONSE)/, 'invalid_response'],
];

/** What to call the failure of an exchange that got no status. `wasSent` is whether the request had a connection by then. */
export function attemptErrorOf(error: unknown, wasSent: boolean): AttemptError {
  const { name } = error instanceof Error ? error : { name: '' };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = byCode.find(([pattern]) => pattern.test(code) || pattern.test(name));
  return known?.[1] ?? (wasSent ? 'connection_closed' : 'connection_failed');
}
