import { secretUrl, type Kind } from './kinds.ts';

/** What the client understands. It prints the whole address, with its password, where an option is another. */
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

/** As the client compares names. */
const plain = (name: string): string => name.trim().toLowerCase().replace(/[_-]/g, '');
const known = new Set(options.map(plain));

const address = secretUrl('esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover');

/** An address for the client of the event store, which several hosts make no URL. */
export const eventStoreUrl: Kind<string> = {
  ...address,
  takes: `${address.takes}, hosts by name or IPv4 address, and options of ${options.map((name) => `\`${name}\``).join(', ')}`,
  parse: (text) => (isReadable(text) ? text : undefined),
};

/** The client cuts a password at a colon, takes what follows an `@` for the host, and knows no IPv6 address. */
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
