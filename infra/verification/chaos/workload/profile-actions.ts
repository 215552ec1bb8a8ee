import { parseId, type ProfileId, type SessionId } from '../../../../contracts/ids.ts';
import { answered, type Exchange } from '../history.ts';
import type { Random } from '../random.ts';
import type { Action, Player } from './player.ts';

/** Few, so that each is launched often. */
const KEPT = 3;

async function create(player: Player, random: Random): Promise<void> {
  if (player.profiles.size >= KEPT) return;
  const made = await player.client.call({
    action: 'create-profile',
    target: 'POST /v1/profiles',
    body: { name: `${player.client.name}, ${random.between(1, 1_000_000_000)}` },
  });
  const id = parseId('profile', String(answered(made, 'id')));
  if (made.answer.kind === 'done' && id !== undefined) player.profiles.set(id, undefined);
}

/** Learns which session has the profile, from the answer or from the refusal. */
async function launch(player: Player, profile: ProfileId): Promise<Exchange> {
  const target = `POST /v1/profiles/${profile}/launch`;
  const launched = await player.client.call({ action: 'launch', target, body: {} });
  const field = launched.answer.kind === 'done' ? 'id' : 'active_session_id';
  const session = parseId('session', String(answered(launched, field)));
  if (session !== undefined) player.profiles.set(profile, session);
  return launched;
}

/** The page counts its visits, and stores which profile made the first one. */
async function visit(player: Player, profile: ProfileId, session: SessionId): Promise<void> {
  const url = `http://sim.test/counter?for=${profile}`;
  const body = { url, timeout_ms: 2_000 };
  const target = `POST /v1/sessions/${session}/navigate`;
  const visited = await player.client.call({ action: 'operate', target, body });
  if (visited.answer.status === 410 || visited.answer.status === 404) player.profiles.set(profile, undefined);
  if (visited.answer.kind !== 'done') return;
  await player.client.call({ action: 'operate', target: `GET /v1/sessions/${session}/state` });
}

async function end(player: Player, profile: ProfileId, session: SessionId): Promise<void> {
  const { answer } = await player.client.call({
    action: 'destroy',
    target: `DELETE /v1/sessions/${session}`,
  });
  if (answer.kind === 'done') player.profiles.set(profile, undefined);
}

/** Ends the session that has it. */
export async function useOnceMore(player: Player, profile: ProfileId): Promise<Exchange> {
  let launched = await launch(player, profile);
  const holder = player.profiles.get(profile);
  if (launched.answer.kind === 'refused' && holder !== undefined) {
    await end(player, profile, holder);
    launched = await launch(player, profile);
  }
  const session = player.profiles.get(profile);
  if (launched.answer.kind === 'done' && session !== undefined) {
    await visit(player, profile, session);
    await end(player, profile, session);
  }
  return launched;
}

const trim = (player: Player, profile: ProfileId): Promise<Exchange> =>
  player.client.call({ action: 'trim', target: `POST /v1/profiles/${profile}/trim`, body: {} });

/** Acts on one of the player's profiles; does nothing if there is none. */
const onOne =
  (act: (player: Player, profile: ProfileId) => Promise<unknown>): Action =>
  async (player, random) => {
    if (player.profiles.size > 0) await act(player, random.pick([...player.profiles.keys()]));
  };

/** Acts on one that has a session. */
const onLive =
  (act: (player: Player, profile: ProfileId, session: SessionId) => Promise<unknown>): Action =>
  async (player, random) => {
    const live = [...player.profiles].filter(([, session]) => session !== undefined);
    if (live.length === 0) return;
    const [profile, session] = random.pick(live);
    if (session !== undefined) await act(player, profile, session);
  };

export const profileActions = {
  'create a profile': create,
  'launch a profile': onOne(launch),
  'launch a profile twice at once': onOne((player, profile) =>
    Promise.all([launch(player, profile), launch(player, profile)]),
  ),
  'visit with a profile': onLive(visit),
  'end the session of a profile': onLive(end),
  'end the session of a profile and launch it': onLive((player, profile, session) =>
    Promise.all([end(player, profile, session), launch(player, profile)]),
  ),
  'trim a profile': onOne(trim),
} as const satisfies Readonly<Record<string, Action>>;
