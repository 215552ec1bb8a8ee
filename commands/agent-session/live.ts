import type { Readable } from 'node:stream';
import type { LiveInput, LiveOperation, LiveResult } from '../../contracts/fleet/operations.ts';
import { parseId, uuidOf } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { UploadHandle } from '../../contracts/resources/live.ts';
import type { CaptureResult } from '../../contracts/resources/session.ts';
import type { Recorded } from '../../domain/agent-session/state.ts';
import { exists } from '../../domain/agent-session/state.ts';
import { session } from '../../domain/session/session.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import type { LiveAnswer, LiveCall, LiveDownload, LiveFleet } from '../../infra/fleet/control-plane/port.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import { now, stepContext, type Caller } from '../engine/context.ts';
import type { CommandPorts } from '../engine/runner.ts';
import { find, load, run } from './find.ts';
import type { OwnedAgentSession } from './ports.ts';

export interface LivePorts extends CommandPorts {
  readonly fleet: LiveFleet;
}

/** Milliseconds that an answer may take; of contents, that they may be on their way. */
const timeouts: Readonly<Record<LiveOperation | 'content', number>> = {
  page_state: 5_000,
  observe: 10_000,
  challenge: 5_000,
  cookies: 10_000,
  cookies_set: 15_000,
  history: 30_000,
  downloads: 10_000,
  kept_capture: 30_000,
  content: 120_000,
};

const noBrowser = { status: 'unavailable', reason: 'The agent session has no browser.' } as const;

/** Where the browser is that an agent session works with; undefined while there is none, and once the agent session is closed. */
async function browserOf(
  ports: Pick<LivePorts, 'runner'>,
  { id }: OwnedAgentSession,
): Promise<Omit<LiveCall, 'timeoutMs'> | undefined> {
  const state = await load(ports, id);
  if (!exists(state) || state.status === 'closed' || state.browser === null) return undefined;
  const { state: driven } = await ports.runner.load(session, uuidOf(state.browser.sessionId));
  if (driven.status !== 'ready' && driven.status !== 'busy') return undefined;
  return driven.nodeId === null ? undefined : { node: driven.nodeId, session: driven.sessionId };
}

/** Asks the browser something beside the turns. */
async function ask<O extends LiveOperation>(
  ports: LivePorts,
  found: OwnedAgentSession,
  operation: O,
  input: LiveInput<O>,
): Promise<LiveAnswer<LiveResult<O>>> {
  const browser = await browserOf(ports, found);
  if (!browser) return noBrowser;
  return ports.fleet.live({ ...browser, timeoutMs: timeouts[operation] }, operation, input);
}

const pageState = (ports: LivePorts, found: OwnedAgentSession) => ask(ports, found, 'page_state', null);
const cookies = (ports: LivePorts, found: OwnedAgentSession) => ask(ports, found, 'cookies', null);
const downloads = (ports: LivePorts, found: OwnedAgentSession) => ask(ports, found, 'downloads', null);

/** How a change of the browser went, and the position of its record where it was made. */
export interface Change<T> {
  readonly answer: LiveAnswer<T>;
  readonly position: Position | undefined;
}

/** Records a change that was made. */
async function recorded<T>(
  ports: LivePorts,
  { context }: Caller,
  { id }: OwnedAgentSession,
  change: Recorded<'BrowserChanged'>['change'],
  answer: LiveAnswer<T>,
): Promise<Change<T>> {
  if (answer.status !== 'ok') return { answer, position: undefined };
  const command = { type: 'RecordBrowserChange', change, at: now(ports) } as const;
  const { position } = await run(ports, id, command, stepContext(context, 'record-change'));
  return { answer, position };
}

/** Asks the browser for a change, and records it as that. */
const changing =
  <O extends 'cookies_set' | 'history'>(operation: O, change: Recorded<'BrowserChanged'>['change']) =>
  async (ports: LivePorts, caller: Caller, found: OwnedAgentSession, input: LiveInput<O>) =>
    recorded(ports, caller, found, change, await ask(ports, found, operation, input));

const setCookies = changing('cookies_set', 'cookies_set');
const goInHistory = changing('history', 'history_moved');

interface GivenFile {
  readonly name: string;
  readonly mime: string;
  readonly bytes: number;
  readonly read: () => Readable;
}

/** Gives the browser a file, as a stream. */
async function upload(
  ports: LivePorts,
  caller: Caller,
  found: OwnedAgentSession,
  { name, mime, bytes: size, read }: GivenFile,
): Promise<Change<UploadHandle>> {
  const browser = await browserOf(ports, found);
  if (!browser) return { answer: noBrowser, position: undefined };
  const { accountId: account } = caller;
  const call = { ...browser, timeoutMs: timeouts.content, account, name, mime, size };
  return recorded(ports, caller, found, 'file_uploaded', await ports.fleet.putFile(call, read()));
}

/** A file that the browser has kept, with its content as a stream. */
async function download(
  ports: LivePorts,
  found: OwnedAgentSession,
  name: string,
): Promise<LiveAnswer<LiveDownload>> {
  const browser = await browserOf(ports, found);
  if (!browser) return noBrowser;
  return ports.fleet.download({ ...browser, timeoutMs: timeouts.content }, name);
}

/** A capture that the browser keeps for the agent session; `not-found` once it does not. */
async function capture(ports: LivePorts, found: OwnedAgentSession, text: string): Promise<CaptureResult> {
  const id = parseId('capture', text);
  const browser = id && (await browserOf(ports, found));
  if (!id || !browser) throw refuse('not-found');
  const call = { ...browser, timeoutMs: timeouts.kept_capture };
  const answer = await ports.fleet.live(call, 'kept_capture', { id });
  if (answer.status === 'timeout') throw refuse('session-timeout', answer.reason);
  if (answer.status !== 'ok') throw refuse('driver-error', answer.reason);
  if (answer.result === null) throw refuse('not-found');
  return answer.result;
}

/** What customers ask of the browser of an agent session beside its turns, whether or not one is under way. */
export const createAgentLive = (ports: LivePorts) =>
  bindPorts(ports, {
    ...{ find, pageState, cookies, downloads, capture, download },
    ...{ setCookies, goInHistory, upload },
  });

export type AgentLive = ReturnType<typeof createAgentLive>;
