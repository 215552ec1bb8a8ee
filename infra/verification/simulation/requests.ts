import type { SessionId } from '../../../contracts/ids.ts';
import { problems, Refusal } from '../../../contracts/problems.ts';
import { tierLimits } from '../../../contracts/tiers.ts';
import type { Caller, CommandContext } from '../../../commands/engine/context.ts';
import { withReceipt, type Settled, type StoredAnswer } from '../../../commands/receipt/index.ts';
import type { WebhookCommands } from '../../../commands/webhook-endpoint/index.ts';
import type { Asked, Reply } from './asked.ts';
import type { ControlPlane } from './control-plane.ts';
import type { RestartingProcess } from './processes.ts';
import type { SimulatedAccount, World } from './world.ts';

type Work = (plane: ControlPlane) => Promise<{ readonly value: string; readonly replayed?: boolean }>;

/** The API's requests, which run commands as its handlers do. */
export class Requests {
  readonly #world: World;
  readonly #writers: readonly RestartingProcess[];

  constructor(world: World, writers: readonly RestartingProcess[]) {
    this.#world = world;
    this.#writers = writers;
  }

  create(writer: number, account: SimulatedAccount, session: SessionId): Promise<Reply> {
    const caller = this.#caller(account);
    return this.#ask(writer, caller, { what: 'create', session }, async ({ sessions }) => ({
      value: JSON.stringify((await sessions.create(caller, session, {})).session),
    }));
  }

  createOnce(writer: number, account: SimulatedAccount, key: string): Promise<Reply> {
    const caller = this.#caller(account);
    return this.#ask(writer, caller, { what: 'create', key }, async ({ sessions, receipts }) => {
      const answer = await withReceipt(
        receipts,
        { caller, route: 'sessions.create', key, body: {} },
        {
          newId: () => this.#world.newSessionId(),
          run: async (id) => ({ body: (await sessions.create(caller, id, {})).session }),
          withdraw: (id) => sessions.withdraw(caller, id),
          outcome: sessions.describe,
        },
        toAnswer,
      );
      return { value: `${answer.status} ${answer.body}`, replayed: answer.replayed };
    });
  }

  operate(writer: number, account: SimulatedAccount, session: SessionId): Promise<Reply> {
    const caller = this.#caller(account);
    return this.#ask(writer, caller, { what: 'operate', session }, async ({ sessions }) => {
      const owned = await sessions.find(caller, session);
      const { result } = await sessions.operate(caller, owned, 'navigate', {});
      return { value: JSON.stringify(result) };
    });
  }

  destroy(writer: number, account: SimulatedAccount, session: SessionId): Promise<Reply> {
    const caller = this.#caller(account);
    return this.#ask(writer, caller, { what: 'destroy', session }, async ({ sessions }) => {
      await sessions.destroy(caller, await sessions.find(caller, session));
      return { value: '' };
    });
  }

  /** Requests of staff and nodes may fail: their answers are not checked. */
  async other(writer: number, work: (plane: ControlPlane) => Promise<unknown>): Promise<void> {
    await this.#writer(writer)
      .ask(work)
      .catch(() => undefined);
  }

  /** Requests of endpoints' owners. Their effect is judged by the log; unexpected errors are rethrown. */
  async webhooks(
    writer: number,
    account: SimulatedAccount,
    work: (webhooks: WebhookCommands, context: CommandContext) => Promise<unknown>,
  ): Promise<void> {
    const context = this.context(account);
    await this.#writer(writer)
      .ask(({ webhooks }) => work(webhooks, context))
      .catch(failedWith);
  }

  context(account: SimulatedAccount): CommandContext {
    return this.#caller(account).context;
  }

  #caller({ id, tier, cap }: SimulatedAccount): Caller {
    const commandId = this.#world.newUuid();
    return {
      accountId: id,
      actorId: id,
      kind: 'api_key',
      webSessionId: null,
      freshUntil: null,
      tier,
      concurrentSessions: cap,
      profileCap: tierLimits[tier].profiles,
      keyId: 'key_0197f1a0-0000-7000-8000-0000000000ff',
      scopes: ['write'],
      context: {
        commandId,
        correlationId: commandId,
        causationId: commandId,
        by: 'request:simulated',
        actor: { kind: 'api_key', account_id: id },
        requestId: commandId,
      },
    };
  }

  async #ask(
    writer: number,
    { accountId: account, context: { commandId } }: Caller,
    { what, session, key }: { what: Asked['what']; session?: SessionId; key?: string },
    work: Work,
  ): Promise<Reply> {
    const reply = await this.#writer(writer).ask(work).then(replyOf, failedWith);
    const logLength = this.#world.store.log.length;
    this.#world.asked.push({ what, account, commandId, session, key, logLength, reply });
    return reply;
  }

  #writer(index: number): RestartingProcess {
    const writer = this.#writers[index % this.#writers.length];
    if (writer === undefined) throw new Error('There is nobody to ask.');
    return writer;
  }
}

const replyOf = (answer: Awaited<ReturnType<Work>> | 'crashed'): Reply =>
  answer === 'crashed' ? { kind: 'unknown' } : { kind: 'done', ...answer };

const failedWith = (error: unknown): Reply => {
  if (error instanceof Refusal) return { kind: 'refused', slug: error.slug };
  if (error instanceof Error && error.name === 'EventStoreUnavailable') return { kind: 'unknown' };
  throw error;
};

const toAnswer = (settled: Settled<object>): StoredAnswer => {
  if (settled.kind === 'created')
    return { status: 201, contentType: 'application/json', body: JSON.stringify(settled.body) };
  const { slug } = settled.refusal;
  return { status: problems[slug].status, contentType: 'application/problem+json', body: slug };
};
