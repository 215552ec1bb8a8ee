import { parseId } from '../../../contracts/ids.ts';
import { allPrefixes } from '../../../projections/catalogue.ts';
import { lastPosition } from '../../event-store/client/index.ts';
import { origin } from '../../event-store/client/position.ts';
import { takeSample } from './evidence/tables.ts';
import { until, untilNoneLeft } from '../testbed/index.ts';
import { answered } from './history.ts';
import { signIn } from './workload/people-actions.ts';
import type { Player } from './workload/player.ts';
import { useOnceMore } from './workload/profile-actions.ts';
import { peopleInRooms } from './invariants/n31-people-get-in.ts';
import { showOnceMore } from './workload/live-actions.ts';
import { randomOf } from './random.ts';
import { unsuspend } from './workload/staff-actions.ts';
import type { World } from './world/index.ts';

/**
 * Milliseconds that a step of the drain may make no progress. Its total time has no limit: a long run leaves much
 * work.
 */
const LIMIT_MS = 60_000;

/**
 * After the last fault: waits until the service answers, each call of unknown outcome is settled by a repetition under
 * its idempotency key, and everything pending (leases, timers, reactions, read models) is done. Rejects when that
 * takes too long.
 */
export async function drain(world: World, players: readonly Player[]): Promise<void> {
  await world.stack.heal();
  await world.stack.ready().catch(async (cause: unknown) => {
    throw new Error(`It was not ready: ${await readinessOf(world)}`, { cause });
  });
  await Promise.all(players.map(settleOpen));
  await paymentsKnown(world);
  await atRest(world);
}

/** The gateway's report about each part. */
const readinessOf = async ({ stack: { baseUrl } }: World): Promise<string> =>
  fetch(`${baseUrl}/readyz`).then((answer) => answer.text(), String);

async function settleOpen(player: Player): Promise<void> {
  const left = async (): Promise<number> => {
    for (const call of player.client.open.values()) {
      const { answer } = await player.client.call(call);
      if (answer.status === 403) await unsuspend(player);
    }
    return player.client.open.size;
  };
  await untilNoneLeft(left, { limitMs: LIMIT_MS, everyMs: 500 });
}

/**
 * Waits until all callbacks that were not dropped have been delivered, and the service has queried the processors for
 * what the dropped ones contained.
 */
async function paymentsKnown({ payments, operator: { pool } }: World): Promise<void> {
  await payments.delivered();
  const asked = async (): Promise<boolean> => {
    const { rows } = await pool.query(unasked, [payments.lastAt]);
    const { rows: underWay } = await pool.query<{ payment: string }>(confirming);
    const isSettled = ({ payment }: { payment: string }) =>
      payments.crypto.payments.get(payment)?.payment_status !== 'confirming';
    return rows.length === 0 && !underWay.some(isSettled);
  };
  await until(asked, { limitMs: LIMIT_MS, everyMs: 500 });
}

const unasked = `
  select card.id from read_model.subscriptions as card
    left join ephemeral.card_checks as checked on checked.account_id = card.id
    where checked.answered_at is null or checked.answered_at < $1`;
const confirming =
  "select state->'payment'->>'paymentId' as payment from read_model.orders where status = 'confirming'";

/** Waits until the service is idle: no session is being created, nothing is to be sent or due soon, and the log does not grow. */
async function atRest({ operator }: World): Promise<void> {
  let before = -1n;
  let seen: readonly unknown[] = [];
  const left = async (): Promise<number> => {
    const commit = await lastProjected(operator);
    const { readModels } = await takeSample(operator.pool);
    const { rows } = await operator.pool.query<{ id: string; all: number }>(pending);
    const isQuiet = commit === before && readModels === commit;
    seen = [`the log is at ${commit}, the read models at ${readModels}`, ...rows];
    before = commit;
    return (rows[0]?.all ?? 0) + (isQuiet ? 0 : 1);
  };
  await untilNoneLeft(left, { limitMs: LIMIT_MS, everyMs: 1_000 }).catch((cause: unknown) => {
    throw new Error(`It did not come to rest: ${JSON.stringify(seen)}`, { cause });
  });
}

/** Position of the last event that the read models follow; snapshots of states may come after it. */
const lastProjected = async ({ store }: World['operator']): Promise<bigint> =>
  ((await lastPosition(store, allPrefixes)) ?? origin).commit;

/**
 * Timers, deliveries, mails and signed notes are due within seconds, except the ends of paid periods, the checks of
 * ended orders and the ends of invitations. Sessions of a lost node end with its lease.
 */
