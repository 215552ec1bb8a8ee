import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { expect } from 'chai';
import type { AccountId } from '../../../contracts/ids.ts';
import { ensureDebianPackages, restorePackages } from '../../main/bootstrap/debian-packages.mjs';
import { connectEventStore } from '../../event-store/client/index.ts';
import { quiet } from '../../event-store/client/testing.ts';
import { freePort } from '../../platform/free-port.ts';
import { seedLog } from '../bench/seed-log.ts';
import { connect } from '../faults/client.ts';
import { startEventStore, type TestEventStore } from '../testbed/event-store.ts';
import {
  startRedis,
  startS3,
  startStack,
  tempDir,
  type NewAccount,
  type TestStack,
} from '../testbed/index.ts';
import { startOwnPostgres } from './own-postgres.ts';
import { blocksOf, newMachine, readBy, root, visit, type Machine } from './restoring.ts';

/** Empty external stores. The embedded event store stands in for a vendor's. */
async function startStores(events: string) {
  const [eventStore, postgres, redis, objects] = await Promise.all([
    startEventStore(events, join(tempDir('log'), 'log')),
    startOwnPostgres(),
    startRedis(),
    startS3(),
  ]);
  const credentials = { accessKeyId: objects.accessKeyId, secretAccessKey: objects.secretAccessKey };
  const client = new S3Client({
    ...{ endpoint: objects.url, region: 'us-east-1', forcePathStyle: true, credentials },
  });
  await client.send(new CreateBucketCommand({ Bucket: 'states' }));
  client.destroy();
  return {
    eventStore,
    addresses: { EVENTSTORE_URL: eventStore.url, POSTGRES_URL: postgres.url, QUEUE_URL: redis.url },
    objects,
    /** The remote `blobs:` of rclone. */
    remote: {
      RCLONE_CONFIG_BLOBS_TYPE: 's3',
      RCLONE_CONFIG_BLOBS_PROVIDER: 'Other',
      RCLONE_CONFIG_BLOBS_ENDPOINT: objects.url,
      RCLONE_CONFIG_BLOBS_ACCESS_KEY_ID: objects.accessKeyId,
      RCLONE_CONFIG_BLOBS_SECRET_ACCESS_KEY: objects.secretAccessKey,
      // Removed: rclone does not accept the machine's value.
      AWS_CA_BUNDLE: undefined,
    },
    stop: async () => {
      await Promise.all([eventStore.stop(), postgres.stop(), redis.stop(), objects.stop()]);
    },
  };
}

/** Size of the record, and the time in which it is to be restored. */
const events = 1_000_000;
const mostSeconds = 600;
const catchingUp = { limitMs: mostSeconds * 1_000, everyMs: 500 };

/** Fills the record with sessions of the account that have all ended. */
async function fill({ eventStore }: Stores, account: NewAccount): Promise<void> {
  const store = connectEventStore({ url: eventStore.url, logger: quiet });
  const accounts = [account.account_id as AccountId];
  await seedLog(store, { seed: 1, events, perStream: 9, perAppend: 9, accounts });
  await store.close();
}

type Stores = Awaited<ReturnType<typeof startStores>>;

/** Configures the stores' addresses on the machine, as deployment.md documents it. */
async function tell({ etc }: Machine, { addresses, objects }: Stores): Promise<void> {
  for (const [name, address] of Object.entries(addresses))
    writeFileSync(join(etc, 'secrets', name), address, { mode: 0o600 });
  const credentials = join(etc, 'object-store');
  writeFileSync(
    credentials,
    `[default]\naws_access_key_id = ${objects.accessKeyId}\naws_secret_access_key = ${objects.secretAccessKey}\n`,
  );
  const lines = [
    `BLOB_URL=s3://states/profiles?endpoint=${objects.url}`,
    `AWS_SHARED_CREDENTIALS_FILE=${credentials}`,
    `PORT=${await freePort()}`,
  ];
  writeFileSync(join(etc, 'service.env'), `${lines.join('\n')}\n`);
}

/** A copy of the event store's files at one moment, like a vendor's snapshot. */
async function copyRecord(eventStore: TestEventStore, from: string, to: string): Promise<void> {
  await eventStore.stop();
  cpSync(from, to, { recursive: true });
  await eventStore.start();
}

describe('a restore of stores of your own by the written procedure', function () {
  this.timeout(2_400_000);
  const [first = '', second = '', restoreFiles = '', restoreVault = ''] = blocksOf('Stores of yours');
  const [backups, original, restored] = [
    tempDir('backups'),
    tempDir('events'),
    join(tempDir('restored'), 'events'),
  ];
  let stores: Stores;
  let stack: TestStack;

  const startOn = ({ dataDir, environment }: Machine) =>
    startStack({ dataDir, env: environment(), limitMs: 120_000 });

  before(() => {
    expect(ensureDebianPackages(restorePackages), "Debian's packages").to.deep.equal([]);
  });
  after(async () => {
    await stack.stop();
    await stores.stop();
  });

  it('of a million events takes ten minutes at most, and serves what there was when the record was copied, with states that were saved while the copy was made', async () => {
    const machine = newMachine(backups);
    execFileSync(join(root, 'infra/deploy/make-secrets.sh'), [join(machine.etc, 'secrets')]);
    stores = await startStores(original);
    await tell(machine, stores);
    stack = await startOn(machine);
    const account = await stack.account();
    await fill(stores, account);
    const customer = connect(stack, account);
    const named = async (name: string) =>
      String((await customer.call('POST /v1/profiles', { name })).json.id);
    const profile = await named('kept');
    await readBy(customer, catchingUp);
    await visit(customer, profile);

    await machine.run(first, stores.remote);
    // Replaces the state that was copied, and adds one that was not.
    expect(await visit(customer, profile)).to.equal('2');
    const another = await named('made meanwhile');
    await visit(customer, another);
    await customer.call('POST /v1/webhooks', {
      url: 'https://example.com/hook',
      events: ['session.profile_save_failed'],
    });
    const before = await readBy(customer, catchingUp);
    await copyRecord(stores.eventStore, original, restored);
    await stack.ready();
    await machine.run(second, stores.remote);
    // Later changes are lost.
    expect(await visit(customer, profile)).to.equal('3');
    await stack.stop();
    await stores.stop();

    const startedAt = performance.now();
    const other = newMachine(backups);
    stores = await startStores(restored);
    await other.run(restoreFiles, stores.remote);
    await tell(other, stores);
    await other.run(restoreVault);
    stack = await startOn(other);
    const again = connect(stack, account);
    expect(await readBy(again, catchingUp)).to.deep.equal(before);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    process.stdout.write(`      ${events} events restored in ${seconds} s\n`);
    expect(seconds).to.be.below(mostSeconds);
    expect(await visit(again, profile)).to.equal('3');
    expect(await visit(again, another)).to.equal('2');
    const verified = await stack.service('audit', 'verify', '--account', account.account_id);
    expect(verified.status, verified.stdout).to.equal(0);
    expect(readFileSync(join(backups, 'vault.sql'), 'utf8')).to.include('vault.');
  });
});
