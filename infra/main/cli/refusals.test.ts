import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, uuidOf } from '../../../contracts/ids.ts';
import { anAccount, at, by, startReadSide, type ReadSide } from '../../../projections/testing/index.ts';
import { tempDir } from '../../verification/testbed/index.ts';
import { runService } from '../../verification/testbed/service.ts';
import { operatorOf } from './testing.ts';

type Case = readonly [command: string, words: RegExp, environment?: Readonly<Record<string, string>>];

describe('operator’s commands that cannot be carried out', function () {
  this.timeout(240_000);
  let side: ReadSide;
  let environment: ReturnType<typeof operatorOf>;
  const [account, other, node] = [anAccount(), anAccount(), toId('node', randomUUID())];
  before(async () => {
    side = await startReadSide();
    environment = operatorOf(side);
    const created = {
      type: 'AccountCreated',
      data: { accountId: account, sealedEmail: 's', tier: 'team', at },
    };
    await side.append(`account-${uuidOf(account)}`, [created], by(account));
  });
  after(() => side.close());

  const eventsNow = async () => {
    const events: string[] = [];
    for await (const { id } of side.store.readAll()) events.push(id);
    return events;
  };
  /** Each ends with status 1 and one line, and appends nothing. */
  const refused = async (cases: readonly Case[]) => {
    const before = await eventsNow();
    for (const [command, words, changes] of cases) {
      const { status, stdout, stderr } = await runService(command.split(' '), { ...environment, ...changes });
      expect([status, stdout], command).to.deep.equal([1, '']);
      expect(stderr, command)
        .to.match(words)
        .and.to.match(/^.+\n$/);
    }
    expect(await eventsNow()).to.deep.equal(before);
  };

  it('name an account that does not exist, instead of an intact or empty log of it', () =>
    refused(
      [
        ...['audit verify', 'audit export', 'audit export --format csv', 'sessions-of', 'team list'],
        'as-of 2026-01-01',
      ].map((command) => [`${command} --account ${other}`, new RegExp(`^There is no account ${other}\\.`)]),
    ));

  it('name what was not found by its id', () =>
    refused([
      [`nodes drain ${node}`, new RegExp(`^not-found: There is no ${node}, or no longer\\.`)],
      [`account set-tier --account ${other} --tier team`, new RegExp(`There is no ${other}, or no longer`)],
      [
        `key revoke --account ${account} --key key_${uuidOf(node)}`,
        new RegExp(`There is no ${account} with key_${uuidOf(node)}, or no longer`),
      ],
      ['trace ses_11111111-1111-4111-8111-111111111111', /is no longer kept\. Expected the id of a request/],
    ]));

  it('refuse days that do not exist, blank texts, and options that have no effect', () =>
    refused([
      ['fleet what-if --from 2026-02-30 --to 2026-03-05 --nodes 1x1', /Expected a time such as/],
      ['as-of 2026-02-30T00:00:00Z', /Expected a time such as/],
      [`key create --account ${account} --name \u0007`, /Expected a text without control characters/],
      [`account suspend --account ${account} --reason `, /Expected a text of at most 500 characters/],
      ['secrets rotate master --at-once', /^--at-once is only for signing; master was not rotated\./],
    ]));

  it('name the categories of streams if there is none of that name', () =>
    refused(
      [
        'events export --category sessions',
        'events tail --category x',
        'events tail --category session,',
      ].map((command) => [command, /Expected account, .*\bsession, .*separated by commas/]),
    ));

  it('create no account for an address that sign-up refuses, to which no mail can be sent', () =>
    refused(
      ['a\u0007b@example.com', 'a,b@example.com', 'ann', '<ann>@example.com'].map((email) => [
        `account create --tier free --email ${email}`,
        /email must be an e-mail address/,
      ]),
    ));

  it('refuse to lower a limit below that of the tier, which an override only raises', () =>
    refused([
      [
        `account override-concurrency --account ${account} --limit 2`,
        /^bad-request: The team tier includes 3 concurrent sessions, .*raises/,
      ],
      [
        `account override-profiles --account ${account} --limit 49`,
        /^bad-request: The team tier includes 50 profiles, .*raises/,
      ],
    ]));

  it('say that a store does not answer, and what shows which', () =>
    refused(
      [
        { POSTGRES_URL: 'postgres://name:hidden@127.0.0.1:1/postgres' },
        { POSTGRES_URL: 'postgres://name:hidden@localhost:1/postgres' },
        { POSTGRES_URL: 'postgres://name:hidden@nowhere.invalid/postgres' },
        { EVENTSTORE_URL: 'esdb://name:hidden@127.0.0.1:1?tls=false' },
      ].map((changes) => [
        `audit verify --account ${account}`,
        /^A store does not answer \((?!.*hidden).+\)\. Run `service doctor`: it shows which one\./,
        changes,
      ]),
    ));

  it('report a wrong configuration, and a service that does not run, in one line', async () => {
    await refused([
      ['nodes list', /^The configuration is wrong: PORT got "x".*MASTER_KEY/, { PORT: 'x', MASTER_KEY: 'y' }],
    ]);
    const { status, stderr } = await runService(['nodes', 'list'], {
      ...process.env,
      DATA_DIR: tempDir('data'),
    });
    expect(status).to.equal(1);
    expect(stderr).to.match(/^No service is running on .+\. Start it with npm start.+\n$/);
  });
});
