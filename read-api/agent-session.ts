import { refuse } from '../contracts/problems.ts';
import { presentAgentSession } from '../contracts/resources/agent-session.ts';
import {
  acceptsEventStream,
  eventStreamHeaders,
  handlerWithExists,
  type Call,
  type Reply,
  type RequestFacts,
} from '../infra/http/index.ts';
import {
  agentSessionById,
  agentSessionList,
  type AgentSessionRow,
} from '../projections/queries/agent-session.ts';
import { rowById } from '../projections/queries/detail.ts';
import { agentSessions } from '../projections/read-models/agent-session.ts';
import type { Reader } from './engine/credentials.ts';
import type { Cursors } from './engine/cursors.ts';
import type { Pages } from './engine/paging.ts';
import type { Details } from './engine/details.ts';
import { tooManyStreams } from './engine/event-streams.ts';
import { duringOutage } from './engine/log-outage.ts';
import { idOf, showOne, type Read, type ReadCall } from './engine/reading.ts';
import { ownResource } from './engine/resource.ts';
import type { Transcripts } from './transcript/hub.ts';

const route = 'agent-sessions.transcript';
type TranscriptCall = Call<typeof route, Reader, Found>;

/** The agent session of a transcript that the caller may read. */
interface Found extends Pick<Reply, 'headers' | 'position'> {
  readonly row: AgentSessionRow;
}

export function agentSessionReads(
  read: Read,
  { list }: Pages,
  details: Details,
  cursors: Cursors,
  transcripts: Transcripts,
) {
  const whole = showOne(read, 'agentSession', agentSessionById, (row) => row);
  const find = async (call: ReadCall, id: string): Promise<Found> => {
    const { body: row, ...freshness } = await whole.run({ ...call, params: { id } });
    return { row, ...freshness };
  };
  const show = ({ state }: Pick<AgentSessionRow, 'state'>) => presentAgentSession(state);
  return {
    'agent-sessions.list': list('agent-sessions.list', agentSessionList, show),
    ...details(
      'agent-sessions',
      ownResource(read, {
        model: agentSessions,
        idOf: (text) => idOf('agentSession', text),
        statement: rowById(agentSessions),
        show,
      }),
    ),
    [route]: handlerWithExists<typeof route, Reader, Found>({
      exists: (caller, { id }, request) => find({ caller, request }, id),
      run: (call) =>
        acceptsEventStream(call.request)
          ? transcriptStream(call, transcripts, () => find(call, call.params.id))
          : transcriptPage(call, cursors, transcripts),
    }),
  };
}

/** A page of entries, oldest first. A cursor belongs to one transcript: it holds the revision at which the previous page ended. */
async function transcriptPage(
  call: TranscriptCall,
  cursors: Cursors,
  { entries }: Transcripts,
): Promise<Reply> {
  const { caller, query, found } = call;
  const { row, ...freshness } = found;
  const { limit = 50, cursor } = query;
  const ofList = `${route} ${row.id}`;
  const [revision] = cursors.decode(ofList, caller.accountId, cursor) ?? [];
  const from = revision === undefined ? 0n : BigInt(revision) + 1n;
  const placed = await duringOutage('Transcripts', () => entries(row.id, caller.accountId, from, limit + 1));
  const shown = placed.slice(0, limit);
  const last = placed.length > limit ? shown.at(-1) : undefined;
  const body = {
    data: shown.map(({ entry }) => entry),
    has_more: last !== undefined,
    next_cursor: last === undefined ? '' : cursors.encode(ofList, caller.accountId, [String(last.revision)]),
  };
  return { body, ...freshness };
}

async function transcriptStream(
  { caller, request, found }: TranscriptCall,
  { stream }: Transcripts,
  findAgain: () => Promise<Found>,
): Promise<Reply> {
  const { row, headers, position } = found;
  const { accountId, actorId, credentialId } = caller;
  const asked = {
    ...{ accountId, actorId, credentialId },
    after: lastEventId(request),
    finalLength: finalLengthOf(row),
    recheck: async () => finalLengthOf((await findAgain()).row),
  };
  const body = await duringOutage('Transcripts', () => stream(row.id, asked));
  if (body === null) throw tooManyStreams('transcript');
  return { body, position, headers: { ...headers, ...eventStreamHeaders } };
}

/** The final number of entries; null while more may follow. */
const finalLengthOf = ({ state: { status, turn, entries } }: AgentSessionRow): number | null =>
  status === 'closed' && turn === null ? entries : null;

/** Index of the client's last entry; -1: none. */
function lastEventId({ header }: Pick<RequestFacts, 'header'>): number {
  const text = header('last-event-id') ?? '';
  if (text === '') return -1;
  if (!/^\d{1,15}$/.test(text))
    throw refuse(
      'bad-request',
      'Last-Event-ID takes the id of an event of this stream: send it back as it came.',
    );
  return Number(text);
}
