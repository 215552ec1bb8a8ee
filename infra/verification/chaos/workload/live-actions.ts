import { parseId, type AgentSessionId } from '../../../../contracts/ids.ts';
import { messageOf } from '../../../platform/error-message.ts';
import { joinByMedia } from '../../live-view/media-participant.ts';
import type { VideoBlock } from '../../live-view/picture-participant.ts';
import { ordinaryPages } from '../../hostile-pages/catalogue.ts';
import { answered, type Exchange } from '../history.ts';
import type { Random } from '../random.ts';
import { close, onOne, sayAnything } from './agent-actions.ts';
import type { Action, Player } from './player.ts';
import { Visitor } from './visitor.ts';

/**
 * Maximal number of rooms at once. More rooms would each be watched less, and real browsers need most of the machine.
 */
const kept = { simulated: 3, webkit: 1 };
/** Of a link, in seconds. */
const ttl_seconds = 120;
/** Modes of new agent sessions; most are driven. */
const modes = ['pair', 'pair', 'manual', 'ai'] as const;

const pageOf = ({ world }: Player, random: Random): string =>
  world.browsers === 'webkit' ? world.site.urlOf(random.pick(ordinaryPages)) : 'http://sim.test/form';

async function openRoom(player: Player, random: Random, mode = random.pick(modes)) {
  const made = await player.client.call({
    action: 'open-agent',
    target: 'POST /v1/agent-sessions',
    body: { mode, initial_url: pageOf(player, random) },
  });
  const id = parseId('agentSession', String(answered(made, 'id')));
  return made.answer.kind === 'done' ? id : undefined;
}

interface Invitation {
  readonly video: VideoBlock;
  readonly right: 'watch' | 'control';
  readonly link: string | undefined;
}

const blockIn = (player: Player, block: unknown): VideoBlock | undefined => {
  if (typeof block !== 'object' || block === null || !('token' in block)) return undefined;
  player.canaries.push({ name: 'video token', text: String(block.token) });
  return block as VideoBlock;
};

/** A room that is closed is dropped. */
function dropIfClosed(player: Player, agent: AgentSessionId, { answer }: Exchange): void {
  if (answer.status === 403 || answer.status === 404) player.agents.delete(agent);
}

async function byToken(player: Player, agent: AgentSessionId): Promise<Invitation | undefined> {
  const target = `POST /v1/agent-sessions/${agent}/video-token`;
  const given = await player.client.call({ action: 'video-token', target });
  dropIfClosed(player, agent, given);
  if (given.answer.kind !== 'done') return undefined;
  const video = blockIn(player, JSON.parse(given.answer.text));
  return video && { video, right: 'control', link: undefined };
}

async function byLink(
  player: Player,
  agent: AgentSessionId,
  right: 'watch' | 'control',
): Promise<Invitation | undefined> {
  const target = `POST /v1/agent-sessions/${agent}/links`;
  const made = await player.client.call({ action: 'create-link', target, body: { right, ttl_seconds } });
  const [link, token] = [answered(made, 'id'), answered(made, 'token')];
  if (made.answer.kind !== 'done' || typeof link !== 'string' || typeof token !== 'string') return undefined;
  player.canaries.push({ name: 'token of a link to a room', text: token });
  const opened = await player.client.call({
    ...{ action: 'open-link', target: 'POST /v1/agent-session-links/open', body: { token }, token: null },
  });
  const video = opened.answer.kind === 'done' ? blockIn(player, answered(opened, 'video')) : undefined;
  return video && { video, right, link };
}

/** The browser of an agent session that people drive is not replaced once it has ended. */
async function closeIfLost(player: Player, agent: AgentSessionId): Promise<void> {
  const { outcome, status } = player.world.live.visits.findLast(({ room }) => room === agent) ?? {};
  if (outcome === 'refused' && status === 409) await close(player, agent);
}

async function enter(
  player: Player,
  agent: AgentSessionId,
  invitation: Invitation | undefined,
  as: 'watcher' | 'driver',
): Promise<Visitor | undefined> {
  if (invitation === undefined) return undefined;
  const { video, right, link } = invitation;
  const admission = { room: agent, as, right, isByLink: link !== undefined };
  const visitor = await Visitor.join(player.world.live, video, admission);
  if (visitor === undefined) await closeIfLost(player, agent);
  return visitor;
}

/** Leaves the room, or, in three of ten cases, breaks the connection. */
function go(visitor: Visitor, random: Random): void {
  if (random.next() < 0.3) visitor.vanish();
  else visitor.leave();
}

async function watch(player: Player, agent: AgentSessionId, random: Random): Promise<void> {
  const own = random.next() < 0.4;
  const invitation = own ? await byToken(player, agent) : await byLink(player, agent, 'watch');
  if (invitation && player.world.browsers === 'webkit' && random.next() < 0.5)
    return watchMedia(player, agent, invitation, random);
  const visitor = await enter(player, agent, invitation, 'watcher');
  if (visitor === undefined) return;
  await visitor.shown();
  // A person who may only watch is refused.
  if (!own && random.next() < 0.3) await visitor.touch();
  const stays = visitor.stay(random.between(100, 2_500));
  if (invitation?.link !== undefined && random.next() < 0.5) await revoke(player, agent, invitation.link);
  await stays;
  go(visitor, random);
}

