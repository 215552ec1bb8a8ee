import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import type { SecretName } from '../../contracts/secret-forms.ts';
import { toId } from '../../contracts/ids.ts';
import { issueUserCode, newDeviceCode } from '../keys/device-codes.ts';
import { issueApiKey, onlyPepper } from '../keys/index.ts';
import { newRecoveryCodes, newTotpSecret } from '../keys/one-time-codes.ts';
import { createOneTimeTokens } from '../keys/one-time-tokens.ts';
import { refreshToken } from '../keys/refresh-token.ts';
import { unsubscribeToken } from '../keys/unsubscribe-tokens.ts';
import { createAccessTokens } from '../credentials/access-tokens.ts';
import { newWebhookSecret } from '../webhooks/signature.ts';
import { createLogger } from './index.ts';

const uuid = '0197f1a0-0000-7000-8000-000000000001';
const pepper = 'p'.repeat(32);

/** One secret of each format, made by its own function; foreign ones are literals. A type error if one is missing. */
const makers: Record<SecretName, () => string | Promise<string>> = {
  apiKey: () => issueApiKey().text,
  refreshToken: () => refreshToken({ webSessionId: toId('webSession', uuid), generation: 7 }, 'seed'),
  deviceCode: () => newDeviceCode(uuid),
  oneTimeToken: () =>
    createOneTimeTokens(onlyPepper(pepper)).textOf({ purpose: 'invitation', subject: uuid, nonce: uuid }),
  webhookSecret: newWebhookSecret,
  modelKey: () => 'sk-ant-api03-Qm9va3MtYW5k_LXBlbmNpbHM',
  cardKey: () => 'sk_live_51H8xYz0AbCdEfGhIjKlMnOp',
  accessToken: () => accessToken(),
  unsubscribeToken: () =>
    unsubscribeToken({ accountId: toId('account', uuid), kind: 'signup-welcome' }, onlyPepper(pepper)),
  totpSecret: newTotpSecret,
  recoveryCode: () => String(newRecoveryCodes()[0]),
  userCode: () => issueUserCode(pepper).userCode,
};

function accessToken(): Promise<string> {
  const secret = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
  const all = () => Promise.resolve([{ id: 'one', secret, createdAt: new Date(), supersededMs: null }]);
  const clock = { now: () => new Date() };
  const tokens = createAccessTokens({ keys: { findOrCreate: all, all }, clock, accessMs: 60_000 });
  return tokens.access({ accountId: toId('account', uuid), webSessionId: toId('webSession', uuid) });
}

function logged(
  write: (log: ReturnType<typeof createLogger>) => void,
  secrets: readonly string[] = [],
): {
  line: string;
  fields: Record<string, unknown>;
} {
  let line = '';
  const logger = createLogger({
    level: 'info',
    base: { role: 'test' },
    secrets,
    destination: { write: (text) => (line += text) },
  });
  write(logger);
  const fields: unknown = JSON.parse(line);
  return { line, fields: fields as Record<string, unknown> };
}

describe('a log line', () => {
  it('is JSON with time, level, role and message', () => {
    const { fields } = logged((log) => log.info({ route: 'sessions.create' }, 'admitted'));
    expect(fields).to.include({ level: 'info', role: 'test', route: 'sessions.create', msg: 'admitted' });
    expect(fields.time).to.match(/^\d{4}-.*Z$/);
  });

  it('holds no credential and no typed text, however deep', () => {
    const { line } = logged((log) =>
      log.info({
        request: { headers: { authorization: 'canary-1', 'set-cookie': ['canary-2'] } },
        body: { action: { kind: 'type', text: 'canary-3' }, fields: { password: 'canary-4' } },
        items: [{ api_key: 'canary-5' }],
      }),
    );
    expect(line).not.to.contain('canary');
    expect(line).to.contain('"kind":"type"');
  });

  it('masks keys and passwords inside messages', () => {
    const key = `svc_live_${'a'.repeat(60)}`;
    const { line } = logged((log) =>
      log.warn(`${key} at postgres://u:canary@host/db with Bearer canary.token`),
    );
    expect(line).not.to.contain('canary').and.not.to.contain(key);
    expect(line).to.contain('svc_live_aaaa[redacted]');
  });

  for (const [name, make] of Object.entries(makers)) {
    it(`masks ${name} wherever it stands`, async () => {
      const secret = await make();
      const ways = [secret, `"${secret}"`, `/v1/x?token=${secret}&y`, `Error: ${secret}: no`, `(${secret})`];
      const { line } = logged((log) => log.error({ err: new Error(ways.join(' ')), url: ways[2] }, ways[0]));
      // A key's marker and four characters may be logged, of a code nothing: twenty-one consecutive ones are more than either.
      const parts = Array.from({ length: Math.max(1, secret.length - 20) }, (_, at) =>
        secret.slice(at, at + 21),
      );
      for (const part of parts) expect(line).not.to.contain(part);
      expect(line).to.contain('[redacted]');
    });
  }

  it('holds no configured secret, whatever its form', () => {
    const secrets = ['one two "three"', 'one two "three" four', 'node-credential'];
    const { line, fields } = logged(
      (log) => log.info({ note: secrets[1] }, `used ${secrets[0]}, ${secrets[2]}`),
      secrets,
    );
    expect(line).not.to.match(/one|node/);
    expect(fields).to.include({ note: '[redacted]', msg: 'used [redacted], [redacted]' });
  });

  it('shows what only looks like a secret', () => {
    const plain = [
      ...[uuid, '2026-01-05T12:00:00.000Z', 'infra/main/cli', 'write-api.session-ended', 'session-deadline'],
      ...[
        issueApiKey().prefix,
        'BASE-ADDR',
        'e'.repeat(64),
        'EVENTSTORE_URL',
        'acc_0197f1a0-0000-7000-8000-1',
      ],
    ];
    const { fields } = logged((log) => log.info({ plain }, plain.join(' ')));
    expect(fields).to.deep.include({ plain, msg: plain.join(' ') });
  });

  it('holds no field whose name ends as one of a credential does', () => {
    const names = [
      'refresh_token',
      'accessToken',
      'mfa_token',
      'new_password',
      'clientSecret',
      'api_key',
      'recovery_codes',
    ];
    const { line } = logged((log) => log.info(Object.fromEntries(names.map((name) => [name, 'canary']))));
    expect(line).not.to.contain('canary');
  });

  it('logs an error and its cause without the fields that libraries attach', () => {
    const error = Object.assign(new Error('refused', { cause: new Error('reset') }), {
      config: { body: 'canary' },
    });
    const { line } = logged((log) => log.error({ err: error }, 'failed'));
    expect(line).to.contain('refused').and.to.contain('reset').and.not.to.contain('canary');
  });

  it('writes positions of the log, which JSON has no number for', () => {
    expect(logged((log) => log.info({ position: { commit: 5n } })).fields.position).to.deep.equal({
      commit: '5',
    });
  });
});
