import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { recipeBody } from '../contracts/events/recipe.ts';
import { uuidOf } from '../contracts/ids.ts';
import { noOrganization, organizationField } from '../contracts/resources/organization.ts';
import { routes } from '../contracts/routes/index.ts';
import { systemClock } from '../infra/platform/clock.ts';
import { by } from '../projections/testing/index.ts';
import { dataOf, startReadApi, type ReadApi } from './testing.ts';

/** A resource with generated histories. */
interface Drawn {
  readonly category: string;
  /** Last two digits of its uuid in golden events. */
  readonly subject: string;
  /** First event types of every history. */
  readonly begins: readonly string[];
  /** Its path, with `{id}` for its uuid. */
  readonly path: string;
  /** Types whose effect on the past is not a fold. */
  readonly without?: readonly string[];
}

const drawn: Readonly<Record<string, Drawn>> = {
  sessions: {
    category: 'session',
    subject: '01',
    begins: ['SessionRequested'],
    path: '/v1/sessions/ses_{id}',
  },
  'agent-sessions': {
    ...{ category: 'agent_session', subject: '71', begins: ['AgentSessionCreated'] },
    path: '/v1/agent-sessions/agt_{id}',
  },
  profiles: {
    ...{ category: 'profile', subject: '25', begins: ['ProfileCreated'], path: '/v1/profiles/prof_{id}' },
    without: ['ProfilePurged', 'ProfileTransferred'],
  },
  'profile-snapshots': {
    ...{ category: 'profile_snapshot', subject: '27', begins: ['SnapshotCaptured'] },
    path: '/v1/profile-snapshots/psnap_{id}',
  },
  webhooks: {
    ...{ category: 'webhook_endpoint', subject: '10', begins: ['WebhookRegistered'] },
    path: '/v1/webhooks/whk_{id}',
  },
  'api-keys': {
    category: 'api_key',
    subject: '04',
    begins: ['ApiKeyCreated'],
    path: '/v1/api-keys/key_{id}',
  },
  proxies: {
    category: 'proxy',
    subject: '21',
    begins: ['ProxyCreated'],
    path: '/v1/account/me/proxies/{id}',
  },
  recipes: { category: 'recipe', subject: '41', begins: ['RecipeCreated'], path: '/v1/recipes/rec_{id}' },
  'crypto-orders': {
    ...{ category: 'order', subject: '01', begins: ['OrderPlaced'] },
    path: '/v1/billing/crypto-orders/ord_{id}',
  },
  organization: {
    ...{ category: 'organization', subject: '02', begins: [] },
    path: '/v1/account/me/organization',
  },
  'team-members': {
    ...{ category: 'team_member', subject: '31', begins: ['TeamMemberInvited', 'TeamMemberJoined'] },
    path: '/v1/team/members/mem_{id}',
  },
  incidents: {
    ...{ category: 'incident', subject: '01', begins: ['IncidentOpened'] },
    path: '/v1/status/incidents/inc_{id}',
  },
};

const golden = new URL('../infra/event-store/golden/', import.meta.url);

interface Written {
  readonly type: string;
  readonly version: number;
  readonly text: string;
}

/** Every golden event of a category, in each version that was ever written. */
const writtenIn = (category: string): readonly Written[] =>
  readdirSync(new URL(`${category}/`, golden)).map((file) => {
    const text = readFileSync(new URL(`${category}/${file}`, golden), 'utf8');
    const { type, version } = JSON.parse(text) as Written;
    return { type, version, text };
  });

/** A body, or undefined if there is none. */
type Body = Record<string, unknown> | undefined;