const revoke = ({ client }: Player, agent: AgentSessionId, link: string): Promise<Exchange> =>
  client.call({ action: 'revoke-link', target: `DELETE /v1/agent-sessions/${agent}/links/${link}` });

/** Watches by WebRTC. */
async function watchMedia(
  { world }: Player,
  agent: AgentSessionId,
  { video, link }: Invitation,
  random: Random,
): Promise<void> {
  const visit = world.live.visit({ room: agent, as: 'watcher', by: 'media', isByLink: link !== undefined });
  try {
    const viewer = await joinByMedia(video);
    visit.outcome = 'joined';
    await viewer.stay(random.between(100, 2_500));
    visit.pictures = viewer.packets();
    await viewer.leave();
  } catch (error) {
    const why = messageOf(error);
    const status = /response: (\d+)/.exec(why)?.[1];
    Object.assign(visit, { outcome: status === undefined ? 'lost' : 'refused', why });
    if (status !== undefined) visit.status = Number(status);
  }
}

/** Takes the controls if that is necessary, touches, and ends in one of several ways. */
async function drive(player: Player, agent: AgentSessionId, random: Random, isByLink = random.next() < 0.4) {
  const invitation = isByLink ? await byLink(player, agent, 'control') : await byToken(player, agent);
  const visitor = await enter(player, agent, invitation, 'driver');
  if (visitor === undefined) return;
  const control = await visitor.greeted();
  const holds = control?.mode === 'pair' && (await visitor.takeOver());
  for (let left = random.between(1, 5); left > 0 && visitor.isHere; left -= 1)
    await touchSome(visitor, random);
  if (holds && random.next() < 0.5) await visitor.handBack();
  // Until the heartbeat of a silent driver is overdue.
  else if (random.next() < 0.2) await visitor.stay(4_000);
  go(visitor, random);
}

/** Sends one touch, or several at once, now and then under an epoch that is over. */
async function touchSome(visitor: Visitor, random: Random): Promise<void> {
  const epoch = visitor.control?.epoch ?? 1;
  const isOld = epoch > 1 && random.next() < 0.15;
  const times = random.next() < 0.3 ? random.between(2, 4) : 1;
  await Promise.all(Array.from({ length: times }, () => visitor.touch(isOld ? epoch - 1 : epoch)));
}

/** Milliseconds in which everything must work once all faults are over. */
const SERVED_MS = 20_000;
/** Pause between touches of a busy page, in milliseconds: without it there are too many messages, which are not answered. */
const AGAIN_MS = 250;

/** Opens a room, drives in it and watches it. Returns what did not work. */
export async function showOnceMore(player: Player, random: Random): Promise<readonly string[]> {
  // Their browsers may use all of the account's slots.
  for (const room of player.agents) await close(player, room);
  const agent = await openRoom(player, random, 'manual');
  if (agent === undefined) return ['no room was opened'];
  const wrong = [...(await touchOnce(player, agent)), ...(await seeOnce(player, agent))];
  await close(player, agent);
  return wrong;
}

async function touchOnce(player: Player, agent: AgentSessionId): Promise<readonly string[]> {
  const endsAt = Date.now() + SERVED_MS;
  const driver = await enter(player, agent, await byToken(player, agent), 'driver');
  if (driver === undefined) return ['a driver was not let in'];
  await driver.greeted();
  let answer = await driver.touch();
  while (driver.isHere && answer !== 'ok' && Date.now() < endsAt) {
    await driver.stay(AGAIN_MS);
    answer = await driver.touch();
  }
  driver.leave();
  return answer === 'ok' ? [] : [`a touch was answered ${answer ?? 'nothing'}`];
}

async function seeOnce(player: Player, agent: AgentSessionId): Promise<readonly string[]> {
  const watcher = await enter(player, agent, await byLink(player, agent, 'watch'), 'watcher');
  const seen = await watcher?.shown();
  watcher?.leave();
  return seen === true ? [] : ['a watcher saw nothing'];
}

export const liveActions = {
  'open a room': async (player, random) => {
    if (player.agents.size >= kept[player.world.browsers]) return;
    const agent = await openRoom(player, random);
    if (agent !== undefined) player.agents.add(agent);
  },
  'give a room to people': onOne((player, agent, random) => {
    const target = `POST /v1/agent-sessions/${agent}/mode`;
    const mode = random.pick(['pair', 'pair', 'manual'] as const);
    return player.client.call({ action: 'change-mode', target, body: { mode } });
  }),
  'watch a room': onOne(watch),
  'drive in a room': onOne((player, agent, random) => drive(player, agent, random)),
  'two drive in a room at once': onOne((player, agent, random) =>
    Promise.all([drive(player, agent, random, false), drive(player, agent, random.of('rival'), true)]),
  ),
  'drive in a room under a message': onOne((player, agent, random) =>
    Promise.all([drive(player, agent, random), sayAnything(player, agent, random.of('message'))]),
  ),
} as const satisfies Readonly<Record<string, Action>>;
