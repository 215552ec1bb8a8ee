import { parseId } from '../../../contracts/ids.ts';
import { takeSample } from './evidence/tables.ts';
import { until } from '../testbed/index.ts';
import { answered } from './history.ts';
import { signIn } from './workload/people-actions.ts';
import type { Player } from './workload/player.ts';
import { useOnceMore } from './workload/profile-actions.ts';
import { settleCreate } from './workload/session-actions.ts';
import { unsuspend } from './workload/staff-actions.ts';
import type { World } from './world/index.ts';

/** How long the service may take for each of these after the last fault, milliseconds. */
const LIMIT_MS = 60_000;

/**
 * Faults have ended: everything must serve again, each create under a key must be settled by its retry, and what is
 * pending (leases, timers, reactions, read models) must come to rest, within a bound. Rejects when it does not.
 */
export async function drain(world: World, players: readonly Player[]): Promise<void> {
  await world.stack.heal();
  await world.stack.ready();
  await Promise.all(players.map(settleOpen));
  await atRest(world);
}

async function settleOpen(player: Player): Promise<void> {
  const settled = async (): Promise<boolean> => {
    for (const [key, call] of player.open) await settleCreate(player, key, call);
    return player.open.size === 0;
  };
  await until(settled, { limitMs: LIMIT_MS, everyMs: 500 });
}

/** Nothing more happens by itself: no session is being created, nothing is to be sent or due soon, and the log has not grown meanwhile. */
async function atRest({ operator }: World): Promise<void> {
  let before = -1n;
  let seen: readonly unknown[] = [];
  const quiet = async (): Promise<boolean> => {
    const { commit } = (await operator.store.head()) ?? { commit: -1n };
    const { readModels } = await takeSample(operator.pool);
    const { rows } = await operator.pool.query<{ id: string }>(pending);
    const isQuiet = commit === before && readModels === commit && rows.length === 0;
    seen = [`the log is at ${commit}, the read models at ${readModels}`, ...rows];
    before = commit;
    return isQuiet;
  };
  await until(quiet, { limitMs: LIMIT_MS, everyMs: 1_000 }).catch((cause: unknown) => {
    throw new Error(`It did not come to rest: ${JSON.stringify(seen)}`, { cause });
  });
}

/** Timers, deliveries and mails of the workload are due within seconds; a lost node's sessions end with its lease. */
const pending = `
  select id from read_model.timers
  union all select id from read_model.webhook_deliveries where status in ('pending', 'retrying')
  union all select id from read_model.webhook_replays where status = 'running'
  union all select id from read_model.mails where status = 'queued'
  union all select id from read_model.sessions as session
    where status in ('creating', 'ready', 'busy')
      and not exists (select from ephemeral.nodes as node where session.id = any (node.sessions))
  limit 20`;

/**
 * Each account makes, drives and ends a session once more, people who know their password sign in, and each profile is used
 * once more, which shows what is left in it. Gives the complaints of those that could not.
 */
export async function serveAgain(players: readonly Player[]): Promise<readonly string[]> {
  const first = players.filter((player) => player.client.name.endsWith(' 1'));
  const complaints = await Promise.all([
    ...first.map(tryService),
    ...players.map(trySigningIn),
    ...players.map(tryProfiles),
  ]);
  return complaints.flat();
}

/** Each sign-in is a slow hash: the last few people of a program stand for all. */
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

/** Ends one session, which may be busy for ever after a crash: DELETE is the contract's way out. */
async function freeASlot({ client }: Player): Promise<void> {
  const { answer } = await client.call({ action: 'list', target: 'GET /v1/sessions?limit=100' });
  const listed =
    answer.kind === 'done'
      ? (JSON.parse(answer.text) as { data: { id: string; status: string }[] }).data
      : [];
  const live = listed.find(({ status }) => status === 'ready' || status === 'busy');
  if (live !== undefined) await client.call({ action: 'destroy', target: `DELETE /v1/sessions/${live.id}` });
}
