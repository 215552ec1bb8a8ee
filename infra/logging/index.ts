import { pino, type DestinationStream, type Logger } from 'pino';
import { logFields } from '../tracing/index.ts';
import { secretsMask, withoutSensitiveFields } from './redact.ts';
import { standardOutput } from './standard-output.ts';

export type { Logger } from 'pino';

export interface LoggerOptions {
  readonly level: string;
  /** Fields of every line, such as the role. */
  readonly base: Readonly<Record<string, unknown>>;
  /** Masked anywhere in a line, in addition to texts with the format of a secret. */
  readonly secrets?: readonly string[];
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

/**
 * JSON lines on standard output, each with its trace and request if tracing is on. Credentials and typed text are always removed.
 */
export function createLogger({
  level,
  base,
  secrets = [],
  destination = standardOutput(),
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

/** A logger that writes nothing. */
export const silentLogger = (): Logger => createLogger({ level: 'silent', base: {} });

/** The messages of an error and its causes, without fields that libraries add (requests, headers, bodies). */
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
