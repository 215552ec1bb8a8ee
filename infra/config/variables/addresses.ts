import { boolean, optional, path, port, standard, text, url } from '../kinds.ts';

/**
 * Where processes listen and find each other. `npm start` with every role takes free ports where none but `PORT` is set, so
 * that two run on one machine; the defaults are for processes that are started apart.
 */
export const addresses = {
  HOST: standard(text, '127.0.0.1', 'The interface the gateway listens on.'),
  INTERNAL_HOST: standard(
    text,
    '127.0.0.1',
    'The interface that everything but the gateway listens on. Beyond loopback it takes `FLEET_TLS`.',
  ),
  FLEET_TLS: optional(
    path,
    'A directory with `ca.crt`, `tls.crt` and `tls.key`, by which the processes of the installation know each other: write-api, read-api and nodes then speak TLS 1.3, and serve none but processes that have a certificate of that authority. Renewed files are taken within 30 seconds.',
  ),
  ALLOW_PLAIN_INTERNAL: standard(
    boolean,
    'false',
    'Whether processes may talk to each other in clear beyond this machine: only in a network that nobody else is in.',
  ),
  PORT: standard(port, '8080', 'The gateway: the one address clients use.'),
  WRITE_PORT: standard(
    port,
    '8081',
    'write-api. This one and those below: any free one when unset and `npm start` runs every role.',
  ),
  READ_PORT: standard(port, '8082', 'read-api.'),
  PROJECTOR_PORT: standard(port, '8083', 'Health and metrics of the projector.'),
  PROCESSES_PORT: standard(port, '8084', 'Health and metrics of the process managers.'),
  WORKER_PORT: standard(port, '8085', 'Health and metrics of the worker.'),
  NODE_PORT: standard(port, '8086', 'The browser node: the fleet protocol.'),
  NODE_HEALTH_PORT: standard(port, '8087', 'Health and metrics of the browser node.'),
  WRITE_URL: optional(
    url('http', 'https'),
    'Where the gateway and the node find write-api; `WRITE_PORT` on loopback when unset.',
  ),
  READ_URL: optional(
    url('http', 'https'),
    'Where the gateway finds read-api; `READ_PORT` on loopback when unset.',
  ),
  BASE_URL: optional(
    url('http', 'https'),
    "The address clients know the service by, shown in `/openapi.json`; the gateway's own when unset.",
  ),
  PROXY_CHECK_URL: optional(
    url('http', 'https'),
    'What a saved proxy is tried with; a page of the service itself when unset.',
  ),
  ERRORS_BASE: standard(
    url('http', 'https'),
    'https://errors.service.example',
    'Problem types are addresses below this one.',
  ),
  DATA_DIR: standard(path, '.data', 'Embedded stores, generated secrets, logs and browser directories.'),
  TRUST_FORWARDED: standard(
    boolean,
    'false',
    'Whether the gateway believes `X-Forwarded-For`: only behind a proxy of your own.',
  ),
} as const;
