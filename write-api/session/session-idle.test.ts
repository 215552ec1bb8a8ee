import { expect } from 'chai';
import { heartbeatKey } from '../../commands/agent-session/index.ts';
import type { SessionId } from '../../contracts/ids.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { movableClock } from '../testing.ts';
import { agentClient, slugOf, type AgentClient } from '../testing/agent-client.ts';
import { startServiceWithProcesses, type ServiceWithProcesses } from '../testing/processes.ts';

const clock = movableClock();
let service: ServiceWithProcesses;
let client: AgentClient;
before(async () => {
  service = await startServiceWithProcesses({ clock });
});
after(() => service.close());
beforeEach(async () => {
  client = agentClient(service, await service.staff.account('enterprise'));
});

const idle_timeout_seconds = 60;
const opened = async () => {
  const { status, json } = await client.call('POST /v1/sessions', { idle_timeout_seconds });
  expect([status, json.idle_timeout_seconds]).to.deep.equal([201, 60]);
  return String(json.id) as SessionId;
};
const typesOf = async (id: SessionId) =>
  (await service.events(`session-${id.slice(4)}`)).map(({ type }) => type);
/** Reads the stream, because looking at the page would count as activity. */
const isGone = (id: SessionId) => until(async () => (await typesOf(id)).includes('SessionDestroyed'));

describe('an idle timeout', () => {
  it('ends an idle session, and leaves the one beside it that was operated', async () => {
    const [unused, used] = [await opened(), await opened()];
    clock.advance(40_000);
    await client.call(`POST /v1/sessions/${used}/navigate`, { url: 'http://sim.test/' });
    clock.advance(20_000);
    await isGone(unused);
    await until(async () => (await typesOf(used)).includes('IdleTimeoutExtended'));
    const [, ended] = [await typesOf(unused), (await service.events(`session-${unused.slice(4)}`)).at(-1)];
    expect(ended?.data).to.include({ cause: 'idle' });
    clock.advance(40_000);
    await isGone(used);
  });
  it('is extended by a look at the page', async () => {
    const [looked, unused] = [await opened(), await opened()];
    clock.advance(40_000);
    expect((await client.call(`GET /v1/sessions/${looked}/observation`)).status).to.equal(200);
    await until(async () => (await service.heartbeats.last(heartbeatKey.watched(looked))) !== null);
    clock.advance(20_000);
    await isGone(unused);
    await until(async () => (await typesOf(looked)).includes('IdleTimeoutExtended'));
  });
  it('closes an idle agent session', async () => {
    const { json } = await client.create({ mode: 'manual', idle_timeout_seconds });
    expect(json.idle_timeout_seconds).to.equal(60);
    clock.advance(60_000);
    const closed = await until(async () =>
      (await client.events(json.id)).find(({ type }) => type === 'AgentSessionClosed'),
    );
    expect(closed.data).to.include({ reason: 'idle' });
  });
  it('is refused where it is too short, too long or no number', async () => {
    for (const wrong of [0, 4, 3601, 1.5, '60', null])
      for (const route of ['sessions', 'agent-sessions']) {
        const answer = await client.call(`POST /v1/${route}`, { idle_timeout_seconds: wrong });
        expect(slugOf(answer), `${route} ${wrong}`).to.equal('validation-failed');
      }
  });
});

describe('an observation', () => {
  const look = (id: string, query = '') => client.call(`GET /v1/sessions/${id}/observation${query}`);

  it('says what the page shows, with refs that stay and that actions take', async () => {
    const id = await opened();
    await client.call(`POST /v1/sessions/${id}/navigate`, { url: 'http://sim.test/form' });
    const [first, second] = [await look(id), await look(id)];
    expect(first.json).to.include({ url: 'http://sim.test/form', title: 'Simulated form', cut: false });
    expect(first.json).not.to.have.any.keys('links', 'voices', 'picture');
    expect(second.json.elements).to.deep.equal(first.json.elements);
    const [{ ref = '' } = {}] = first.json.elements as { ref?: string }[];
    const action = { kind: 'type', ref, text: 'Ada' };
    expect((await client.call(`POST /v1/sessions/${id}/interact`, { action })).status).to.equal(200);
    expect(JSON.stringify((await look(id)).json)).to.include('"value":"Ada"');
  });
  it('has a picture where one is asked for', async () => {
    const { json } = await look(await opened(), '?picture=true');
    expect(json.picture).to.include({ media_type: 'image/jpeg' });
  });
  it('is refused for an ended session, and for one of another account', async () => {
    const id = await opened();
    const other = agentClient(service, await service.staff.account('enterprise'));
    expect((await other.call(`GET /v1/sessions/${id}/observation`)).status).to.equal(404);
    await client.call(`DELETE /v1/sessions/${id}`);
    expect((await look(id)).status).to.equal(410);
    expect((await look(id, '?picture=yes')).status).to.equal(400);
  });

  describe('while the browser cannot be reached', () => {
    /** Answers live queries like a node that has no such browser, after `meanwhile`. */
    const unreachable = (meanwhile: () => Promise<unknown>) => {
      const { live } = service.fleet;
      service.fleet.live = async () => {
        await meanwhile();
        return { status: 'unavailable', reason: 'The browser cannot be reached.' };
      };
      return () => (service.fleet.live = live);
    };

    it('is refused with the time after which it may be tried again', async () => {
      const id = await opened();
      const restore = unreachable(async () => undefined);
      const answer = await look(id);
      restore();
      expect([answer.status, slugOf(answer)]).to.deep.equal([503, 'feature-unavailable']);
      expect(answer.headers['retry-after']).to.equal('1');
      expect((await look(id)).status).to.equal(200);
    });
    it('is refused for good if the session is ended meanwhile', async () => {
      const id = await opened();
      const restore = unreachable(() => client.call(`DELETE /v1/sessions/${id}`));
      const answer = await look(id);
      restore();
      expect([answer.status, slugOf(answer)]).to.deep.equal([410, 'session-destroyed']);
    });
  });
});