const pending = `
  select id, (count(*) over ())::integer as all from (
  select id from read_model.timers where kind not in ('entitlement_end', 'card_renewal', 'order_check', 'invitation_end')
  union all select id from read_model.webhook_deliveries where status in ('pending', 'retrying')
  union all select id from read_model.webhook_replays where status = 'running'
  union all select id from read_model.mails where status = 'queued'
  union all select account.id from read_model.accounts as account
    where account.erased_at is null
      and (select max(sequence) from read_model.audit_log where account_id = account.id)
        > coalesce((select max(recorded) from vault.signed_heads where account_id = account.id), 0)
  union all select id from read_model.sessions as session
    where status in ('creating', 'ready', 'busy')
      and not exists (select from ephemeral.nodes as node where session.id = any (node.sessions))
  ) as pending limit 20`;

/**
 * Each account creates, uses and ends one more session, people who know their password sign in, and each profile is
 * used once more, which shows its content. Returns a complaint for each that failed.
 */
export async function serveAgain(world: World, players: readonly Player[]): Promise<readonly string[]> {
  const first = players.filter((player) => player.client.name.endsWith(' 1'));
  const complaints = await Promise.all([
    // One after the other: the first ends any session of the account, to have a free slot.
    ...first.map(async (player) => [...(await tryService(player)), ...(await tryRoom(player))]),
    ...players.map(trySigningIn),
    ...players.map(tryProfiles),
    ...first.map((player) => explainBills(player, world)),
  ]);
  return complaints.flat();
}

/** Each sign-in computes a slow hash, so only the last few people of each program sign in. */
const SIGNING_IN = 5;

async function trySigningIn(player: Player): Promise<readonly string[]> {
  const able = player.people.filter(({ verified, password }) => verified && password !== undefined);
  const complaints: string[] = [];
  for (const person of able.slice(-SIGNING_IN)) {
    const { id, answer } = await signIn(player, person);
    if (answer.kind !== 'done')
      complaints.push(`${player.client.name} could not sign in [${id}]: ${answer.text}`);
  }
  return complaints;
}

async function tryProfiles(player: Player): Promise<readonly string[]> {
  const complaints: string[] = [];
  for (const profile of player.profiles.keys()) {
    const { id, answer } = await useOnceMore(player, profile);
    if (answer.kind !== 'done')
      complaints.push(`${player.client.name} could not launch ${profile} [${id}]: ${answer.text}`);
  }
  return complaints;
}

async function tryRoom(player: Player): Promise<readonly string[]> {
  const { name } = player.client;
  if (!name.startsWith(peopleInRooms)) return [];
  const wrong = await showOnceMore(player, randomOf(0, name));
  return wrong.map((what) => `${name} could not watch and drive: ${what}`);
}

/** The bills of all months that the run may have touched, by the service's clock. */
async function explainBills({ client }: Player, { clock }: World): Promise<readonly string[]> {
  const now = new Date(clock.now());
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1));
  const complaints: string[] = [];
  for (const month of [before, now]) {
    const target = `GET /v1/billing/explain?period=${month.toISOString().slice(0, 7)}`;
    const { id, answer } = await untilServed(() => client.call({ action: 'explain', target }));
    if (answer.kind !== 'done')
      complaints.push(`${client.name} was not told its bill [${id}]: ${answer.text}`);
  }
  return complaints;
}

/** Retries while the answer is 503: on a busy machine a read may exceed its time limit. Returns the last answer. */
async function untilServed<Asked extends { readonly answer: { readonly status?: number } }>(
  ask: () => Promise<Asked>,
): Promise<Asked> {
  let asked = await ask();
  const isServed = async () => {
    if (asked.answer.status === 503) asked = await ask();
    return asked.answer.status !== 503;
  };
  await until(isServed, { limitMs: LIMIT_MS, everyMs: 500 }).catch(() => undefined);
  return asked;
}

async function tryService(player: Player): Promise<readonly string[]> {
  const { client } = player;
  await unsuspend(player);
  await freeASlot(player);
  const made = await client.call({ action: 'create', target: 'POST /v1/sessions', body: {} });
  const id = parseId('session', String(answered(made, 'id')));
  if (id === undefined) return [`${client.name} could not create a session: ${made.answer.text}`];
  const calls = [
    {
      action: 'operate',
      target: `POST /v1/sessions/${id}/wait`,
      body: { condition: { kind: 'delay', ms: 0 } },
    },
    { action: 'destroy', target: `DELETE /v1/sessions/${id}` },
  ];
  for (const call of calls) {
    const { answer } = await client.call(call);
    if (answer.kind !== 'done') return [`${client.name} could not ${call.action}: ${answer.text}`];
  }
  return [];
}

/** Ends one session by DELETE, the contract's way out when a crash has left it busy. */
async function freeASlot({ client }: Player): Promise<void> {
  const { answer } = await client.call({ action: 'list', target: 'GET /v1/sessions?limit=100' });
  const listed =
    answer.kind === 'done'
      ? (JSON.parse(answer.text) as { data: { id: string; status: string }[] }).data
      : [];
  const live = listed.find(({ status }) => status === 'ready' || status === 'busy');
  if (live !== undefined) await client.call({ action: 'destroy', target: `DELETE /v1/sessions/${live.id}` });
}
