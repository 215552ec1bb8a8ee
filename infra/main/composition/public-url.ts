import type { Config } from '../../config/index.ts';

/** The address clients know the service by; the gateway on this machine when none is set. */
export const publicUrl = ({ BASE_URL, PORT }: Config): string =>
  (BASE_URL ?? `http://localhost:${PORT}`).replace(/\/+$/, '');

/** Where people watch the browsers of nodes that show them themselves. */
export const liveViewUrl = (config: Parameters<typeof publicUrl>[0]): string =>
  `${publicUrl(config).replace(/^http/, 'ws')}/video`;
