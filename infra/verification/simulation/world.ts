import { pino } from 'pino';
import { toId, type AccountId, type SessionId } from '../../../contracts/ids.ts';
import type { Tier } from '../../../contracts/tiers.ts';
import type { Position } from '../../event-store/client/types.ts';
import type { ProcessManager } from '../../../commands/process-managers/index.ts';
import type { Parked } from '../../log-follower/parking.ts';
import type { Runner } from '../../../commands/engine/runner.ts';
import type { Sender } from '../../webhooks/sender.ts';
import type { Asked } from './asked.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeFleet } from './fake-fleet.ts';
import { FakeQueue } from './fake-queue.ts';
import { FakeReceivers } from './fake-receivers.ts';
import { FakeStore } from './fake-store.ts';
import { uuidNumber } from './names.ts';
import { ReadSide } from './read-side.ts';
import { Schedule } from './schedule.ts';

export const quiet = pino({ level: 'silent' });

export type FakeSender = Pick<Sender, 'send'>;

/** Known faults, wired in to check that the invariants notice them. */
export interface Variant {
  readonly runner?: (runner: Runner) => Runner;
  readonly manager?: (manager: ProcessManager) => ProcessManager;
  readonly store?: (store: FakeStore) => void;
  readonly sender?: (sender: FakeSender) => FakeSender;
  readonly withoutSweep?: string;
}

export interface SimulatedAccount {
  readonly id: AccountId;
  readonly tier: Tier;
  readonly cap: number;
}

/** Everything that outlives the processes of the service, and what is recorded for the invariants. */
export class World {
  readonly schedule: Schedule;
  readonly clock: FakeClock;
  readonly store: FakeStore;
  readonly fleet: FakeFleet;
  /** Wake-ups for timers, and for attempts of deliveries. */
  readonly queue: FakeQueue;
  readonly deliveries: FakeQueue;
  readonly receivers: FakeReceivers;
  readonly reads = new ReadSide();
  readonly variant: Variant;
  readonly accounts: readonly SimulatedAccount[] = [
    { id: toId('account', uuidNumber(0xa0)), tier: 'team', cap: 2 },
    { id: toId('account', uuidNumber(0xa1)), tier: 'free', cap: 1 },
  ];
  readonly asked: Asked[] = [];
  readonly parked = new Map<string, Parked<{ readonly process: string }>>();
  /** All checkpoints of the process host, oldest first. */
  readonly checkpoints: Position[] = [];
  /** All checkpoints of the host of first attempts. */
  readonly deliveryCheckpoints: Position[] = [];
  #made = 0;

  constructor(choices: readonly number[], variant: Variant, traced: boolean) {
    this.variant = variant;
    this.schedule = new Schedule(choices, { faults: 4, traced });
    this.clock = new FakeClock(this.schedule);
    this.store = new FakeStore(this.schedule);
    variant.store?.(this.store);
    this.fleet = new FakeFleet(this.schedule, 2);
    this.queue = new FakeQueue('queue', this.schedule, this.clock);
    this.deliveries = new FakeQueue('deliveries', this.schedule, this.clock);
    this.receivers = new FakeReceivers(this.schedule);
    for (const account of this.accounts) this.#open(account);
  }

  newUuid(): string {
    this.#made += 1;
    return uuidNumber(this.#made);
  }

  newSessionId(): SessionId {
    return toId('session', this.newUuid());
  }

  /** Ids of accounts that existed before the run. */
  #open({ id, tier }: SimulatedAccount): void {
    const at = this.clock.now().toISOString();
    const uuid = this.newUuid();
    const metadata = {
      correlation_id: uuid,
      causation_id: uuid,
      actor: { kind: 'staff', account_id: id },
      occurred_at: at,
      schema_version: 1,
      request_id: null,
    } as const;
    const data = { accountId: id, sealedEmail: 'sealed', tier, at };
    const stream = `account-${id.slice(id.indexOf('_') + 1)}`;
    this.store.commit(stream, 'no_stream', [{ id: uuid, type: 'AccountCreated', data, metadata }]);
  }
}
