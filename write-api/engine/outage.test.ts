import { expect } from 'chai';
import { EventStoreUnavailable } from '../../infra/event-store/client/index.ts';
import type { Answer } from '../../infra/http/testing.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';

describe('a change during which the event log goes away', () => {
  /** The type of events that cannot be recorded. */
  let away: string | undefined;
  let side: WriteSide;
  let token: string;
  before(async () => {
    side = await startWriteSide({
      throughStore: (store) => ({
        ...store,
        async append(stream, expected, events) {
          if (events.some(({ type }) => type === away)) throw new EventStoreUnavailable('It is away.');
          return store.append(stream, expected, events);
        },
      }),
    });
    ({ token } = await side.staff.account('team'));
  });
  after(() => side.close());
  afterEach(() => (away = undefined));

  const create = () => side.call('POST /v1/sessions', { token, body: {} });
  const expectUnknown = ({ status, headers, json }: Answer) => {
    expect([status, headers['retry-after']]).to.deep.equal([503, '2']);
    expect(json.detail)
      .to.match(/Whether this change was made is unknown: look before sending it again/)
      .and.not.to.match(/may be sent again/);
  };

  it('is answered without an invitation to repeat it, if it was an operation that the browser carried out', async () => {
    const { json } = await create();
    away = 'OperationSettled';
    expectUnknown(
      await side.call(`POST /v1/sessions/${String(json.id)}/navigate`, {
        token,
        body: { url: 'http://sim.test/' },
      }),
    );
    const operated = side
      .driverLog()
      .filter(({ action, session_id }) => action === 'operate' && session_id === json.id);
    expect(operated.map(({ operation }) => operation)).to.deep.equal(['navigate']);
  });

  it('is answered so, if it was a create without an idempotency key', async () => {
    away = 'SessionReady';
    expectUnknown(await create());
  });
});
