import { Argument } from 'commander';
import { newPrivateKey, signedUntilMs } from '../../credentials/access-tokens.ts';
import { countUnreadable, countWrapped, keyHolders, namingKey, rewrap } from '../../vault/index.ts';
import { heldKeys, masterKeysOf } from '../composition/secrets.ts';
import { openNoteKeys, openSigningKeys } from '../composition/stores.ts';
import { retireSecrets, rotateSecret, type ListedSecret } from '../supervisor/secrets.ts';
import type { ServiceCommand } from './command.ts';
import type { Operator } from './operator.ts';
import { headedTable, line, section, type Answer, type Json } from './output.ts';

const variables = {
  master: 'MASTER_KEY',
  pepper: 'KEY_PEPPER',
  cursor: 'CURSOR_KEY',
} as const satisfies Record<string, ListedSecret>;
type ListedName = keyof typeof variables;
const listed = Object.keys(variables) as ListedName[];

/** `service secrets …` */
export function secretCommands(program: ServiceCommand): void {
  const group = program.command('secrets').description('the keys of the service and their rotation');
  group
    .command('status')
    .description(
      'list every key by name: its place in its list, what it wraps, and the number of processes that have it',
    )
    .operates('object', status);
  group
    .command('check')
    .description(
      'check that the secrets of this environment are those of this installation, before processes are started with them',
    )
    .operates('object', check);
  group
    .command('rotate')
    .description('create a new key, which is used from now on; the older ones are still accepted')
    .addArgument(new Argument('<secret>').choices([...listed, 'signing', 'audit']))
    .option(
      '--at-once',
      'with signing: invalidate access tokens signed by earlier keys, so that every client has to refresh its token',
    )
    .operates('object', rotate);
  group
    .command('rewrap')
    .description(
      'wrap with the first master key every key that another one wraps; can be interrupted and repeated while the service runs',
    )
    .operates('object', rewrapAll);
  group
    .command('retire')
    .description('remove all keys except the first from the list in DATA_DIR')
    .addArgument(new Argument('<secret>').choices(listed))
    .operates('object', retire);
}

async function status({ config, pool }: Operator): Promise<Answer> {
  const keys = await listedKeys(config, pool);
  const signing = (await openSigningKeys(config, pool).all()).map(({ id, supersededMs }) => ({
    key: id,
    signs: supersededMs === null,
    good_for_seconds: supersededMs === null ? null : secondsLeft(config.ACCESS_TTL, supersededMs),
  }));
  const audit = (await openNoteKeys(config, pool).list()).map(({ vkey, from, until }) => ({
    vkey,
    from,
    until,
  }));
  const lines = [
    ...headedTable(keys, {
      ...{ secret: 'secret', key: 'key' },
      place: ({ place }) => place ?? 'not here',
      wraps: ({ data_keys, signing_keys }) =>
        data_keys === undefined ? '' : `${data_keys} data, ${signing_keys} signing`,
      ...{ processes: 'processes', 'first in': 'first_in' },
      '': ({ names_addresses }) => (names_addresses === true ? 'stream names derive from it: keep it' : ''),
    }),
    ...section(signing, {
      'signing key': 'key',
      state: ({ signs, good_for_seconds: left }) =>
        signs ? 'signs' : left === 0 ? 'ended' : `valid for ${left} s`,
    }),
    ...section(audit, { 'audit key': 'vkey', from: 'from', until: ({ until }) => until ?? 'signs' }),
  ];
  return { value: { keys, signing_keys: signing, audit_keys: audit }, lines };
}

/** The pepper of addresses' names is checked when the stores are opened. */
async function check({ config, pool }: Operator): Promise<Answer> {
  const unreadable = await countUnreadable(pool, masterKeysOf(config));
  const lines = unreadable.map(
    ({ masterKey, dataKeys, signingKeys }) =>
      `MASTER_KEY lacks ${masterKey}, which wraps ${dataKeys} data and ${signingKeys} signing keys.`,
  );
  const isWell = unreadable.length === 0;
  return {
    value: { lacking: unreadable.map(({ masterKey }) => masterKey) },
    lines: isWell ? ['The secrets are those of this installation.'] : lines,
    failed: !isWell,
  };
}

type Wrapped = Awaited<ReturnType<typeof countWrapped>>;

/** Every key held by a process, or in use for stored data. */
async function listedKeys(config: Operator['config'], pool: Operator['pool']) {
  const [wrapped, holders, naming] = await Promise.all([
    countWrapped(pool),
    keyHolders(pool),
    namingKey(pool),
  ]);
  const own = heldKeys(config);
  return Object.values(variables).flatMap((variable) => {
    const held = holders.map(({ keys }) => keys[variable] ?? []);
    const wrapping = variable === 'MASTER_KEY' ? wrapped.map(({ masterKey }) => masterKey) : [];
    return [...new Set([...own[variable], ...held.flat(), ...wrapping])].map((name) => ({
      secret: variable,
      key: name,
      place: own[variable].includes(name) ? own[variable].indexOf(name) + 1 : null,
      ...(variable === 'MASTER_KEY' && wrappedBy(wrapped, name)),
      ...(name === naming && { names_addresses: true }),
      processes: held.filter((names) => names.includes(name)).length,
      first_in: held.filter(([first]) => first === name).length,
    }));
  });
}

