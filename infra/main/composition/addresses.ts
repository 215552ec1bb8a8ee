import type { Config } from '../../config/index.ts';

/** Where the other roles are: given, or on this machine at their own ports. */
export const writeUrl = ({ WRITE_URL, WRITE_PORT }: Config) => WRITE_URL ?? `http://127.0.0.1:${WRITE_PORT}`;
export const readUrl = ({ READ_URL, READ_PORT }: Config) => READ_URL ?? `http://127.0.0.1:${READ_PORT}`;
