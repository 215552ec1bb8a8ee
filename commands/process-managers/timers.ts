import type { Logger } from 'pino';
import type { Clock } from '../../infra/platform/clock.ts';
import { following } from '../../infra/tracing/index.ts';
import type { TimerKind } from '../../contracts/events/catalogue.ts';
import { uuidOf } from '../../contracts/ids.ts';
import type { DueTimer } from '../../domain/kit/timer.ts';
import { account } from '../../domain/account.ts';
import { ownLlmKey } from '../../domain/own-llm-key.ts';
import { profile } from '../../domain/profile/profile.ts';
import { subscription } from '../../domain/subscription.ts';
import { teamMember } from '../../domain/team-member.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import { now, ownedContext, timerContext, type CommandContext } from '../engine/context.ts';
import type { AgentSessionUpkeep } from '../agent-session/index.ts';
import type { OrderUpkeep } from '../order/upkeep.ts';
import type { Runner } from '../engine/runner.ts';
import type { SessionCommands } from '../session/index.ts';

/** The read model of due times. */
export interface DueTimers {
  /** Undefined if it took effect, or is not projected yet. */
  byId(id: string): Promise<DueTimer | undefined>;
  /** Timers due at `by` or earlier, the longest due first, starting behind `after`. */
  due(by: Date, limit: number, after?: DueTimer): Promise<readonly DueTimer[]>;
}

export interface TimerPorts {
  readonly timers: DueTimers;
  readonly clock: Clock;
  readonly sessions: SessionCommands;
  readonly agentSessions: AgentSessionUpkeep;
  readonly orders: Pick<OrderUpkeep, 'end' | 'check'>;
  readonly runner: Pick<Runner, 'run'>;
  readonly logger: Logger;
}

/** Page size of look-ups, and their concurrency. */
const pageSize = 200;

/**
 * The command of a due timer, for the context's account. Each is decided on the stream: it does nothing unless something is due
 * there.
 */
const effects: {
  readonly [Kind in TimerKind]: (
    ports: TimerPorts,
    timer: DueTimer<Kind>,
    context: CommandContext,
  ) => Promise<unknown>;
} = {
  slot_lease: ({ sessions }, { account_id, subject_id }, context) =>
    sessions.releaseOrphanedSlot(account_id, subject_id, context),
  creation_lease: ({ sessions }, { subject_id }, context) =>
    sessions.expireCreationLease(subject_id, context),
  duration_cap: ({ sessions }, { subject_id }, context) => sessions.enforceDurationCap(subject_id, context),
  session_idle: ({ agentSessions }, { subject_id }, context) =>
    agentSessions.endIdleSession(subject_id, context),
  webhook_secret_age: (ports, { subject_id }, context) =>
    ports.runner.run(
      webhookEndpoint,
      uuidOf(subject_id),
      { type: 'MarkSecretAged', at: now(ports) },
      context,
    ),
  webhook_grace_notice: (ports, { subject_id }, context) =>
    ports.runner.run(
      webhookEndpoint,
      uuidOf(subject_id),
      { type: 'MarkGraceEnding', at: now(ports) },
      context,
    ),
  own_llm_key_age: (ports, { account_id }, context) =>
    ports.runner.run(ownLlmKey, uuidOf(account_id), { type: 'MarkAged', at: now(ports) }, context),
  profile_purge: (ports, { subject_id }, context) => {
    const command = { type: 'PurgeProfile', cause: 'retention', at: now(ports) } as const;
    return ports.runner.run(profile, uuidOf(subject_id), command, context);
  },
  profile_save_lease: (ports, { subject_id }, context) =>
    ports.runner.run(profile, uuidOf(subject_id), { type: 'ExpireSave', at: now(ports) }, context),
  agent_turn_lease: ({ agentSessions }, { subject_id }, context) =>
    agentSessions.expireTurnLease(subject_id, context),
  agent_pair_heartbeat: ({ agentSessions }, { subject_id }, context) =>
    agentSessions.expireHeartbeat(subject_id, context),
  agent_resume: ({ agentSessions }, { subject_id }, context) =>
    agentSessions.checkChallenge(subject_id, context),
  agent_idle: ({ agentSessions }, { subject_id }, context) => agentSessions.closeIdle(subject_id, context),
  entitlement_end: (ports, { account_id, subject_id }, context) => {
    const command = { type: 'EndOrderEntitlement', orderId: subject_id, at: now(ports) } as const;
    return ports.runner.run(account, uuidOf(account_id), command, context);
  },
  card_renewal: (ports, { account_id, subject_id: subscriptionId }, context) => {
    const command = { type: 'RemindOfRenewal', subscriptionId, at: now(ports) } as const;
    return ports.runner.run(subscription, uuidOf(account_id), command, context);
  },
  invitation_end: (ports, { subject_id }, context) =>
    ports.runner.run(teamMember, uuidOf(subject_id), { type: 'ExpireInvitation', at: now(ports) }, context),
  order_window: ({ orders }, { subject_id }, context) => orders.end(subject_id, 'window', context),
  order_sweep: ({ orders }, { subject_id }, context) => orders.end(subject_id, 'sweep', context),
  order_check: ({ orders }, { subject_id }, context) => orders.check(subject_id, context),
};

/** A timer that was reset keeps its id; its due time distinguishes the cause. */
async function fire<Kind extends TimerKind>(ports: TimerPorts, timer: DueTimer<Kind>): Promise<void> {
  const { correlation_id, traceparent } = timer;
  const setBy = { id: timer.event_id, metadata: { correlation_id, traceparent: traceparent ?? undefined } };
  const subject = `${timer.id} ${timer.due_at.toISOString()}`;
  const context = timerContext(subject, `timer:${timer.kind}`, setBy);
  const span = { name: `timer ${timer.kind}`, kind: 'consumer' } as const;
  await following([context.link], span, async () => {
    await effects[timer.kind](ports, timer, ownedContext(context, timer.account_id));
  });
}

/** Handles a wake-up for one timer. A missing row took effect already, or is not projected yet and left to the sweep. */
export async function onTimer(ports: TimerPorts, id: string): Promise<void> {
  const timer = await ports.timers.byId(id);
  if (timer !== undefined) await fire(ports, timer);
}

/**
 * Runs due timers whose wake-up was lost or failed. Timers that depend on heartbeats stay due while these arrive, so the sweep
 * continues behind them. No page begins after the signal is aborted.
 */
export async function sweepTimers(ports: TimerPorts, signal: AbortSignal): Promise<void> {
  const by = ports.clock.now();
  let last: DueTimer | undefined;
  do {
    const due = await ports.timers.due(by, pageSize, last);
    await Promise.all(due.map((timer) => tryToFire(ports, timer)));
    last = due.length < pageSize ? undefined : due.at(-1);
  } while (last !== undefined && !signal.aborted);
}

async function tryToFire(ports: TimerPorts, timer: DueTimer): Promise<void> {
  try {
    await fire(ports, timer);
  } catch (error) {
    const about = { err: error, timer: timer.id };
    ports.logger.warn(about, 'A timer failed; it is retried at the next sweep.');
  }
}
