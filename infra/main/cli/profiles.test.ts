import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect } from 'chai';
import type { ProfileEvent } from '../../../contracts/events/profile.ts';
import { toId, uuidOf, type ProfileId } from '../../../contracts/ids.ts';
import { events, savedState } from '../../../domain/profile/testing.ts';
import { events as sessionEvents } from '../../../domain/session/testing.ts';
import { anAccount, by, startReadSide, type ReadSide } from '../../../projections/testing/index.ts';
import { startS3 } from '../../verification/testbed/index.ts';
import { runService } from '../../verification/testbed/service.ts';
import { operatorOf } from './testing.ts';

type Output = Readonly<Record<string, unknown>>;

const accountId = anAccount();
const nodeId = toId('node', randomUUID());
const on = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
const leaseExpiresAt = '2026-01-09T00:05:00.000Z';
const state = savedState(1, 1234);

describe('the operator’s commands on profiles', () => {
  // The first command may have to bundle the sources.
  let side: ReadSide;
  let environment: ReturnType<typeof operatorOf>;
  const aProfile = () => toId('profile', randomUUID());
  const [saved, saving, failed] = [aProfile(), aProfile(), aProfile()];
  const aSession = () => toId('session', randomUUID());
  const [first, second, third] = [aSession(), aSession(), aSession()];

  const record = (profileId: ProfileId, name: string, ...more: ProfileEvent[]) =>
    side.append(
      `profile-${uuidOf(profileId)}`,
      [events.ProfileCreated({ profileId, accountId, name, at: on(1) }), ...more],
      by(accountId),
    );
  const service = async (...args: string[]) => {
    const { status, stdout, stderr } = await runService(['profiles', ...args], environment);
    return { status, stdout, stderr };
  };
  const outputOf = async <T = Output>(...args: string[]): Promise<T> => {
    const { status, stdout, stderr } = await service(...args, '--json');
    expect(status, stderr).to.equal(0);
    return JSON.parse(stdout) as T;
  };

  before(async () => {
    side = await startReadSide();
    side.project();
    environment = operatorOf(side);
    const of = (profileId: ProfileId) => ({ profileId, accountId });
    await record(
      saved,
      'Work',
      events.ProfileBound({ ...of(saved), sessionId: first, generation: null, at: on(2) }),
      events.StateSaveStarted({ ...of(saved), sessionId: first, leaseExpiresAt, at: on(3) }),
      events.StateSaved({ ...of(saved), sessionId: first, state, replaces: null, at: on(3) }),
    );
    await side.append(
      `session-${uuidOf(second)}`,
      [
        sessionEvents.SessionRequested({
          sessionId: second,
          accountId,
          nodeId,
          profileId: saving,
          at: on(4),
        }),
      ],
      by(accountId),
    );
    await record(
      saving,
      'Shop',
      events.ProfileBound({ ...of(saving), sessionId: second, generation: null, at: on(4) }),
      events.StateSaveStarted({ ...of(saving), sessionId: second, leaseExpiresAt, at: on(5) }),
    );
    const failure = { reason: 'too_large', detail: 'It is too large.' } as const;
    await record(
      failed,
      'Bank',
      events.ProfileBound({ ...of(failed), sessionId: third, generation: null, at: on(6) }),
      events.StateSaveStarted({ ...of(failed), sessionId: third, leaseExpiresAt, at: on(7) }),
      events.StateSaveFailed({ ...of(failed), sessionId: third, ...failure, at: on(7) }),
      events.ProfileTrashed({ ...of(failed), at: on(8) }),
    );
    await side.caughtUp();
  });
  after(() => side.close());

  it('list them by account and status, with their use and the outcome of the last save', async () => {
    const [all, trashed, others] = await Promise.all([
      outputOf<Output[]>('list', '--account', accountId),
      outputOf<Output[]>('list', '--status', 'trashed'),
      outputOf<Output[]>('list', '--account', anAccount()),
    ]);
    expect(others).to.deep.equal([]);
    expect(trashed.map(({ id, save_state, save_error }) => [id, save_state, save_error])).to.deep.equal([
      [failed, 'failed', 'too_large'],
    ]);
    expect(all).to.have.length(3);
    const [shown] = all.filter(({ id }) => id === saving);
    expect(shown).to.deep.include({
      ...{ account_id: accountId, name: 'Shop', status: 'active', save_state: 'saving', storage_bytes: 0 },
      use: { kind: 'saving', session_id: second, generation: null, lease_expires_at: leaseExpiresAt },
    });
  });

  it('show one with its state, its origin and its events, and none of its keys', async () => {
    const shown = await outputOf('show', uuidOf(saved));
    expect(shown).to.deep.include({
      ...{ id: saved, save_state: 'saved', storage_bytes: 1234, use: { kind: 'free' } },
      ...{ origin: { kind: 'created' }, offer: null, received_from: null },
    });
    expect(shown.state).to.include({ generation: 1, blob: state.blob, bytes: 1234, cookies: 1 });
    const happened = shown.events as Output[];
    expect(happened.map(({ event }) => event)).to.deep.equal([
      ...['ProfileCreated', 'ProfileBound', 'StateSaveStarted', 'StateSaved'],
    ]);
    expect(happened.at(-1)).to.include({ session_id: first, generation: 1, bytes: 1234 });
    const { stdout } = await service('show', saved, '--limit', '1');
    expect(stdout).to.contain('StateSaved').and.not.to.contain('ProfileBound');
    for (const text of [JSON.stringify(shown), stdout])
      expect(text).not.to.contain(state.sealedKey).and.not.to.contain('AAAAAAAAAAAAAAAAAAAAAA');
  });

  it('report an unknown profile, and an invalid id', async () => {
    const [missing, wrong] = await Promise.all([service('show', aProfile()), service('show', 'work')]);
    expect(missing.stderr).to.match(/^There is no profile prof_/);
    expect(wrong.stderr).to.contain('prof_<uuid>');
    expect([missing.status, wrong.status]).to.deep.equal([1, 1]);
  });

  it('show the running saves with their nodes, and the failed ones', async () => {
    expect(await outputOf('saves')).to.deep.equal({
      saving: [
        {
          ...{ profile_id: saving, account_id: accountId, session_id: second, node_id: nodeId },
          lease_expires_at: leaseExpiresAt,
        },
      ],
      failed: [
        {
          ...{ profile_id: failed, account_id: accountId, last_used_at: on(6) },
          ...{ reason: 'too_large', detail: 'It is too large.' },
        },
      ],
    });
  });

  it('sweep the blobs that no profile has named for a day, and list them first with --dry-run', async () => {
    const folder = join(environment.DATA_DIR, 'blobs', uuidOf(saved));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '1-lost'), 'left by a killed process');
    writeFileSync(join(folder, '2-young'), 'of a save under way');
    utimesSync(join(folder, '1-lost'), new Date(on(1)), new Date(on(1)));
    const store = pathToFileURL(join(environment.DATA_DIR, 'blobs')).href;
    const lost = { blob: `${uuidOf(saved)}/1-lost`, bytes: 24, stored_at: on(1) };
    const outcome = { store, kept: 1, bytes: 24, deleted: [lost] };
    expect(await outputOf('sweep', '--dry-run')).to.deep.equal({ dry_run: true, ...outcome });
    expect(await outputOf('sweep')).to.deep.equal({ dry_run: false, ...outcome });
    expect(readdirSync(folder)).to.deep.equal(['2-young']);
    expect((await service('sweep')).stdout).to.equal(`${store}: 0 deleted (0 bytes), 1 kept\n`);
  });

  it('also sweep a bucket, with the credentials of the environment', async () => {
    const server = await startS3();
    const credentials = { accessKeyId: server.accessKeyId, secretAccessKey: server.secretAccessKey };
    const client = new S3Client({
      ...{ endpoint: server.url, region: 'us-east-1', forcePathStyle: true },
      credentials,
    });
    await client.send(new CreateBucketCommand({ Bucket: 'states' }));
    const Key = `here/${uuidOf(saved)}/1-young`;
    await client.send(new PutObjectCommand({ Bucket: 'states', Key, Body: 'of a save under way' }));
    client.destroy();
    const store = `s3://states/here?endpoint=${server.url}`;
    const { status, stdout, stderr } = await runService(['profiles', 'sweep'], {
      ...environment,
      BLOB_URL: store,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    });
    await server.stop();
    expect([status, stderr, stdout]).to.deep.equal([0, '', `${store}: 0 deleted (0 bytes), 1 kept\n`]);
  });
});
