import { toId, type NodeId, type SessionId } from '../../../contracts/ids.ts';
import type {
  CreateDispatch,
  CreateOutcome,
  DispatchFailure,
  OperationDispatch,
  OperationOutcome,
} from '../../../contracts/fleet/protocol.ts';
import { NodeSilent, type Fleet } from '../../fleet/control-plane/port.ts';
import type { LastHeartbeat } from '../../../commands/process-managers/lost-nodes.ts';
import { Life } from './life.ts';
import type { Schedule } from './schedule.ts';
import { uuidNumber } from './names.ts';

/** An operation that reached a driver. */
export interface DriverCall {
  readonly kind: 'launch' | 'operate';
  readonly session: SessionId;
  readonly dispatchId: string;
  readonly node: NodeId;
  readonly begunAt: number;
  endedAt: number | undefined;
}

export interface FakeNode {
  readonly id: NodeId;
  life: Life;
  lastBeat: number;
  readonly browsers: Set<SessionId>;
  /** Results by dispatch, returned again for a repeated one. */
  readonly outcomes: Map<string, Promise<CreateOutcome | OperationOutcome>>;
}

const broken: DispatchFailure = { kind: 'driver', category: 'session_error', reason: 'It broke.' };
const missing: DispatchFailure = { kind: 'page', category: 'element_not_found', reason: 'Nothing matches.' };

/** Nodes in memory. They survive crashes of the control plane, stay silent, lose their browsers and reconnect. */
export class FakeFleet {
  readonly calls: DriverCall[] = [];
  readonly nodes: readonly FakeNode[];
  readonly #schedule: Schedule;

  constructor(schedule: Schedule, count: number) {
    this.#schedule = schedule;
    this.nodes = Array.from({ length: count }, (_, index) => ({
      id: toId('node', uuidNumber(0xd0 + index)),
      life: new Life(`node ${index}`),
      lastBeat: 0,
      browsers: new Set(),
      outcomes: new Map(),
    }));
  }

  /** The fleet as one process of the control plane calls it. */
  connect(life: Life): Fleet {
    return {
      place: async () => {
        await this.#schedule.turn(life, 'place');
        const alive = this.nodes.filter((node) => node.life.alive);
        return alive.sort((one, other) => one.browsers.size - other.browsers.size)[0]?.id;
      },
      create: (node, dispatch) =>
        this.#call(life, node, dispatch.dispatch_id, (at) => this.#launch(at, dispatch)),
      operate: (node, session, dispatch) =>
        this.#call(life, node, dispatch.dispatch_id, (at) => this.#operate(at, session, dispatch)),
      destroy: async (node, session) => {
        await this.#schedule.turn(life, `destroy ${session}`);
        if (this.#schedule.fault(life, 'destroy', 'not received') !== 'none') return;
        this.#node(node).browsers.delete(session);
        await this.#schedule.turn(life, `destroyed ${session}`);
      },
    };
  }

  readonly registry = {
    list: async (): Promise<readonly LastHeartbeat[]> =>
      this.nodes.map(({ id, browsers, lastBeat }) => ({
        nodeId: id,
        sessions: [...browsers],
        ageMs: this.#schedule.now - lastBeat,
      })),
    listeningForMs: async (): Promise<number> => Infinity,
  };

  /** The machine is gone with its browsers, and another starts in its place. */
  lose(index: number): FakeNode {
    const node = this.#at(index);
    node.life.crash();
    node.browsers.clear();
    node.outcomes.clear();
    node.life = new Life(node.life.name);
    return node;
  }

  #at(index: number): FakeNode {
    const node = this.nodes[index % this.nodes.length];
    if (node === undefined) throw new Error('A fleet without nodes.');
    return node;
  }

  #node(id: NodeId): FakeNode {
    const node = this.nodes.find((each) => each.id === id);
    if (node === undefined) throw new Error(`${id} was never placed on`);
    return node;
  }

  /** The node completes the request, even if its caller crashes. */
  async #call<Outcome extends CreateOutcome | OperationOutcome>(
    life: Life,
    id: NodeId,
    dispatchId: string,
    run: (node: FakeNode) => Promise<Outcome>,
  ): Promise<Outcome> {
    await this.#schedule.turn(life, `dispatch ${dispatchId}`);
    const fault = this.#schedule.fault(life, 'dispatch', 'not received', 'answer lost');
    if (fault === 'not received') throw new NodeSilent('The call did not arrive.');
    const node = this.#node(id);
    const { life: nodeLife } = node;
    const outcome = (node.outcomes.get(dispatchId) as Promise<Outcome> | undefined) ?? run(node);
    node.outcomes.set(dispatchId, outcome);
    const answer = await Promise.race([outcome, nodeLife.ended]);
    await this.#schedule.turn(life, `answer of ${dispatchId}`);
    if (answer === 'crashed' || fault === 'answer lost') throw new NodeSilent('There came no answer.');
    return answer;
  }

  async #launch(node: FakeNode, { session_id, dispatch_id }: CreateDispatch): Promise<CreateOutcome> {
    const { life } = node;
    const call = this.#begin('launch', node, session_id, dispatch_id);
    await this.#schedule.turn(life, `launch ${session_id}`);
    call.endedAt = this.#schedule.now;
    if (this.#schedule.fault(life, 'launch', 'does not start') !== 'none') {
      return { outcome: 'failed', failure: broken };
    }
    node.browsers.add(session_id);
    return { outcome: 'succeeded', egress_capabilities: null };
  }

  async #operate(
    node: FakeNode,
    session: SessionId,
    { dispatch_id }: OperationDispatch,
  ): Promise<OperationOutcome> {
    if (!node.browsers.has(session)) return { outcome: 'failed', failure: broken };
    const call = this.#begin('operate', node, session, dispatch_id);
    await this.#schedule.turn(node.life, `operate ${session}`);
    call.endedAt = this.#schedule.now;
    const fault = this.#schedule.fault(node.life, 'operate', 'finds nothing', 'breaks');
    if (fault === 'finds nothing') return { outcome: 'failed', failure: missing };
    if (fault === 'breaks') {
      node.browsers.delete(session);
      return { outcome: 'failed', failure: broken };
    }
    return { outcome: 'succeeded', result: { done: dispatch_id } };
  }

  #begin(kind: DriverCall['kind'], node: FakeNode, session: SessionId, dispatchId: string): DriverCall {
    const call = {
      kind,
      session,
      dispatchId,
      node: node.id,
      begunAt: this.#schedule.now,
      endedAt: undefined,
    };
    this.calls.push(call);
    return call;
  }
}
