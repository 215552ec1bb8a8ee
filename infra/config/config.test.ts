import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { authorizationServerAt } from '../../contracts/resources/device-grant.ts';
import { tempDir } from '../verification/testbed/index.ts';
import {
  ConfigError,
  configurationPage,
  configuredSecrets,
  describeConfig,
  loadConfig,
  loadConfigWithFiles,
  need,
  takeSecretFiles,
} from './index.ts';

const complaint = (environment: Record<string, string>): string => {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('nothing was wrong');
};

describe('the configuration', () => {
  it('has the contract’s values as defaults', () => {
    const config = loadConfig({});
    expect(config.FREE_SESSION_LIMIT).to.equal(20 * 60_000);
    expect(config.KEY_GRACE).to.equal(24 * 3_600_000);
    expect(config.PORT).to.equal(8080);
    expect(config.OUTBOUND_ALLOW).to.deep.equal([]);
    expect(config.EVENTSTORE_URL).to.equal(undefined);
  });

  for (const [given, expected] of [
    ['250ms', 250],
    ['30s', 30_000],
    ['20m', 1_200_000],
    ['24h', 86_400_000],
    ['30d', 2_592_000_000],
  ] as const)
    it(`reads ${given} as ${expected} ms`, () => {
      expect(loadConfig({ KEY_GRACE: given }).KEY_GRACE).to.equal(expected);
    });

  it('refuses a pause that a process would not wait for, or never stop repeating', () => {
    for (const [name, given] of [
      ['DRAIN_LIMIT', '30d'],
      ['SHUTDOWN_LIMIT', '25d'],
      ['STATUS_PROBE_INTERVAL', '600h'],
      ['AUDIT_HEAD_INTERVAL', '0s'],
      ['SWEEP_INTERVAL', '5ms'],
    ] as const)
      expect(complaint({ [name]: given })).to.match(new RegExp(`${name} got "${given}"\\. .* to \`24d\`\\.`));
    expect(loadConfig({ DRAIN_LIMIT: '24d' }).DRAIN_LIMIT).to.equal(24 * 86_400_000);
  });

  it('refuses a default timeout of operations that no request may ask for', () => {
    for (const given of ['0s', '121s', '5m'])
      expect(complaint({ OPERATION_TIMEOUT: given })).to.contain('from `1ms` to `120s`');
    expect(loadConfig({ OPERATION_TIMEOUT: '2m' }).OPERATION_TIMEOUT).to.equal(120_000);
  });

  it('names every wrong variable at once, what it got and what it takes', () => {
    const message = complaint({
      PORT: '80800',
      KEY_GRACE: '24',
      DRIVER: 'chromium',
      OUTBOUND_ALLOW: 'localhost',
    });
    expect(message).to.contain('PORT got "80800". It takes a TCP port from 0 to 65535');
    expect(message).to.contain('KEY_GRACE got "24". It takes a duration with its unit');
    expect(message).to.contain('DRIVER got "chromium". It takes `webkit` or `simulated`.');
    expect(message).to.contain('OUTBOUND_ALLOW got "localhost". It takes address ranges');
  });

  it('refuses addresses that clients would read otherwise, such as those with a bare # or / in a password', () => {
    for (const [name, address] of [
      ['POSTGRES_URL', 'postgres://service:pa#ss@postgres/service'],
      ['POSTGRES_URL', 'postgres://service:pa/ss@postgres/service'],
      ['QUEUE_URL', 'redis://:pa/ss@redis:6379'],
      ['SMTP_URL', 'smtps://service:pa#ss@mail.example'],
      ['EVENTSTORE_URL', 'esdb://admin:pa:ss@store:2113?tls=true'],
      ['EVENTSTORE_URL', 'esdb+discover://admin:pa@ss@store:2113'],
      ['EVENTSTORE_URL', 'kurrentdb://admin@store:2113'],
      ['EVENTSTORE_URL', 'esdb://admin:100%@store:2113'],
      ['EVENTSTORE_URL', 'esdb://'],
      ['EVENTSTORE_URL', 'esdb://admin:word@[::1]:2113'],
      ['EVENTSTORE_URL', 'esdb://admin:word@store?tls=true&timeout=5'],
      ['EVENTSTORE_URL', 'esdb://admin:word@store?tlsVerifyCert=false'],
      ['EVENTSTORE_URL', 'esdb://admin:word@store?tls'],
      ['BASE_URL', 'https://'],
      ['WRITE_URL', 'https://api 1:8081'],
    ] as const)
      expect(complaint({ [name]: address, MAIL_FROM: 'a@b.example' }), address).to.contain(`${name} got`);
    for (const [name, address] of [
      ['POSTGRES_URL', 'postgres://service:pa%23ss%2F:@p@postgres/service?sslmode=verify-full'],
      ['POSTGRES_URL', 'postgres://service:word@/service?host=/run/postgresql'],
      ['POSTGRES_URL', 'postgres:///service'],
      ['EVENTSTORE_URL', 'esdb+discover://u:p@a.example:2113,b.example:2113?tls=true'],
      ['EVENTSTORE_URL', 'kurrentdb://admin:pa%3Ass%40%25/#?@store?tls=false'],
      [
        'EVENTSTORE_URL',
        'esdb://10.0.0.2:2113,10.0.0.1/?TLS=true&connectionName=a:b&keep_alive_interval=20000',
      ],
      ['QUEUE_URL', 'rediss://:word@[fd00::1]:6379/1'],
      ['BLOB_URL', 's3://states/profiles?endpoint=http://object-store:7070'],
    ] as const)
      expect(loadConfig({ [name]: address })[name]).to.equal(address);
  });

  it('never shows a secret, not even a wrong one', () => {
    expect(complaint({ MASTER_KEY: 'hunter2' })).not.to.contain('hunter2');
    const shown = JSON.stringify(
      describeConfig({ KEY_PEPPER: 'p'.repeat(40), POSTGRES_URL: 'postgres://u:pw@h/d' }),
    );
    expect(shown).not.to.contain('ppp');
    expect(shown).not.to.contain('pw@');
  });

  it('lists its secrets for the log to mask: parts of lists, passwords of addresses, nothing short and nothing open', () => {
    const environment = {
      ...{ CURSOR_KEY: 'first-key, second-key', KEY_PEPPER: 'short', LOG_LEVEL: 'information' },
      POSTGRES_URL: 'postgres://user:pass%20phrase@host/database',
      EVENTSTORE_URL: 'esdb://user:100%sure%@host',
    };
    const cluster = { EVENTSTORE_URL: 'esdb://user:of%3Acluster@a.example:2113,b.example:2113?tls=true' };
    expect(configuredSecrets(cluster)).to.have.members(['of%3Acluster', 'of:cluster']);
    expect(configuredSecrets(environment)).to.have.members([
      ...['first-key, second-key', 'first-key', 'second-key'],
      ...['pass%20phrase', 'pass phrase', '100%sure%'],
    ]);
  });

  it('takes one key or several, the first for what is new', () => {
    const [one, other] = ['1'.repeat(43), '2'.repeat(43)];
    const key = (fill: number) => Buffer.alloc(32, fill).toString('base64');
    expect(loadConfig({ CURSOR_KEY: one }).CURSOR_KEY).to.deep.equal([one]);
    expect(loadConfig({ CURSOR_KEY: `${one}, ${other}` }).CURSOR_KEY).to.deep.equal([one, other]);
    const withComma = `${one},short`;
    expect(loadConfig({ CURSOR_KEY: withComma }).CURSOR_KEY).to.deep.equal([withComma]);
    expect(loadConfig({ MASTER_KEY: key(1) }).MASTER_KEY).to.deep.equal([Buffer.alloc(32, 1)]);
    expect(loadConfig({ MASTER_KEY: `${key(1)},${key(2)}` }).MASTER_KEY).to.have.lengthOf(2);
    expect(complaint({ MASTER_KEY: `${key(1)},AAAA` })).to.contain(
      'MASTER_KEY got a value that is not shown.',
    );
  });

  it('reads base URLs without their final slashes, as paths are appended to them', () => {
    for (const name of [
      ...(['BASE_URL', 'CONSOLE_URL', 'LLM_BASE_URL', 'CRYPTO_API_URL'] as const),
      ...(['READ_URL', 'WRITE_URL', 'NODE_URL', 'ERRORS_BASE'] as const),
    ])
      expect(loadConfig({ [name]: 'https://x.example/a//' })[name], name).to.equal('https://x.example/a');
    const peers = loadConfig({ READY_PEERS: 'http://a:1/, http://b:2' }).READY_PEERS;
    expect(peers).to.deep.equal(['http://a:1', 'http://b:2']);
    const { token_endpoint } = authorizationServerAt(
      need(loadConfig({ BASE_URL: 'https://x/' }), 'BASE_URL'),
    );
    expect(token_endpoint).to.equal('https://x/v1/oauth/token');
  });

  it('takes an empty value as not set', () => {
    expect(loadConfig({ PORT: '' }).PORT).to.equal(8080);
  });

  it('says which variable a role cannot do without', () => {
    expect(() => need(loadConfig({}), 'POSTGRES_URL')).to.throw(
      ConfigError,
      'POSTGRES_URL is not set. It takes',
    );
    expect(need(loadConfig({ POSTGRES_URL: 'postgres://h/d' }), 'POSTGRES_URL')).to.equal('postgres://h/d');
  });

  it('is described in docs/configuration.md as it is', () => {
    const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
    expect(page, 'run `npm run docs`').to.equal(configurationPage());
  });
});

