/** The arguments of `npm start` cannot be understood; the message is one line. */
export class WrongArguments extends Error {}

export interface StartOptions {
  /** Names as given, perhaps of no role; undefined for all roles. */
  readonly roles: readonly string[] | undefined;
  readonly withoutFirstAccount: boolean;
}

/** Options of the supervisor. Throws `WrongArguments`. */
export function startOptions(args: readonly string[]): StartOptions;
