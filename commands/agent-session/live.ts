import type { Readable } from 'node:stream';
import type { LiveInput, LiveOperation } from '../../contracts/fleet/operations.ts';
import { parseId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { UploadHandle } from '../../contracts/resources/live.ts';
import type { CaptureResult } from '../../contracts/resources/session.ts';
import type { Recorded } from '../../domain/agent-session/state.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import type { LiveAnswer, LiveDownload, LiveFleet } from '../../infra/fleet/control-plane/port.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import { now, stepContext, type Caller } from '../engine/context.ts';
import type { CommandPorts } from '../engine/runner.ts';
import { askBrowser, browserOf, liveTimeouts, noBrowser } from './browser.ts';
import { find, load, run } from './find.ts';
import { observe, type ObservationPorts } from './observe.ts';
import type { OwnedAgentSession } from './ports.ts';

export interface LivePorts extends CommandPorts {
  readonly fleet: LiveFleet;
}

const ask = async <O extends LiveOperation>(
  ports: LivePorts,
  { id }: OwnedAgentSession,
  operation: O,
  input: LiveInput<O>,
) => askBrowser(ports, await load(ports, id), operation, input);

/** The node of the agent session's browser, for requests with a stream; undefined if no browser runs. */
const placeOf = async (ports: LivePorts, { id }: OwnedAgentSession) =>
  browserOf(ports, await load(ports, id));

const pageState = (ports: LivePorts, found: OwnedAgentSession) => ask(ports, found, 'page_state', null);
const cookies = (ports: LivePorts, found: OwnedAgentSession) => ask(ports, found, 'cookies', null);
const downloads = (ports: LivePorts, found: OwnedAgentSession) => ask(ports, found, 'downloads', null);

/** A change's answer, and the position of its event if one was recorded. */
export interface Change<T> {
  readonly answer: LiveAnswer<T>;
  readonly position: Position | undefined;
}

/** Records a completed change. */
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

/** Has the browser make a change, and records it. */
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

/** Uploads a file to the browser, as a stream. */
async function upload(
  ports: LivePorts,
  caller: Caller,
  found: OwnedAgentSession,
  { name, mime, bytes: size, read }: GivenFile,
): Promise<Change<UploadHandle>> {
  const browser = await placeOf(ports, found);
  if (!browser) return { answer: noBrowser, position: undefined };
  const { accountId: account } = caller;
  const call = { ...browser, timeoutMs: liveTimeouts.content, account, name, mime, size };
  return recorded(ports, caller, found, 'file_uploaded', await ports.fleet.putFile(call, read()));
}

/** Downloads a file that the browser has stored, as a stream. */
async function download(
  ports: LivePorts,
  found: OwnedAgentSession,
  name: string,
): Promise<LiveAnswer<LiveDownload>> {
  const browser = await placeOf(ports, found);
  if (!browser) return noBrowser;
  return ports.fleet.download({ ...browser, timeoutMs: liveTimeouts.content }, name);
}

/** A capture stored by the browser for the agent session; throws `not-found` once it is gone. */
async function capture(ports: LivePorts, found: OwnedAgentSession, text: string): Promise<CaptureResult> {
  const id = parseId('capture', text);
  const browser = id && (await placeOf(ports, found));
  if (!id || !browser) throw refuse('not-found');
  const call = { ...browser, timeoutMs: liveTimeouts.kept_capture };
  const answer = await ports.fleet.live(call, 'kept_capture', { id });
  if (answer.status === 'timeout') throw refuse('session-timeout', answer.reason);
  if (answer.status !== 'ok') throw refuse('driver-error', answer.reason);
  if (answer.result === null) throw refuse('not-found');
  return answer.result;
}

/** Live requests of customers to the browser of an agent session, possible during a turn. */
export const createAgentLive = (ports: LivePorts & ObservationPorts) =>
  bindPorts(ports, {
    observe,
    ...{ find, pageState, cookies, downloads, capture, download },
    ...{ setCookies, goInHistory, upload },
  });

export type AgentLive = ReturnType<typeof createAgentLive>;
