import { consoleLinks, type ConsoleLink } from '../../../commands/mail/index.ts';
import type { Config } from '../../config/index.ts';

/** The address clients know the service by; the gateway on this machine when none is set. */
export const publicUrl = ({ BASE_URL, PORT }: Config): string =>
  (BASE_URL ?? `http://localhost:${PORT}`).replace(/\/+$/, '');

/** Makes the links into the console that mails hold. */
export const openConsoleLinks = (config: Config): ConsoleLink =>
  consoleLinks(config.CONSOLE_URL ?? `${publicUrl(config)}/console`);
