import type { Category, DomainEvent } from '../../contracts/events/catalogue.ts';
import { incidentEvents, type IncidentEvent } from '../../contracts/events/incident.ts';
import {
  statusSubscriberEvents,
  type StatusSubscriberEvent,
} from '../../contracts/events/status-subscriber.ts';
import { uuidOf, type StatusSubscriptionId } from '../../contracts/ids.ts';
import { statusComponents, type StatusComponent } from '../../contracts/status.ts';
import { incident } from '../../domain/incident.ts';
import { statusSubscriber } from '../../domain/status-subscriber.ts';
import type { Position, RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { reactionContext, stepContext, type CommandContext } from '../engine/context.ts';
import { hasKnownType } from '../engine/recording.ts';
import type { CommandPorts } from '../engine/runner.ts';
import { queueSubscriberMail, type SubscriberMailToQueue } from '../mail/index.ts';
import { forgetSubscriptions } from '../status/subscribers.ts';
import type { ProcessManager } from './engine/process-manager.ts';

/** An active subscription, and the uuid of its subscriber's stream. */
interface ListedSubscriber {
  readonly subscriber: string;
  readonly subscriptionId: StatusSubscriptionId;
}

export interface StatusManagerPorts extends CommandPorts {
  readonly vault: Pick<Vault, 'forget'>;
  /** Subscribers of any of these components, ordered by uuid. */
  readonly subscribers: (
    components: readonly StatusComponent[],
    page: { readonly after: string; readonly limit: number },
  ) => Promise<readonly ListedSubscriber[]>;
  /** Whether the list of subscribers includes every event up to a position. */
  readonly isListedUpTo: (position: Position) => Promise<boolean>;
}

/** Queues the mails about incidents, and erases the addresses of ended subscriptions. */
export const statusManagers = (ports: StatusManagerPorts): readonly ProcessManager[] => [
  inOrder<StatusSubscriberEvent>('status-subscriptions', statusSubscriberEvents, (event, context) =>
    reactToSubscription(ports, event, context),
  ),
  inOrder<IncidentEvent>('incident-mails', incidentEvents, (event, context) =>
    mailAboutIncident(ports, event, context),
  ),
];

/** Reacts to each stream's events sequentially. */
const inOrder = <Event extends DomainEvent>(
  name: string,
  category: Category,
  perform: (event: RecordedEvent & Event, context: CommandContext) => Promise<void>,
): ProcessManager => ({
  name,
  types: Object.keys(category.types),
  partition: ({ stream }) => stream,
  handle: async (event) => {
    if (hasKnownType<Event>(category, event)) await perform(event, reactionContext(name, event));
  },
});

const namesOf = (components: readonly StatusComponent[] | null): string =>
  components === null ? 'all components' : components.map((id) => statusComponents[id]).join(', ');

const uuidIn = ({ stream, category }: RecordedEvent): string => stream.slice(category.length + 1);

/** Mails pending and confirmed subscribers, and destroys the data keys of ended subscriptions. */
async function reactToSubscription(
  ports: StatusManagerPorts,
  event: RecordedEvent & StatusSubscriberEvent,
  context: CommandContext,
): Promise<void> {
  const subscriber = uuidIn(event);
  switch (event.type) {
    case 'SubscriptionRequested': {
      const { subscriptionId, components, expiresAt, supersedes } = event.data;
      const facts = { components: namesOf(components) };
      const mail = { template: 'status-confirm', facts, expiresAt, subscriber, subscriptionId } as const;
      await queueSubscriberMail(ports, mail, context);
      return forgetSubscriptions(ports.vault, [supersedes]);
    }
    case 'SubscriptionConfirmed': {
      const { subscriptionId, replaces } = event.data;
      const { state } = await ports.runner.load(statusSubscriber, subscriber);
      const facts = { components: namesOf(state.confirmed?.components ?? null) };
      const mail = { template: 'status-subscribed', facts, subscriber, subscriptionId } as const;
      await queueSubscriberMail(ports, mail, context);
      return forgetSubscriptions(ports.vault, [replaces]);
    }
    case 'SubscriptionEnded':
      return forgetSubscriptions(ports.vault, event.data.subscriptionIds);
  }
}

/** Subscribers whose mails are queued concurrently. */
const pageSize = 50;

/** Queues a mail to every subscriber. Mail ids derive from the event and the subscription: a repetition queues none twice. */
async function mailAboutIncident(
  ports: StatusManagerPorts,
  event: RecordedEvent & IncidentEvent,
  context: CommandContext,
): Promise<void> {
  const { state } = await ports.runner.load(incident, uuidIn(event));
  if (state.status === 'none') return;
  const { title, components } = state;
  const content = contentOf(event, { title, components: namesOf(components) });
  if (content === undefined) return;
  if (!(await ports.isListedUpTo(event.position))) throw new Error('The list of subscribers is behind.');
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const page = await ports.subscribers(components, { after, limit: pageSize });
    const queue = (to: ListedSubscriber) =>
      queueSubscriberMail(ports, { ...content, ...to }, stepContext(context, uuidOf(to.subscriptionId)));
    await Promise.all(page.map(queue));
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.subscriber;
  }
}

type IncidentMail = Extract<SubscriberMailToQueue, { readonly template: `incident-${string}` }>;
type Content = IncidentMail extends infer Each
  ? Each extends unknown
    ? Omit<Each, keyof ListedSubscriber>
    : never
  : never;

/** Undefined if the event triggers no mail. */
function contentOf(
  { type, data }: IncidentEvent,
  about: { readonly title: string; readonly components: string },
): Content | undefined {
  const { message } = data;
  switch (type) {
    case 'IncidentOpened':
      return { template: 'incident-posted', facts: { ...about, message, impact: data.impact } };
    case 'IncidentUpdated':
      if (!data.isMailed) return undefined;
      return { template: 'incident-update', facts: { ...about, message, status: data.status } };
    case 'IncidentResolved':
      return { template: 'incident-resolved', facts: { ...about, message } };
  }
}
