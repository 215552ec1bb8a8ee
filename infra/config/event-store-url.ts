import { secretUrl, type Kind } from './kinds.ts';

/** The options that the client knows. For an unknown one it prints the whole address, with the password. */
const options = [
  ...[
    'tls',
    'tlsCAFile',
    'userCertFile',
    'userKeyFile',
    'connectionName',
    'nodePreference',
    'defaultDeadline',
  ],
  ...['maxDiscoverAttempts', 'discoveryInterval', 'gossipTimeout', 'keepAliveInterval', 'keepAliveTimeout'],
  'throwOnAppendFailure',
] as const;

/** A name in the form in which the client compares names. */
const plain = (name: string): string => name.trim().toLowerCase().replace(/[_-]/g, '');
const known = new Set(options.map(plain));

const address = secretUrl('esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover');

/** A connection string for the client of the event store. With several hosts it is not a valid URL. */
export const eventStoreUrl: Kind<string> = {
  ...address,
  takes: `${address.takes}, hosts by name or IPv4 address, and options of ${options.map((name) => `\`${name}\``).join(', ')}`,
  parse: (text) => (isReadable(text) ? text : undefined),
};

/** The client cuts a password at a colon, takes the text after an `@` for the host, and knows no IPv6 addresses. */
function isReadable(text: string): boolean {
  const found = /^(?:esdb|kurrentdb)(?:\+discover)?:\/\/([^:@]+:[^:@]+@)?[^@?[\]]+(?:\?([^@]+))?$/.exec(text);
  try {
    decodeURIComponent(found?.[1] ?? '');
  } catch {
    return false;
  }
  return found !== null && (found[2] ?? '').split('&').every(isOption);
}

const isOption = (option: string): boolean =>
  option === '' || (/^[^=]+=./.test(option) && known.has(plain(option.replace(/=.*$/, ''))));
