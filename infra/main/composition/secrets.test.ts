import { expect } from 'chai';
import pino from 'pino';
import { loadConfig } from '../../config/index.ts';
import { connectPostgres, migrate, type Postgres } from '../../postgres/index.ts';
import { keyHolders, vaultMigrations } from '../../vault/index.ts';
import { freshDatabase } from '../../verification/testbed/index.ts';
import { createLifetime } from '../lifetime.ts';
import { heldKeys, openPeppers, registerKeys } from './secrets.ts';

const logger = pino({ level: 'silent' });
const [older, newer, another] = ['o'.repeat(32), 'n'.repeat(32), 'a'.repeat(32)];
const withPeppers = (KEY_PEPPER: string, RETIRED_PEPPERS = '') => loadConfig({ KEY_PEPPER, RETIRED_PEPPERS });

describe('the peppers of a deployment', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let postgres: Postgres;
  const lifetime = createLifetime(logger);
  const register = (config: ReturnType<typeof loadConfig>, process: string) =>
    registerKeys({ config, logger, lifetime }, postgres.pool, process);
  before(async () => {
    database = await freshDatabase();
    postgres = connectPostgres({ url: database.url, logger });
    await migrate(postgres.pool, vaultMigrations);
    await register(withPeppers(older), 'first');
  });
  after(async () => {
    await lifetime.close();
    await postgres.close();
    await database.drop();
  });

  for (const [what, config] of [
    ['alone', withPeppers(older)],
    ['before one that is new', withPeppers(`${older},${newer}`)],
    ['after one that is new', withPeppers(`${newer},${older}`)],
    ['retired', withPeppers(newer, `${older},${another}`)],
  ] as const)
    it(`name streams by the pepper with which the log began, ${what}`, async () => {
      await register(config, 'later');
      expect((await openPeppers(config, postgres.pool)).naming).to.equal(older);
    });

  it('are refused without that one, whatever other peppers are configured', async () => {
    const refused = await openPeppers(withPeppers(newer, another), postgres.pool).catch(String);
    expect(refused).to.contain(
      'from which this installation derives the stream names of email addresses. Add it to RETIRED_PEPPERS.',
    );
  });

  it('are published by name for operators, by every process while it runs', async () => {
    const config = withPeppers(newer, older);
    await register(config, 'last');
    const held = (await keyHolders(postgres.pool)).find(({ process }) => process === 'last');
    expect(held?.keys).to.deep.equal(heldKeys(config));
    expect(JSON.stringify(held)).not.to.contain(newer);
  });

  it('are no longer published for a process that was killed a day ago', async () => {
    const held = async () => {
      const { rows } = await postgres.pool.query<{ process: string }>(
        'select process from ephemeral.key_holders',
      );
      return rows.map(({ process }) => process);
    };
    await postgres.pool.query(
      `insert into ephemeral.key_holders (holder, process, keys, seen_at)
       values (gen_random_uuid(), 'killed', '{}', now() - interval '25 hours')`,
    );
    expect(await held()).to.include('killed');
    await register(withPeppers(older), 'started');
    expect(await held())
      .to.include('started')
      .and.not.to.include('killed');
  });
});
