import { v7 } from 'uuid';

const acceptable = /^[A-Za-z0-9_-]{8,128}$/;

/** A caller's own `X-Request-Id` when it is harmless in headers, logs and stored metadata; else a new one. */
export const requestIdFrom = (header: string | string[] | undefined): string =>
  typeof header === 'string' && acceptable.test(header) ? header : `req_${v7()}`;
