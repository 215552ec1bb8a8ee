import { Feed } from 'feed';
import { dayMs } from '../contracts/durations.ts';
import { refuse } from '../contracts/problems.ts';
import type { StatusIncident } from '../contracts/resources/status.ts';
import { statusComponents, uptimeWindows } from '../contracts/status.ts';
import { eventStreamHeaders, html, type Call } from '../infra/http/index.ts';
import type { Reader } from './engine/credentials.ts';
import { retryStreamSeconds } from './engine/event-streams.ts';
import type { StatusHub } from './status/hub.ts';

const json = 'application/json';

/** The public status, served from memory even while the stores are unavailable. `publicUrl`: without a final slash. */
export const statusReads = (status: StatusHub, publicUrl: string) => ({
  'status.get': {
    run: async () => {
      const { body, ageSeconds } = status.current();
      return { body, headers: { 'Content-Type': json, Age: String(ageSeconds) } };
    },
  },
  'status.stream': {
    run: async ({ request }: Call<'status.stream', Reader, never>) => {
      const body = status.stream(request.ip ?? 'unknown', request.header('last-event-id'));
      if (body === null)
        throw refuse('rate-limited', 'Too many streams are open.', {
          retry_after_seconds: retryStreamSeconds,
        });
      return { body, headers: eventStreamHeaders };
    },
  },
  'status.sla': { run: async () => ({ body: status.uptime() }) },
  'status.feed': {
    run: async () => ({
      body: feedOf(status.board().incidents, publicUrl, status.confirmedAt()),
      headers: { 'Content-Type': 'application/atom+xml; charset=utf-8' },
    }),
  },
});

const mostEntries = 50;
/** How long a resolved incident is in the feed. */
const shownMs = Math.max(...uptimeWindows) * dayMs;

/** Open incidents, then those that were resolved shortly before a time; the newest first of each. */
function shownAt(incidents: readonly StatusIncident[], at: Date): StatusIncident[] {
  const open = incidents.filter(({ resolved_at }) => resolved_at === null);
  const recent = incidents.filter(
    ({ resolved_at }) => resolved_at !== null && at.getTime() - Date.parse(resolved_at) < shownMs,
  );
  return [...open, ...recent].slice(0, mostEntries);
}

/** The feed as it was known at a time. Ids of entries are URLs, as Atom requires, and never change. */
function feedOf(all: readonly StatusIncident[], baseUrl: string, checked: Date): string {
  const incidents = shownAt(all, checked);
  const link = `${baseUrl}/v1/status`;
  const changedAt = ({ updates, created_at }: StatusIncident) =>
    new Date(updates[0]?.created_at ?? created_at);
  const [newest] = incidents.map(changedAt).sort((one, other) => other.getTime() - one.getTime());
  const feed = new Feed({
    title: 'Incidents',
    description: 'Incidents of the service.',
    id: link,
    link,
    feedLinks: { atom: `${baseUrl}/v1/status/feed.atom` },
    copyright: '',
    author: { name: 'Service status', link },
    updated: newest ?? checked,
  });
  for (const incident of incidents) {
    const { id, title, impact, components, created_at, updates } = incident;
    const affected = components.map((component) => statusComponents[component]).join(', ');
    feed.addItem({
      title: escaped(title),
      id: `${link}#${id}`,
      link: `${link}#${id}`,
      date: changedAt(incident),
      published: new Date(created_at),
      description: escaped(`Impact: ${impact}. Affected: ${affected}.`),
      content: updates
        .map((each) => html`<p>${each.created_at} ${each.status}: ${each.message}</p>`.text)
        .join('\n'),
    });
  }
  return feed.atom1();
}

/** The library declares every text as HTML. */
const escaped = (text: string): string => html`${text}`.text;
