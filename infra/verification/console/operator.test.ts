import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { operationOf } from '../../../contracts/client/operation.ts';
import { operatorRows, type OperatorEvent } from '../../../contracts/operator.ts';
import { readStack } from '../../main/supervisor/stack-file.ts';
import { until } from '../testbed/index.ts';
import { canBeRead, usePages } from './pages.ts';
import { nothingBroke, openReaders, useBrowser, type Reader } from './reader.ts';

const run = fileURLToPath(new URL('../../main/run.mjs', import.meta.url));

interface Serving {
  readonly url: string;
  readonly link: string;
  readonly token: string;
  /** Stops it gracefully; resolves to its exit status. */
  end(): Promise<number | null>;
}

/** Starts the command on the running stack with this data directory. */
async function serve(dataDir: string): Promise<Serving> {
  const child = spawn(process.execPath, [run, 'command', 'operator-console', '--json'], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(([status]) => status as number | null);
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [
    string,
  ];
  const end = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { ...(JSON.parse(line) as Omit<Serving, 'end'>), end };
}

describe('the console of the operator', function () {
  this.timeout(240_000);
  const pages = usePages();
  let served: Serving;
  const browser = useBrowser();
  let readers: ReturnType<typeof openReaders>;
  let pool: pg.Pool;
  const opened: Reader[] = [];
  before(async () => {
    const { dataDir } = pages.stack;
    served = await serve(dataDir);
    readers = openReaders(browser(), served.url);
    pool = new pg.Pool({ connectionString: readStack(dataDir)?.environment.POSTGRES_URL, max: 2 });
  });
  after(async () => {
    await readers.close();
    await pool.end();
    expect(await served.end()).to.equal(0);
  });
  afterEach(async function () {
    await nothingBroke(opened, this.currentTest);
    await Promise.all(opened.splice(0).map(({ page }) => page.context().close()));
  });
  /** Opens a window by the printed link. */
  const openOperator: typeof pages.open = async ({ as: _as, ...options } = {}) => {
    const reader = await readers.open(options);
    opened.push(reader);
    await reader.page.goto(served.link);
    return reader.page;
  };
  const open = async (path: string) => {
    const page = await openOperator();
    await page.goto(`/console${path}`);
    return page;
  };
  const row = (page: Page, table: string, text: string) =>
    page.getByRole('table', { name: table }).locator('tbody tr').filter({ hasText: text });
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(served.url + path, { headers: { authorization: `Bearer ${served.token}` }, ...init });

  it('answers no request without its token, and is not served at the public address', async () => {
    for (const [name, text] of Object.entries(operatorRows)) {
      const { method, path } = operationOf(name, text);
      for (const authorization of ['', 'Bearer nothing', `Bearer ${pages.person.account.api_key}`]) {
        const { status } = await ask(path, { method, headers: { authorization } });
        expect(status, `${name} with "${authorization}"`).to.equal(401);
      }
      const bearer = { authorization: `Bearer ${served.token}` };
      const elsewhere = await fetch(pages.stack.baseUrl + path, { method, headers: bearer });
      expect(elsewhere.status, name).to.equal(404);
    }
    const page = await (await fetch(`${served.url}/console/`)).text();
    const [, script = ''] = /src="(\/console\/operator-[^"]+\.js)"/.exec(page) ?? [];
    expect((await fetch(served.url + script)).status).to.equal(200);
    expect((await fetch(pages.stack.baseUrl + script)).status).to.equal(404);
  });

  it('reports what is wrong with a request, and changes nothing', async () => {
    for (const [method, path, status] of [
      ['GET', '/operator/nothing', 404],
      ['DELETE', '/operator/nodes', 405],
      ['POST', '/operator/nodes/nod_nothing/drain', 404],
      ['POST', '/operator/nodes/nod_018f2f6e-0000-7000-8000-000000000000/drain', 404],
      ['POST', '/operator/read-models/nothing/rebuild', 404],
      ['POST', '/operator/deliveries/dlv_018f2f6e-0000-7000-8000-000000000000/requeue', 404],
      ['GET', '/operator/accounts/acc_nothing', 404],
      ['GET', '/operator/streams/nothing', 404],
      ['GET', '/operator/streams/%E0%A4%A', 404],
      ['GET', '/operator/streams/account-nothing', 404],
      ['GET', '/operator/streams/account-nothing?limit=1000', 400],
      ['GET', '/operator/streams/account-nothing?cursor=x', 400],
      ['GET', '/operator/traces/req_nothing', 404],
    ] as const) {
      const answer = await ask(path, { method });
      expect(answer.status, path).to.equal(status);
      expect(answer.headers.get('content-type'), path).to.equal('application/problem+json');
    }
  });

  it('removes the token from the address, and says so if a link no longer works', async () => {
    const page = await openOperator();
    await page.getByRole('table', { name: 'Nodes' }).waitFor();
    expect(page.url()).to.equal(`${served.url}/console/`);
    await page.locator('nav a[aria-current="page"]').getByText('Nodes').waitFor();
    await page.reload();
    await page.getByRole('table', { name: 'Nodes' }).waitFor();
    await page.goto('about:blank');
    await page.goto('/console/#token=nothing');
    await page.getByText('This link no longer works').waitFor();
    await page.goto(served.link);
    await page.getByRole('table', { name: 'Nodes' }).waitFor();
    expect(page.url()).to.equal(`${served.url}/console/`);
    const further = await page.context().newPage();
    await further.goto('/console/accounts');
    await further.getByRole('heading', { name: 'This tab needs the link' }).waitFor();
  });

  it('shows the sessions of a node, drains it, and undrains it', async () => {
    const session = await pages.person.api.sessions.create({ label: 'on a node' });
    const page = await open('/');
    await page.getByText(new RegExp(`session-.*${session.id.slice(-4)}`)).waitFor();
    await page.setViewportSize({ width: 320, height: 700 });
    const { width, height } = (await page.getByRole('button', { name: 'Drain' }).boundingBox()) ?? {};
    expect(width).to.be.above(Number(height));
    await page.getByRole('button', { name: 'Drain' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Drain' }).click();
    try {
      await page.getByText('draining', { exact: true }).waitFor();
      const refused = await pages.person.api.sessions.create({}).catch((error: unknown) => error);
      expect(refused).to.have.property('status').above(400);
    } finally {
      await page.getByRole('button', { name: 'Undrain' }).click();
    }
    await page.getByText('live', { exact: true }).waitFor();
    await session.end();
  });

  it('shows a parked event with its reason, and applies it once the reason is gone', async () => {
    await pool.query('alter table read_model.profiles add constraint refuses_all check (false) not valid');
    try {
      await pages.person.api.profiles.create({ name: 'to be parked' });
      const page = await open('/parked');
      await row(page, 'Parked events', 'refuses_all').getByText('ProfileCreated').waitFor();
      const retry = page.getByRole('button', { name: 'Retry', exact: true });
      await retry.click();
      await page.getByText('0 applied, 1 rows still parked.').waitFor();
      await pool.query('alter table read_model.profiles drop constraint refuses_all');
      await retry.click();
      await page.getByText('1 applied, 0 rows still parked.').waitFor();
      await page.getByText('Nothing is parked.').waitFor();
    } finally {
      await pool.query('alter table read_model.profiles drop constraint if exists refuses_all');
    }
  });

  it('shows a parked reaction, and retries it although the process host was killed: it has no effect twice', async () => {
    const { api } = pages.person;
    const { id } = await api.sessions.create({ label: 'ended once' });
    await api.sessions.destroy(id);
    const stream = `session-${id.replace('ses_', '')}`;
    const read = async (name: string): Promise<readonly OperatorEvent[]> => {
      const { data } = (await (await ask(`/operator/streams/${name}`)).json()) as { data: OperatorEvent[] };
      return data;
    };
    const slots = `account_slots-${pages.person.account.account_id.replace('acc_', '')}`;
    const isFreed = async () => (await read(slots))[0]?.type === 'SlotReleased';
    await until(isFreed);
    const before = [await read(stream), await read(slots)];
    const end = before[0]?.find(({ type }) => type === 'SessionDestroyed');
    // The state after a host was killed between the effect and its record.
    await pool.query(
      `insert into runtime.parked_reactions (process, event_id, event_type, stream, revision, reason, attempts)
       values ('session-ends', $1, 'SessionDestroyed', $2, $3, 'it could not be cleaned up', 8)`,
      [end?.id, stream, end?.revision],
    );
    const page = await open('/parked');
    const reaction = row(page, 'Parked reactions', 'session-ends');
    await reaction.getByText('it could not be cleaned up').waitFor();
    await pages.stack.kill('processes');
    await page.getByRole('button', { name: 'Retry now' }).click();
    await reaction.waitFor({ state: 'detached' });
    await page.getByText('No reaction is parked.').waitFor();
    expect([await read(stream), await read(slots)]).to.deep.equal(before);
    const again = await pages.stack.service('reactions', 'retry', '--json');
    expect(JSON.parse(again.stdout)).to.deep.equal({ took_effect: 0, still_parked: 0, not_tried: 0 });
    expect((await pages.stack.service('reactions', 'parked')).stdout).to.equal('Nothing is parked.\n');
  });

  it('rebuilds a read model, and shows its progress and its result', async () => {
    const page = await open('/read-models');
    const model = row(page, 'Read models', 'api_keys');
    // The lock that another process takes during a rebuild.
    const lock = "hashtextextended('rebuild api_keys', 0)";
    const other = await pool.connect();
    await other.query(`select pg_advisory_lock(${lock})`);
    await model.getByRole('progressbar', { name: 'Progress of api_keys' }).waitFor();
    expect(await model.getByRole('button', { name: 'Rebuild' }).isDisabled()).to.equal(true);
    await ask('/operator/read-models/api_keys/rebuild', { method: 'POST' });
    await model.getByText('is being rebuilt, verified or rolled back by someone else').waitFor();
    await other.query(`select pg_advisory_unlock(${lock})`);
    other.release();
    await model.getByRole('button', { name: 'Rebuild' }).click();
    await model.getByText('rows, the same as before').waitFor();
  });

  it('shows accounts, and links any event to its cause and its effects', async () => {
    const { api, account } = pages.person;
    const { id } = await api.sessions.create({ label: 'to be traced by staff' });
    await api.sessions.destroy(id);
    const page = await open('/accounts');
    await row(page, 'Accounts', account.account_id).getByRole('link').click();
    await page.getByText(`"id": "${account.account_id}"`).waitFor();
    await page.goto('/console/streams');
    await page.getByLabel('Name of the stream').fill(`session-${id.replace('ses_', '')}`);
    await page.getByRole('button', { name: 'Open stream' }).click();
    await row(page, 'Stream', 'SessionRequested').getByRole('link', { name: 'Cause and effects' }).click();
    await row(page, 'Cause and effects', 'SessionReady').waitFor();
    await page.getByText('POST /v1/sessions').waitFor();
    const first = await ask(`/operator/streams/session-${id.replace('ses_', '')}?limit=1`);
    const { data, has_more, next_cursor } = (await first.json()) as Record<string, string>;
    expect(data).to.have.length(1);
    const rest = await ask(`/operator/streams/session-${id.replace('ses_', '')}?cursor=${next_cursor}`);
    expect([has_more, (await rest.json()) as object]).to.have.nested.property('[1].has_more', false);
  });

  it('shows failing endpoints and dead letters, requeues these, and shows the mails', async () => {
    const { api } = pages.person;
    const webhook = await api.webhooks.create({
      url: 'http://127.0.0.1:9/stuck',
      events: ['session.completed'],
    });
    await (await api.sessions.create({ label: 'for an event' })).end();
    const page = await open('/deliveries');
    await row(page, 'Failing endpoints', 'http://127.0.0.1:9/stuck').waitFor();
    // Only its row says that it is dead; its stream does not, so the command changes nothing.
    const given = await pool.query<{ id: string }>(
      "update read_model.webhook_deliveries set status = 'dead_letter' where endpoint_id = $1 returning id",
      [webhook.id],
    );
    const [{ id } = { id: '' }] = given.rows;
    const asked = page.waitForResponse(`**/operator/deliveries/${id}/requeue`);
    await row(page, 'Given up', id.slice(-4)).getByRole('button', { name: 'Send again' }).click();
    expect((await asked).status()).to.equal(200);
    await page.goto('/console/mails');
    await page.getByRole('table', { name: 'Mails' }).locator('tbody tr').first().waitFor();
  });

  const shows = (text: string) => (page: Page) => page.locator('main').getByText(text).first().waitFor();
  canBeRead({ open: openOperator }, [
    { name: 'operator-nodes', path: '/', until: shows('Drain') },
    { name: 'operator-read-models', path: '/read-models', until: shows('webhook_deliveries') },
    { name: 'operator-parked', path: '/parked', until: shows('Nothing is parked.') },
    { name: 'operator-deliveries', path: '/deliveries', until: shows('Given up') },
    { name: 'operator-mails', path: '/mails', until: shows('Mail') },
    { name: 'operator-accounts', path: '/accounts', until: shows('active') },
    { name: 'operator-streams', path: '/streams', until: shows('Open stream') },
    {
      name: 'operator-stream',
      path: () => `/streams/account-${pages.person.account.account_id.replace('acc_', '')}`,
      until: shows('AccountCreated'),
    },
  ]);
});
