import type { Kind } from './kinds.ts';

export interface Variable<T> {
  readonly kind: Kind<T>;
  /** As it would be written in the environment. Absent: the variable may stay unset. */
  readonly default?: string;
  /** Completes a row of `docs/configuration.md`. */
  readonly description: string;
}

export interface VariableWithDefault<T> extends Variable<T> {
  readonly default: string;
}

export const standard = <T>(kind: Kind<T>, value: string, description: string): VariableWithDefault<T> => ({
  kind,
  default: value,
  description,
});

export const optional = <T>(kind: Kind<T>, description: string): Variable<T> => ({ kind, description });
