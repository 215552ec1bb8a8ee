import { pino, type DestinationStream, type Logger } from 'pino';
import { logFields } from '../tracing/index.ts';
import { secretsMask, withoutSensitiveFields } from './redact.ts';

export type { Logger } from 'pino';

export interface LoggerOptions {
  readonly level: string;
  /** Fields of every line, such as the role. */
  readonly base: Readonly<Record<string, unknown>>;
  /** Masked wherever they stand in a line, beside what has the form of a secret. */
  readonly secrets?: readonly string[];
  /** Standard output when absent. */
  readonly destination?: DestinationStream;
}

/**
 * JSON lines on standard output, each with its trace and request where tracing is on. Credentials and typed text are removed whatever
 * the caller passes in.
 */
export function createLogger({
  level,
  base,
  secrets = [],
  destination = pino.destination({ sync: true }),
}: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { ...base, pid: process.pid },
      mixin: () => ({ ...logFields() }),
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: withoutSensitiveFields },
      serializers: { err: describeError, error: describeError },
      hooks: { streamWrite: secretsMask(secrets) },
    },
    destination,
  );
}

/** An error's own words and its causes', without the fields libraries hang on errors (requests, headers, bodies). */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return {
    type: error.name,
    message: error.message,
    ...('code' in error ? { code: error.code } : {}),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
