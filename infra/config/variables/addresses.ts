import { baseUrl, boolean, optional, path, port, standard, text, url } from '../kinds.ts';

/**
 * Listening addresses of processes, and their URLs. `npm start` with every role uses free ports for all but `PORT` unless set, so
 * that two installations run on one machine; the defaults are for separately started processes.
 */
export const addresses = {
  HOST: standard(
    text,
    '127.0.0.1',
    'Listening address of the gateway. Other than loopback, browsers need https for the console, or a forwarded port.',
  ),
  INTERNAL_HOST: standard(
    text,
    '127.0.0.1',
    'Listening address of everything but the gateway. Other than loopback requires `FLEET_TLS`.',
  ),
  FLEET_TLS: optional(
    path,
    'A directory with `ca.crt`, `tls.crt` and `tls.key` for mutual TLS between the processes: write-api, read-api and nodes then require TLS 1.3 and a client certificate of that authority. Renewed files are loaded within 30 seconds.',
  ),
  ALLOW_PLAIN_INTERNAL: standard(
    boolean,
    'false',
    'Whether processes on different machines may connect without TLS: only in a private network.',
  ),
  PORT: standard(port, '8080', 'The gateway, the only port for clients.'),
  WRITE_PORT: standard(
    port,
    '8081',
    'write-api. Default of this and the following ports when `npm start` runs every role: any free port.',
  ),
  READ_PORT: standard(port, '8082', 'read-api.'),
  PROJECTOR_PORT: standard(port, '8083', 'Health and metrics of the projector.'),
  PROCESSES_PORT: standard(port, '8084', 'Health and metrics of the process managers.'),
  WORKER_PORT: standard(port, '8085', 'Health and metrics of the worker.'),
  NODE_PORT: standard(port, '8086', 'The browser node: the fleet protocol.'),
  NODE_HEALTH_PORT: standard(port, '8087', 'Health and metrics of the browser node.'),
  WRITE_URL: optional(
    baseUrl,
    'URL of write-api for the gateway and the node; default: `WRITE_PORT` on loopback.',
  ),
  READ_URL: optional(baseUrl, 'URL of read-api for the gateway; default: `READ_PORT` on loopback.'),
  BASE_URL: optional(
    baseUrl,
    "Public base URL of the service, as in `/openapi.json`; default: the gateway's own.",
  ),
  PROXY_CHECK_URL: optional(
    url('http', 'https'),
    'URL requested to check a saved proxy; default: a page of the service itself.',
  ),
  ERRORS_BASE: standard(baseUrl, 'https://errors.service.example', 'Base URL of problem types.'),
  DATA_DIR: standard(path, '.data', 'Embedded stores, generated secrets, logs and browser directories.'),
  TRUST_FORWARDED: standard(
    boolean,
    'false',
    'Whether the gateway trusts `X-Forwarded-For`: only behind a proxy of your own.',
  ),
} as const;