describe('a secret that is given by a file', () => {
  const directory = tempDir('secrets');
  const file = (name: string, text: string) => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };
  const taken = (environment: Record<string, string | undefined>) => {
    takeSecretFiles(environment);
    return environment;
  };

  it('is what the file holds, without the end of its last line', () => {
    const pepper = 'p'.repeat(40);
    const url = 'postgres://service:word@db/service';
    const environment = taken({
      KEY_PEPPER_FILE: file('pepper', `${pepper}\n`),
      POSTGRES_URL_FILE: file('postgres', url),
      PORT_FILE: '/nothing/of/ours',
      HOME: '/root',
    });
    expect(environment).to.deep.equal({
      ...{ KEY_PEPPER: pepper, POSTGRES_URL: url },
      ...{ PORT_FILE: '/nothing/of/ours', HOME: '/root' },
    });
    expect(configuredSecrets(environment)).to.include(pepper);
  });

  it('is read for the configuration, and stays out of the variables', () => {
    const given = { METRICS_TOKEN_FILE: file('metrics', `${'t'.repeat(32)}\n`) };
    expect(loadConfigWithFiles(given).METRICS_TOKEN).to.equal('t'.repeat(32));
    expect(given).to.have.all.keys('METRICS_TOKEN_FILE');
  });

  it('is refused when it is empty, missing, or given twice, and never shown', () => {
    const refused = () =>
      taken({
        MASTER_KEY_FILE: file('empty', '\n'),
        KEY_PEPPER_FILE: join(directory, 'missing'),
        METRICS_TOKEN: 'hidden-token-of-the-environment',
        METRICS_TOKEN_FILE: file('token', 'hidden-token-of-the-file'),
      });
    expect(refused).to.throw(ConfigError, /MASTER_KEY_FILE is .*empty/);
    expect(refused).to.throw(/KEY_PEPPER_FILE is .*ENOENT/);
    expect(refused).to.throw(/METRICS_TOKEN and METRICS_TOKEN_FILE are both set/);
    expect(refused).not.to.throw(/hidden/);
  });
});
