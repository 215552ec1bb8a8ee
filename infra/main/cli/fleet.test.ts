import { expect } from 'chai';
import type { DomainEvent } from '../../../contracts/events/catalogue.ts';
import { uuidOf } from '../../../contracts/ids.ts';
import {
  aSession,
  anAccount,
  by,
  requested,
  sessionStream,
  startReadSide,
  type ReadSide,
} from '../../../projections/testing/index.ts';
import { runService } from '../../verification/testbed/service.ts';
import { operatorOf } from './testing.ts';

const account = anAccount();
const on = (time: string): string => `2026-01-05T${time}:00.000Z`;

describe('service fleet what-if', () => {
  let side: ReadSide;
  let environment: ReturnType<typeof operatorOf>;

  const ran = async (from: string, end?: { readonly at: string } & Record<string, unknown>) => {
    const sessionId = aSession();
    const events: DomainEvent[] = [requested(sessionId, account, { at: on(from) })];
    if (end !== undefined) {
      const { at, ...failure } = end;
      const type = 'reason' in failure ? 'SessionErrored' : 'SessionDestroyed';
      events.push({ type, data: { sessionId, ...failure, durationMs: 1, at: on(at) } });
    }
    await side.append(sessionStream(sessionId), events, by(account));
  };
  const ended = (at: string) => ({ at, cause: 'customer' });
  const failed = (at: string, reason: string, errorName: string) => ({
    ...{ at, operation: 'unknown', reason, errorName },
  });
  const wasRefused = async (at: string, refusal: string) => {
    const of = { accountId: account, sessionId: aSession(), at: on(at) };
    const reserved = { type: 'SlotReserved', data: { ...of, profileId: null, leaseExpiresAt: on(at) } };
    const released = { type: 'SlotReleased', data: { ...of, refusal } };
    await side.append(`account_slots-${uuidOf(account)}`, [reserved, released], by(account));
  };

  before(async () => {
    side = await startReadSide();
    environment = operatorOf(side);
    side.project();
    await ran('10:00', ended('11:00'));
    await ran('11:30', ended('12:10'));
    await side.caughtUp();
    // The log is read from here; earlier sessions are in the read model.
    const { commit, prepare } = (await side.store.head()) ?? { commit: 0n, prepare: 0n };
    await side.rows(
      'insert into read_model.committed_minutes (minute, commit_position, prepare_position) values ($1, $2, $3)',
      [on('11:50'), commit, prepare],
    );
    await ran('12:05', failed('12:20', 'driver_failure', 'DriverError'));
    await ran('12:06');
    await wasRefused('12:07', 'driver-not-integrated');
    await wasRefused('12:07', 'proxy-validation-failed');
    await ran('12:30', failed('12:31', 'creation_failed', 'DriverNotIntegratedError'));
    await ran('13:30', ended('13:40'));
    await side.caughtUp();
  });
  after(() => side.close());

  const whatIf = (...args: string[]) =>
    runService(
      ['fleet', 'what-if', '--from', on('12:00'), '--to', on('13:00'), '--nodes', ...args],
      environment,
    );
  const found = async (...args: string[]) => {
    const { stdout, stderr } = await whatIf(...args, '--json');
    expect(stderr).to.equal('');
    return JSON.parse(stdout) as unknown;
  };
  const hour = (used: number, slots: number) => [{ hour: on('12:00'), used, slots }];

  it('reads from the log which sessions were requested, how long they ran, and which were refused for lack of room', async () => {
    expect(await found('1x2')).to.deep.equal({
      ...{ sessions: 5, refused: { full: 2 }, lost: 0, occupancy: hour(2, 2) },
    });
    expect(await found('2x2')).to.deep.equal({ sessions: 5, refused: {}, lost: 0, occupancy: hour(4, 4) });
    const loss = ['--loss', `1@${on('12:08')}`];
    expect(await found('1x3,1x2', ...loss, '--policy', 'pack')).to.deep.equal({
      ...{ sessions: 5, refused: {}, lost: 2, occupancy: hour(4, 5) },
    });
    expect(await found('2x2', '--loss', `1@${on('12:01')}`, ...loss)).to.deep.equal({
      ...{ sessions: 5, refused: { full: 1, no_nodes: 1 }, lost: 3, occupancy: hour(2, 4) },
    });
  });

  it('prints a table for people, with the assumptions', async () => {
    const { stdout } = await whatIf('1x2');
    expect(stdout.split('\n')).to.deep.equal([
      'sessions      5',
      'nodes         1',
      'slots         2',
      'policy        least-loaded',
      'refused full  2',
      'lost          0',
      '2 of the sessions were refused at the time because no node had room; they are assumed to last 2400 s, the median.',
      '',
      'hour                      most at once  slots',
      `${on('12:00')}  2             2      100 %`,
      '',
    ]);
  });

  it('says what is expected if an option is invalid', async function () {
    this.timeout(240_000);
    const cases: readonly (readonly [string[], RegExp])[] = [
      [['8'], /Expected <count>x<slots>, such as 4x8/],
      [['9999x8,9999x8'], /Expected at most 10000 nodes/],
      [['4x8', '--policy', 'random'], /least-loaded, pack/],
      [['4x8', '--loss', on('12:30')], /Expected <nodes>@<time>, such as 1@2026-01-05T12:00:00Z/],
      [['4x8', '--loss', `1@${on('13:00')}`], /^--loss: .+ is not in the window/],
      [['4x8', '--loss', `5@${on('12:30')}`], /^--loss: 5 nodes cannot be lost, since the fleet has only 4/],
      [['4x8', '--to', on('12:00')], /^--from: .+ is not before --to/],
      [['4x8', '--from', '2999-01-01'], /^--from: .+ is in the future/],
      [['4x8', '--from', '2020-01-01'], /^The window must not be longer than 366 days/],
    ];
    for (const [args, words] of cases) {
      const { status, stderr, stdout } = await whatIf(...args);
      expect([status, stdout], stderr).to.deep.equal([1, '']);
      expect(stderr, args.join(' ')).to.match(words);
    }
  });
});
