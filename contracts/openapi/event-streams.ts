import type { RouteId } from '../routes/index.ts';

export const eventStreamType = 'text/event-stream';

interface EventStream {
  readonly description: string;
  readonly example: string;
}

const said =
  '{"index":1,"entry":{"role":"agent","body":"Tapped \\"Greet\\".","at":"2026-01-31T09:30:02.000Z",' +
  '"intents":[{"kind":"interact","action":{"kind":"tap","text":"Greet"}}]}}';

const operational =
  '{"status":{"indicator":"none","description":"All systems operational"},"components":[{"id":"api","name":"API",' +
  '"status":"operational"}],"incidents":[],"scheduled_maintenances":[],"updated_at":"2026-01-31T09:30:02.000Z"}';

const completed =
  '{"id":"5b2a6c1e-0000-5c43-9d0b-4f3a2b1c0d9e","type":"session.completed","created_at":"2026-01-31T09:30:00.000Z",' +
  '"data":{"session_id":"ses_0198f0a2-6c1e-7c43-9d0b-4f3a2b1c0d9e","duration_ms":61250}}';

/**
 * Server-sent events of routes (https://html.spec.whatwg.org/multipage/server-sent-events.html), sent if `Accept` asks for them.
 * OpenAPI 3.1 has no schema for the format.
 */
export const eventStreams: Readonly<Partial<Record<RouteId, EventStream>>> = {
  'agent-sessions.transcript': {
    description:
      'The comment `: stream open`, a `retry`, then one event `transcript.entry` for each entry: its `id` is the index, its `data` an ' +
      '`IndexedEntry`. `Last-Event-ID` skips the entries up to that index. A comment `: heartbeat <time>` is sent every 15 seconds. ' +
      'The stream ends after the last entry of a closed session. An account may have 10 open at once.',
    example: `: stream open\n\nretry: 1704\n\nevent: transcript.entry\nid: 1\ndata: ${said}\n\n: heartbeat 2026-01-31T09:30:17.000Z\n\n`,
  },
  'events.list': {
    description:
      'The comment `: stream open`, a `retry`, then one event `notification` for each event of the account, in the order of the pages: ' +
      'its `data` is a `WebhookEnvelope`, its `id` the cursor behind it. It starts like a page behind `after`, or with the first event of ' +
      'the account; `Last-Event-ID` comes before `after`, and `limit` does not count. A comment `: heartbeat <time>` is sent every 15 ' +
      'seconds. A client that does not read is disconnected. An account may have 10 open at once.',
    example: `: stream open\n\nretry: 1704\n\nevent: notification\nid: WyIxODA0MjEiLCIxODA0MjEiXQ\ndata: ${completed}\n\n: heartbeat 2026-01-31T09:30:17.000Z\n\n`,
  },
  'status.stream': {
    description:
      'The comment `: stream open`, a `retry`, then one event `status.updated` with the current status, and one at each change: its ' +
      '`data` is a `PublicStatus`. With `Last-Event-ID` only later changes are sent, at most the last 50. A ' +
      'comment `: heartbeat <time>` is sent every 15 seconds. A client that does not read is disconnected.',
    example: `: stream open\n\nretry: 1704\n\nevent: status.updated\nid: 40213\ndata: ${operational}\n\n: heartbeat 2026-01-31T09:30:17.000Z\n\n`,
  },
  'agent-sessions.message': {
    description:
      'The comment `: stream open`, comments `: heartbeat <time>` while the turn runs, and at its end one event `response`: its ' +
      '`data` is `{"status", "body"}`, the answer as it would be without a stream. Refusals are sent in the same way, except those ' +
      'of a credential or of a rate limit.',
    example:
      ': stream open\n\n: heartbeat 2026-01-31T09:30:15.000Z\n\nevent: response\ndata: {"status":200,"body":{"kind":"logged-manual","session":{}}}\n\n',
  },
};