describe('the past of everything with a detail route', () => {
  let api: ReadApi;
  before(async () => {
    // The store's clock, whose times the history has.
    api = await startReadApi({ clock: systemClock });
    api.project();
  });
  after(() => api.close());

  it('is drawn for each', () => {
    const nouns = routes.filter(({ id }) => id.endsWith('.past')).map(({ id }) => id.replace('.past', ''));
    expect(Object.keys(drawn)).to.have.members(nouns);
  });

  async function read(token: string, path: string): Promise<Body> {
    const { status, json, text } = await api.call(`GET ${path}`, { token });
    if (status === 404) return undefined;
    expect(status, `${path} ${text}`).to.equal(200);
    return json;
  }

  /** A history of a resource in an account of its own: the live bodies after each event, with positions. */
  async function lived({ category, subject, path }: Drawn, events: readonly Written[]) {
    const [{ account, key }, member] = [await api.addAccount(), await api.addAccount()];
    const uuid = category === 'organization' ? uuidOf(account) : randomUUID();
    const sealed = {
      organization: await api.vault.seal(
        account,
        organizationField,
        JSON.stringify({ ...noOrganization, company: 'ours' }),
      ),
      recipe: await api.vault.seal(
        account,
        recipeBody,
        JSON.stringify({ name: 'r', description: '', steps: [], parameters: [] }),
      ),
    };
    const dataIn = (text: string) => {
      const own = text
        .replaceAll(`0197f1a0-0000-7000-8000-0000000000${subject}`, uuid)
        .replaceAll('acc_0197f1a0-0000-7000-8000-000000000002', account)
        .replaceAll('acc_0197f1a0-0000-7000-8000-000000000003', member.account)
        .replaceAll('sealed1.b3JnYW5pemF0aW9u', sealed.organization)
        .replaceAll(/("sealedBody": )"[^"]*"/g, `$1"${sealed.recipe}"`);
      return (JSON.parse(own) as { readonly data: unknown }).data;
    };
    const at = path.replace('{id}', uuid);
    const moments: { readonly position: string; readonly live: Body }[] = [];
    for (const { type, version, text } of events) {
      const metadata = { ...by(account), schema_version: version };
      const position = await api.append(`${category}-${uuid}`, [{ type, data: dataIn(text) }], metadata);
      await api.caughtUp(position);
      moments.push({
        position: `${position.commit}/${position.prepare}`,
        live: await read(key.text, at),
      });
    }
    return { token: key.text, at, account, moments };
  }

  /** Reverting a change in the body after it gives the body before it. */
  async function assertFollows(
    token: string,
    at: string,
    moments: Awaited<ReturnType<typeof lived>>['moments'],
  ) {
    const entries: { readonly position: string; readonly changes: readonly Change[] }[] = [];
    let cursor = '';
    do {
      const page = await api.call(`GET ${at}/history?limit=3&cursor=${cursor}`, { token });
      expect(page.status, page.text).to.equal(200);
      entries.push(...dataOf<(typeof entries)[number]>(page));
      cursor = String(page.json.next_cursor);
    } while (cursor !== '');
    let body: object = {};
    const oldestFirst = entries.toReversed();
    for (const { position, live } of moments) {
      while (oldestFirst[0] !== undefined && isUpTo(oldestFirst[0].position, position))
        body = applied(body, oldestFirst.shift()?.changes ?? []);
      expect(body).to.deep.equal(live ?? {});
    }
    expect(oldestFirst).to.deep.equal([]);
  }

  for (const [noun, resource] of Object.entries(drawn)) {
    const { category, begins, without = [] } = resource;
    const written = writtenIn(category).filter(({ type }) => !without.includes(type));
    const first = begins.map((type) => written.findLast((each) => each.type === type));
    it(`of ${noun} is at each event's position what the live route answered right after it`, async function () {
      this.timeout(120_000);
      const histories = fc.array(fc.constantFrom(...written), { minLength: 1, maxLength: 9 });
      await fc.assert(
        fc.asyncProperty(histories, async (rest) => {
          const events = [...first.filter((each) => each !== undefined), ...rest];
          const { token, at, moments } = await lived(resource, events);
          for (const { position, live } of moments) {
            const as_of = encodeURIComponent(position);
            expect(await read(token, `${at}?as_of=${as_of}`), position).to.deep.equal(live);
          }
          if (moments.some(({ live }) => live !== undefined)) await assertFollows(token, at, moments);
        }),
        { numRuns: 4 },
      );
    });
  }
});

interface Change {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

const isUpTo = (one: string, other: string): boolean =>
  BigInt(one.split('/')[0] ?? '') <= BigInt(other.split('/')[0] ?? '');

function applied(body: object, changes: readonly Change[]): object {
  const copy = structuredClone(body) as Record<string, unknown>;
  for (const { path, after, before } of changes) {
    const names = path
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = names.pop() ?? '';
    const inside = names.reduce((object, name) => object[name] as Record<string, unknown>, copy);
    expect(inside[last]).to.deep.equal(before);
    if (after === undefined) Reflect.deleteProperty(inside, last);
    else inside[last] = after;
  }
  return copy;
}
