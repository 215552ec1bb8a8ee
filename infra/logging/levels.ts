/** From the most to the least verbose. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LogLevel = (typeof logLevels)[number];

export const isLogLevel = (value: unknown): value is LogLevel => logLevels.some((level) => level === value);
