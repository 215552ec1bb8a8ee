import { Readable } from 'node:stream';
import type { AgentLive } from '../../commands/agent-session/live.ts';
import type { AgentVideo } from '../../commands/agent-session/video.ts';
import { invalid } from '../../contracts/field-errors.ts';
import type { LiveStatus } from '../../contracts/resources/live.ts';
import type { agentLiveRoutes } from '../../contracts/routes/agent-live.ts';
import { tooMuchAtOnce } from '../../infra/fleet/control-plane/live.ts';
import type { LiveAnswer, LiveDownload } from '../../infra/fleet/control-plane/port.ts';
import { givenName } from '../../infra/fleet/node/file-name.ts';
import { base64Of } from '../../infra/platform/base64.ts';
import type { Spooled } from '../../infra/platform/spool.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';

type LiveRoutes = (typeof agentLiveRoutes)[number]['id'];

/** Live routes to the browser of an agent session, usable during a turn. */
export function agentLiveHandlers(
  live: AgentLive,
  video: AgentVideo,
  handling: Handling,
): HandlersOf<LiveRoutes> {
  const onAgentSession = handling.answeringOn((caller, id) => live.find(caller, id));
  return {
    ...contentHandlers(live, handling),
    'agent-sessions.video-token': onAgentSession(async ({ caller, found }) => ({
      body: await video.videoToken(found, caller),
    })),
    'agent-sessions.gui-control-key': onAgentSession(async ({ caller, found }) => ({
      body: await video.guiControlKey(found, caller),
    })),
    'agent-sessions.capture': onAgentSession(async ({ found, params }) => ({
      body: await live.capture(found, params.capture_id),
    })),
    'agent-sessions.page-state': onAgentSession(async ({ found }) => ({
      body: { page_state: resultOf(await live.pageState(found)) },
    })),
    'agent-sessions.cookies': onAgentSession(async ({ found }) => {
      const answer = await live.cookies(found);
      return { body: { cookies: resultOf(answer)?.cookies ?? null, ...statusOf(answer) } };
    }),
    'agent-sessions.cookies-set': onAgentSession(async ({ caller, found, body: { cookies } }) => {
      const { answer, position } = await live.setCookies(caller, found, { cookies });
      return { body: statusOf(answer), position };
    }),
    'agent-sessions.history': onAgentSession(async ({ caller, found, body: { direction, tabId } }) => {
      const input = { direction, ...(tabId !== undefined && { tabId }) };
      const { answer, position } = await live.goInHistory(caller, found, input);
      return { body: statusOf(answer), position };
    }),
    'agent-sessions.downloads': onAgentSession(async ({ found }) => {
      const answer = await live.downloads(found);
      return { body: { files: resultOf(answer)?.files ?? null, ...statusOf(answer) } };
    }),
  };
}

type ContentRoutes = 'agent-sessions.upload' | 'agent-sessions.download';

/** Contents of files are streamed, never buffered whole. */
function contentHandlers(live: AgentLive, { answeringOn }: Handling): HandlersOf<ContentRoutes> {
  const onAgentSession = answeringOn((caller, id) => live.find(caller, id));
  return {
    'agent-sessions.upload': onAgentSession(async ({ caller, found, body, file }) => {
      const given = { name: nameIn(body.name), mime: body.mime };
      if (file === null) return { body: { handle: null, status: 'error', reason: tooMuchAtOnce } };
      const { answer, position } = await live.upload(caller, found, { ...given, ...contentOf(file) });
      return { body: { handle: resultOf(answer), ...statusOf(answer) }, position };
    }),
    'agent-sessions.download': onAgentSession(async ({ found, query: { name } }) => {
      const answer = await live.download(found, name);
      if (answer.status !== 'ok') return { body: { file: null, ...statusOf(answer) } };
      return { headers: { 'Content-Type': 'application/json' }, body: downloadBody(answer.result) };
    }),
  };
}

const resultOf = <T>(answer: LiveAnswer<T>): T | null => (answer.status === 'ok' ? answer.result : null);

const statusOf = (answer: LiveAnswer<unknown>): LiveStatus =>
  answer.status === 'ok' ? { status: 'ok' } : { status: answer.status, reason: answer.reason };

const contentOf = ({ bytes, read }: Spooled) => ({ bytes, read });

/** The base name of a file; throws if it is empty. */
function nameIn(text: string): string {
  const name = givenName(text);
  if (name === '') throw invalid({ path: '/body/name', code: 'name', message: 'must contain a file name' });
  return name;
}

/** `DownloadContent`, written while the file is received. If the file fails, so does the answer. */
function downloadBody({ content, name, mime }: LiveDownload): Readable {
  const facts = JSON.stringify({ name, mime: mime || 'application/octet-stream' });
  const text = async function* () {
    yield `{"file":${facts.slice(0, -1)},"dataB64":"`;
    yield* base64Of(content);
    yield '"},"status":"ok"}';
  };
  return Readable.from(text(), { objectMode: false }).once('close', () => content.destroy());
}
