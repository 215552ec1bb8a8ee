import { expect } from 'chai';
import { Conflict, type Service } from '../../contracts/client/index.ts';
import { companionOf } from './companion.ts';
import { noSecrets } from './secrets.ts';
import { askAgent } from './tools/agents.ts';

const session = 'ses_1';
const { signal } = new AbortController();

/** The agent sessions of one browser, as the service keeps them: one holds it, and a key keeps its first answer, a refusal too. */
function browserWithAgents() {
  const statuses = new Map<string, 'active' | 'closed'>();
  const kept = new Map<string, string | Conflict>();
  const attach = (): string => {
    const id = `agt_${statuses.size}`;
    statuses.set(id, 'active');
    return id;
  };
  const heldBy = (id: string) =>
    new Conflict({
      ...{ status: 409, type: 'https://errors.example/conflict', title: 'Conflict', detail: '' },
      ...{ requestId: '', problem: { agent_session_id: id } },
    });
  const firstAnswer = (): string | Conflict => {
    const [holder] = [...statuses].find(([, status]) => status !== 'closed') ?? [];
    return holder === undefined ? attach() : heldBy(holder);
  };
  const agents = {
    create: async (_body: object, { idempotencyKey: key }: { readonly idempotencyKey: string }) => {
      const answer = kept.get(key) ?? firstAnswer();
      kept.set(key, answer);
      if (answer instanceof Conflict) throw answer;
      return { id: answer };
    },
    get: async (id: string) => ({ id, status: statuses.get(id) }),
  };
  return {
    service: { agents } as unknown as Service,
    attach,
    close: (id: string) => void statuses.set(id, 'closed'),
  };
}

describe('the agent session of a browser', () => {
  it('is another client’s while that one holds the browser, and an own one after it has closed', async () => {
    const { service, attach, close } = browserWithAgents();
    const find = async () => (await companionOf({ service, signal }, session)).id;
    const foreign = attach();
    expect([await find(), await find()]).to.deep.equal([foreign, foreign]);
    close(foreign);
    const own = await find();
    expect(own).not.to.equal(foreign);
    expect(await find()).to.equal(own);
    close(own);
    const next = attach();
    expect(await find()).to.equal(next);
    close(next);
    expect(await find()).not.to.be.oneOf([foreign, own, next]);
  });
});

describe('an agent session whose opening is cancelled', () => {
  it('is closed, and gets no task', async () => {
    const cancelled = new AbortController();
    const calls: string[] = [];
    const called = (name: string) => async () => {
      calls.push(name);
      if (name === 'create') cancelled.abort();
      return { id: 'agt_1' };
    };
    const names = ['create', 'message', 'close'];
    const agents = Object.fromEntries(names.map((name) => [name, called(name)]));
    const context = {
      ...{ service: { agents } as unknown as Service, signal: cancelled.signal },
      ...{ consoleUrl: '', opened: undefined, secrets: noSecrets, askPerson: undefined },
    };
    const asked = askAgent.run(context, { task: 'Buy milk.' });
    expect(await asked.catch((error: unknown) => error)).to.equal(cancelled.signal.reason);
    expect(calls).to.deep.equal(['create', 'close']);
  });
});
