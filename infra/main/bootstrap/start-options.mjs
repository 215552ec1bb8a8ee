import { parseArgs } from 'node:util';

const options = { roles: { type: 'string' }, 'without-first-account': { type: 'boolean', default: false } };

/** The arguments of `npm start` cannot be understood; the message is one line. */
export class WrongArguments extends Error {
  name = 'WrongArguments';
}

/**
 * Options of the supervisor. `roles`: names as given, perhaps of no role; undefined for all roles. Plain JavaScript, because it runs before
 * any package is installed. Throws `WrongArguments`.
 */
export function startOptions(args) {
  const { roles, 'without-first-account': withoutFirstAccount } = parsed(args);
  return { roles: roles?.split(',').map((name) => name.trim()), withoutFirstAccount };
}

function parsed(args) {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    const complaint = error.message.replaceAll(/\s*\n\s*/g, ' ').replace(/\.$/, '');
    throw new WrongArguments(`${complaint}. The options are --roles <names> and --without-first-account.`, {
      cause: error,
    });
  }
}
