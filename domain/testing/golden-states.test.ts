import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { ReadSide } from '../../infra/verification/simulation/read-side.ts';
import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import { categories } from '../../contracts/events/index.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { createUpcast } from '../../infra/event-store/client/decoding.ts';
import { deciders, type AnyDecider } from './deciders.ts';

/*
 * Golden states and rows of every event ever written, in `golden-states/`. A difference means that existing streams now fold to
 * another state. If that is intended, write the new files by `UPDATE_GOLDEN_STATES=1 npx mocha
 * domain/testing/golden-states.test.ts`, raise `stateVersion` of a decider with snapshots, and rebuild read models.
 */
const golden = new URL('../../infra/event-store/golden/', import.meta.url);
const stored = new URL('./golden-states/', import.meta.url);

interface GoldenEvent extends DomainEvent {
  readonly category: string;
  readonly version: number;
}

const readJson = <Shape>(url: URL): Shape => JSON.parse(readFileSync(url, 'utf8')) as Shape;
const upcast = createUpcast();
const events = Object.keys(readJson<object>(new URL('hashes.json', golden)))
  .map((path) => readJson<GoldenEvent>(new URL(path, golden)))
  .map((event) => ({ ...event, data: upcast(event.category, event.type, event.version, event.data) }));

/** A state and all histories that lead to it, each as types and versions of its events. */
interface Reached {
  readonly after: readonly string[];
  readonly state: unknown;
}

/** The states after each pair of events behind the stream's first one; equal ones are grouped. */
function statesOf({ category, evolve, initialState }: AnyDecider): Reached[] {
  const own = events.filter((event) => event.category === category.name);
  const [first] = own;
  if (first === undefined) throw new Error(`${category.name} has no golden event`);
  const reached = new Map<string, string[]>();
  for (const history of own.flatMap((second) => own.map((third) => [first, second, third]))) {
    const state = JSON.stringify(history.reduce(evolve, initialState));
    const name = history.map(({ type, version }) => `${type}.v${version}`).join(' > ');
    reached.set(state, [...(reached.get(state) ?? []), name]);
  }
  return Array.from(reached, ([state, after]) => ({ after, state: JSON.parse(state) as unknown }));
}

/** All golden events of a category form one stream; the rows are those of all tables. */
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

const states = Object.fromEntries(
  Object.entries(deciders).map(([name, decider]) => [`${name}.json`, statesOf(decider)]),
);
const tables = Object.fromEntries(
  Object.entries(readSide().content()).map(([name, rows]) => [
    `table-${name}.json`,
    JSON.parse(JSON.stringify(rows)) as unknown,
  ]),
);

if (process.env.UPDATE_GOLDEN_STATES === '1') {
  rmSync(stored, { recursive: true, force: true });
  mkdirSync(stored);
  for (const [name, content] of Object.entries({ ...states, ...tables }))
    writeFileSync(new URL(name, stored), `${JSON.stringify(content, null, 2)}\n`);
}

const byHistory = (all: readonly Reached[]) =>
  new Map(all.flatMap(({ after, state }) => after.map((history) => [history, state] as const)));

describe('the states and rows of the golden events', () => {
  for (const [name, reached] of Object.entries(states)) {
    it(`are unchanged in ${name}, after each history`, () => {
      const known = byHistory(readJson<Reached[]>(new URL(name, stored)));
      const present = byHistory(reached);
      for (const [history, state] of present) expect(state, history).to.deep.equal(known.get(history));
      expect([...known.keys()]).to.have.members([...present.keys()]);
    });
  }
  for (const [name, rows] of Object.entries(tables)) {
    it(`are unchanged in ${name}`, () => {
      expect(rows).to.deep.equal(readJson<unknown>(new URL(name, stored)));
    });
  }
  it('are checked for every category, by the decider of its name', () => {
    expect(Object.keys(deciders)).to.have.members(Object.keys(categories));
    for (const [name, { category }] of Object.entries(deciders)) expect(category.name).to.equal(name);
  });
  it('are not stored for anything that no longer exists', () => {
    expect(readdirSync(stored)).to.have.members(Object.keys({ ...states, ...tables }));
  });
});
