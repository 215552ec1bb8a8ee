import type { Config } from '../../config/index.ts';

/** The public base URL, without a final slash; default: the gateway on this machine. */
export const publicUrl = ({ BASE_URL, PORT }: Config): string => BASE_URL ?? `http://localhost:${PORT}`;

/** WebSocket URL of video by nodes. */
export const liveViewUrl = (config: Parameters<typeof publicUrl>[0]): string =>
  `${publicUrl(config).replace(/^http/, 'ws')}/video`;
