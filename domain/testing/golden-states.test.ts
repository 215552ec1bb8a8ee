import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { ReadSide } from '../../infra/verification/simulation/read-side.ts';
import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { createUpcast } from '../../infra/event-store/client/upcasting.ts';
import { accountSlots } from '../account-slots.ts';
import { accountWebhooks } from '../account-webhooks.ts';
import { account } from '../account.ts';
import { emailReservation } from '../email.ts';
import { apiKey } from '../api-key.ts';
import type { Decider } from '../kit/decider.ts';
import { mail } from '../mail.ts';
import { node } from '../node.ts';
import { receipt } from '../receipt.ts';
import { session } from '../session/session.ts';
import { webhookDelivery } from '../webhook-delivery/webhook-delivery.ts';
import { webhookEndpoint } from '../webhook-endpoint/webhook-endpoint.ts';
import { webhookReplay } from '../webhook-replay.ts';

/*
 * What every event ever written leads to, now and for ever. A hash that changes says that streams which are there already
 * now fold to another state. Where that is meant, `UPDATE_GOLDEN_STATES=1 npx mocha domain/testing/golden-states.test.ts`
 * writes the new ones, `stateVersion` of a decider with snapshots is raised, and read models are rebuilt.
 */
const golden = new URL('../../infra/event-store/golden/', import.meta.url);
const stored = new URL('./golden-states.json', import.meta.url);

interface GoldenEvent extends DomainEvent {
  readonly category: string;
  readonly version: number;
}

const readJson = <Shape>(url: URL): Shape => JSON.parse(readFileSync(url, 'utf8')) as Shape;
const upcast = createUpcast();
const events = Object.keys(readJson<object>(new URL('hashes.json', golden)))
  .map((path) => readJson<GoldenEvent>(new URL(path, golden)))
  .map((event) => ({ ...event, data: upcast(event.category, event.type, event.version, event.data) }));

const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** The states after every two events that follow the stream's first one. */
function statesOf<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
): State[] {
  const own = events.filter(({ category }) => category === decider.category.name) as unknown as Event[];
  const [first] = own;
  if (first === undefined) throw new Error(`${decider.category.name} has no golden event`);
  return own.flatMap((second) =>
    own.map((third) => [first, second, third].reduce(decider.evolve, decider.initialState)),
  );
}

/** Every golden event of a category is one stream; its rows are those of all tables. */
function readSide(): ReadSide {
  const tables = new ReadSide();
  const streams = new Map<string, number>();
  const recorded = events.map(({ category, type, data }, index): RecordedEvent => {
    const revision = streams.get(category) ?? 0;
    streams.set(category, revision + 1);
    const at = '2026-01-05T12:00:00.000Z';
    const id = '0197f1a0-0000-7000-8000-000000000001';
    return {
      id: `0197f1a0-0000-7000-8000-${String(index).padStart(12, '0')}`,
      stream: `${category}-${id}`,
      category,
      type,
      revision: BigInt(revision),
      position: { commit: BigInt(index), prepare: BigInt(index) },
      data,
      metadata: {
        correlation_id: id,
        causation_id: id,
        actor: { kind: 'staff', account_id: `acc_${id}` },
        occurred_at: at,
        schema_version: 1,
        request_id: null,
      },
      created: new Date(at),
    };
  });
  for (const event of recorded) tables.commit([event]);
  return tables;
}

const present: Record<string, string> = {
  'a session': hash(statesOf(session)),
  'account slots': hash(statesOf(accountSlots)),
  'an account': hash(statesOf(account)),
  'an address': hash(statesOf(emailReservation)),
  'an API key': hash(statesOf(apiKey)),
  'a receipt': hash(statesOf(receipt)),
  'a node': hash(statesOf(node)),
  'a webhook endpoint': hash(statesOf(webhookEndpoint)),
  'webhook endpoints of an account': hash(statesOf(accountWebhooks)),
  'a delivery': hash(statesOf(webhookDelivery)),
  'a replay of a range': hash(statesOf(webhookReplay)),
  'a mail': hash(statesOf(mail)),
  ...Object.fromEntries(
    Object.entries(readSide().content()).map(([name, rows]) => [`the table ${name}`, hash(rows)]),
  ),
};
if (process.env.UPDATE_GOLDEN_STATES === '1') {
  writeFileSync(stored, `${JSON.stringify(present, null, 2)}\n`);
}
const known = readJson<Record<string, string>>(stored);

describe('what the golden events lead to', () => {
  for (const [name, value] of Object.entries(present)) {
    it(`is for ${name} what it always was`, () => expect(value).to.equal(known[name]));
  }
  it('is known for nothing that is not there any more', () => {
    expect(Object.keys(known)).to.have.members(Object.keys(present));
  });
});