function wrappedBy(wrapped: Wrapped, name: string) {
  const found = wrapped.find(({ masterKey }) => masterKey === name);
  return { data_keys: found?.dataKeys ?? 0, signing_keys: found?.signingKeys ?? 0 };
}

const secondsLeft = (accessMs: number, supersededMs: number): number =>
  Math.max(0, Math.ceil((signedUntilMs(accessMs) - supersededMs) / 1000));

const restart = 'Restart the service: its processes still use the keys that they were started with.';

async function rotate(
  operator: Operator,
  name: ListedName | 'signing' | 'audit',
  { atOnce = false }: { readonly atOnce?: boolean },
): Promise<Answer> {
  if (name === 'signing') return rotateSigning(operator, atOnce);
  if (atOnce) throw new Error(`--at-once is only for signing; ${name} was not rotated.`);
  if (name === 'audit') return rotateAudit(operator);
  const { config } = operator;
  const variable = variables[name];
  assertKept(variable);
  await rotateSecret(config.DATA_DIR, variable);
  return {
    value: { secret: name, variable, restart: true },
    lines: [
      `${variable} in ${config.DATA_DIR}/secrets.json now begins with a new key. ${restart}`,
      ...nextSteps[name],
    ],
  };
}

async function rotateSigning({ config, pool }: Operator, atOnce: boolean): Promise<Answer> {
  const keys = openSigningKeys(config, pool);
  const key = await keys.add(newPrivateKey());
  const dropped = await keys.drop(atOnce ? 0 : signedUntilMs(config.ACCESS_TTL));
  const until = atOnce ? 'within a minute' : `in ${secondsLeft(config.ACCESS_TTL, 0)} s`;
  return {
    value: { secret: 'signing', key, dropped },
    lines: [
      `${key} signs within a minute; no restart is needed. What the key before it signed becomes invalid ${until}.`,
    ],
  };
}

async function rotateAudit({ config, pool }: Operator): Promise<Answer> {
  const { vkey, introduction } = await openNoteKeys(config, pool).rotate();
  return {
    value: { secret: 'audit', vkey, introduction },
    lines: [
      `${vkey} signs from now on. A note of the key before introduces it; what that key signed stays valid.`,
    ],
  };
}

const nextSteps: Readonly<Record<ListedName, readonly string[]>> = {
  master: ['Then run `secrets rewrap` and `secrets retire master`, and restart again.'],
  pepper: [
    'Once the links in earlier mails no longer have to work, run `secrets retire pepper` and restart again.',
  ],
  cursor: ['Once no client uses an older cursor, run `secrets retire cursor` and restart again.'],
};

/** A variable set in the shell overrides `DATA_DIR`, here and in a service started from that shell. */
function assertKept(variable: ListedSecret): void {
  if (process.env[variable])
    throw new Error(
      `${variable} is set in the environment. Change it there: put the new key first, with a comma between the keys.`,
    );
}

async function rewrapAll({ config, pool }: Operator, { json }: Json): Promise<Answer> {
  const masterKeys = masterKeysOf(config);
  const [first] = masterKeys.names;
  const lacking = (await keyHolders(pool)).filter(({ keys }) => !keys.MASTER_KEY?.includes(first));
  if (lacking.length > 0)
    throw new Error(
      `These processes lack ${first}, and could not open what it wraps: ${processNames(lacking)}. Restart them with it in MASTER_KEY.`,
    );
  const onProgress = (count: number): void => {
    if (!json && process.stdout.isTTY) line(`${count} rewrapped`);
  };
  const { rewrapped, unreadable } = await rewrap({ pool, masterKeys, onProgress });
  const left = await wrappedByOthers(pool, first);
  const value = { master_key: first, rewrapped, unreadable, left };
  const lines = [
    `${rewrapped} keys were wrapped with ${first}; ${left} are still wrapped with another master key.`,
  ];
  if (unreadable > 0)
    lines.push(`${unreadable} keys cannot be unwrapped: their master key is not in MASTER_KEY.`);
  if (left === 0) lines.push('The other master keys can be removed once every process has this one first.');
  return { value, lines, failed: left > 0 };
}

async function retire({ config, pool }: Operator, name: ListedName): Promise<Answer> {
  const variable = variables[name];
  assertKept(variable);
  const [first = ''] = heldKeys(config)[variable];
  const behind = (await keyHolders(pool)).filter(({ keys }) => keys[variable]?.[0] !== first);
  if (behind.length > 0)
    throw new Error(`These processes do not use ${first} yet: ${processNames(behind)}. Restart them.`);
  const left = name === 'master' ? await wrappedByOthers(pool, first) : 0;
  if (left > 0)
    throw new Error(`${left} keys are wrapped with another master key. Run \`secrets rewrap\` first.`);
  await retireSecrets(config.DATA_DIR, variable);
  return {
    value: { secret: name, variable, key: first, restart: true },
    lines: [`${variable} in ${config.DATA_DIR}/secrets.json now has only ${first}. ${restart}`],
  };
}

const processNames = (holders: readonly { readonly process: string }[]): string =>
  holders.map((holder) => holder.process).join(', ');

async function wrappedByOthers(pool: Operator['pool'], first: string): Promise<number> {
  const others = (await countWrapped(pool)).filter(({ masterKey }) => masterKey !== first);
  return others.reduce((sum, { dataKeys, signingKeys }) => sum + dataKeys + signingKeys, 0);
}
