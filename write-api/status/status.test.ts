import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { hourMs } from '../../contracts/durations.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { pathOf, startStatusService, type StatusMail, type StatusService } from '../testing/status.ts';

describe('subscribing to the status', () => {
  let service: StatusService;
  before(async () => {
    service = await startStatusService();
  });
  after(() => service.close());

  const anyone = (target: string, headers: Record<string, string> = {}) =>
    service.call(target, { token: null, headers });
  const open = (link: string) => anyone(`GET ${pathOf(link)}`);
  /** Presses the button of a link's page. */
  const press = (link: string, headers: Record<string, string> = {}) =>
    anyone(`POST ${pathOf(link)}`, headers);
  const templates = (email: string) => service.mailsTo(email).map(({ template }) => template);
  const firstMail = async (email: string): Promise<StatusMail> => until(() => service.mailsTo(email)[0]);
  const comes = (email: string, ...expected: readonly string[]) =>
    until(() => JSON.stringify(templates(email)) === JSON.stringify(expected));

  it('takes a mail, a link in it, and then mails of an incident from its beginning to its end', async () => {
    const email = await service.subscriber();
    const incidentId = await service.openIncident(['webhooks']);
    await comes(email, 'status-confirm', 'status-subscribed', 'incident-posted');
    await service.update(incidentId, 'A disk is full.');
    await comes(email, 'status-confirm', 'status-subscribed', 'incident-posted', 'incident-update');
    await service.resolve(incidentId);
    await until(() => templates(email).at(-1) === 'incident-resolved');
    expect(service.mailsTo(email).at(-1)?.source).to.contain('Resolved: Deliveries are late');
  });

  it('sends nothing more to an address whose link is not opened', async () => {
    const [silent, watching] = [`${randomUUID()}@example.com`, await service.subscriber()];
    await service.subscribe(silent);
    await firstMail(silent);
    await service.resolve(await service.openIncident(['api']));
    await until(() => templates(watching).includes('incident-resolved'));
    expect(templates(silent)).to.deep.equal(['status-confirm']);
  });

  it('is answered the same for every address, known or not, and for one that no mail can be sent to', async () => {
    const known = await service.subscriber();
    for (const email of [known, known.toUpperCase(), 'a,b@example.com']) {
      const { status, json } = await service.subscribe(email);
      expect([status, json], email).to.deep.equal([202, { status: 'accepted' }]);
    }
    for (const body of [{}, { email: 7 }, { email: known, components: ['nothing'] }, { email: 'no address' }])
      expect((await service.call('POST /v1/status/subscribe', { token: null, body })).status).to.equal(400);
    expect(templates(known)).to.deep.equal(['status-confirm', 'status-subscribed']);
  });

  it('is about the components that were asked for', async () => {
    const [some, all] = [await service.subscriber(['webhooks']), await service.subscriber()];
    await service.resolve(await service.openIncident(['api']));
    await until(() => templates(all).includes('incident-resolved'));
    expect(templates(some)).to.deep.equal(['status-confirm', 'status-subscribed']);
    await service.openIncident(['api', 'webhooks']);
    await until(() => templates(some).includes('incident-posted'));
  });

  it('brings one mail about updates of an incident in an hour', async () => {
    const email = await service.subscriber();
    const incidentId = await service.openIncident(['webhooks']);
    const updates = () => templates(email).filter((each) => each === 'incident-update').length;
    await service.update(incidentId, 'One.');
    await service.update(incidentId, 'Two.');
    await until(() => updates() === 1);
    service.advance(hourMs - 1);
    await service.update(incidentId, 'Three.');
    service.advance(1);
    await service.update(incidentId, 'Four.');
    await until(() => updates() === 2);
    expect(service.mailsTo(email).at(-1)?.source).to.contain('Four.');
    await service.resolve(incidentId);
    await until(() => templates(email).at(-1) === 'incident-resolved');
    expect(updates()).to.equal(2);
  });

  it('is not confirmed, and does not end, because a program opens the links of its mails', async () => {
    const email = await service.subscriber();
    const waiting = `${randomUUID()}@example.com`;
    await service.subscribe(waiting);
    const count = async () =>
      (await service.allEvents()).filter(({ stream }) => stream.startsWith('status_subscriber-')).length;
    const before = await count();
    for (const link of [(await firstMail(waiting)).links.confirm, (await firstMail(email)).links.unsubscribe])
      for (const accept of ['*/*', 'application/json', 'text/html']) {
        const { status, text, headers } = await anyone(`GET ${pathOf(link)}`, { accept });
        expect([status, headers['content-type']], accept).to.deep.equal([200, 'text/html; charset=utf-8']);
        expect(text).to.contain('<form method="post"><button>');
      }
    expect(await count()).to.equal(before);
  });

  it('is confirmed and ended by the buttons of its pages in a signed-in browser, too', async () => {
    const email = `${randomUUID()}@example.com`;
    await service.subscribe(email);
    const { links } = await firstMail(email);
    const signedIn = {
      cookie: '__Host-service_session=token',
      accept: 'text/html',
      'sec-fetch-site': 'same-origin',
    };
    for (const link of [links.confirm, links.unsubscribe]) {
      // The page's policy decides whether a browser sends the origin of its form.
      expect((await open(link)).headers['referrer-policy']).to.equal('same-origin');
      expect((await press(link, signedIn)).status).to.equal(200);
    }
  });

  it('is confirmed as often as that is asked for, as JSON, and as a page for browsers', async () => {
    const email = `${randomUUID()}@example.com`;
    await service.subscribe(email, ['webhooks']);
    const { links } = await firstMail(email);
    const answer = await press(links.confirm);
    expect(answer.json).to.deep.equal({ status: 'confirmed', components: ['webhooks'] });
    const page = await press(links.confirm, { accept: 'text/html,*/*;q=0.8' });
    expect([page.status, page.headers['content-type']]).to.deep.equal([200, 'text/html; charset=utf-8']);
    expect(page.text).to.contain('Webhooks');
    await comes(email, 'status-confirm', 'status-subscribed');
  });

  it('is not confirmed after a day, by the link of an earlier mail, or by one that is forged', async () => {
    const email = `${randomUUID()}@example.com`;
    await service.subscribe(email);
    const first = await firstMail(email);
    await service.subscribe(email);
    const second = await until(() => service.mailsTo(email)[1]);
    const forged = `${second.links.confirm.slice(0, -1)}${second.links.confirm.endsWith('0') ? '1' : '0'}`;
    const otherPage = second.links.unsubscribe.replace('unsubscribe?', 'confirm?');
    for (const link of [first.links.confirm, forged, otherPage, second.links.confirm.replace(/=.*/, '=x')])
      for (const doing of [open, press]) expect((await doing(link)).status, link).to.equal(401);
    service.advance(24 * hourMs);
    for (const doing of [open, press]) expect((await doing(second.links.confirm)).status).to.equal(401);
  });

  it('ends by one click of a mail program, as often as that happens, and the address is forgotten', async () => {
    const email = await service.subscriber();
    const { links, source } = await firstMail(email);
    expect(source).to.contain(`List-Unsubscribe: <${links.unsubscribe}>`);
    expect(source).to.contain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    for (let times = 0; times < 2; times += 1) {
      const { status, json } = await press(links.unsubscribe);
      expect([status, json.status]).to.deep.equal([200, 'unsubscribed']);
    }
    const watching = await service.subscriber();
    await service.openIncident(['api']);
    await until(() => templates(watching).includes('incident-posted'));
    expect(templates(email)).to.deep.equal(['status-confirm', 'status-subscribed']);
    const keys = async () =>
      (
        await service.pool.query(
          "select from vault.data_keys where account_id like 'ssub_%' and wrapped is null",
        )
      ).rowCount ?? 0;
    await until(async () => (await keys()) > 0);
  });

  it('can begin again after it ended', async () => {
    const email = await service.subscriber();
    const { links } = await firstMail(email);
    await press(links.unsubscribe);
    await service.subscribe(email);
    const again = await until(() => service.mailsTo(email)[2]);
    expect((await press(again.links.confirm)).status).to.equal(200);
    await service.openIncident(['api']);
    await until(() => templates(email).at(-1) === 'incident-posted');
    expect((await press(links.confirm)).status).to.equal(401);
  });

  it('leaves no address in clear in the log', async () => {
    const email = await service.subscriber();
    const log = JSON.stringify(
      (await service.allEvents()).map(({ data, metadata, stream }) => [stream, data, metadata]),
    );
    expect(log).not.to.contain(email).and.not.to.contain('"ip":"127.');
  });
});

describe('subscribing too often', () => {
  let service: StatusService;
  before(async () => {
    service = await startStatusService({ enforceRates: true });
  });
  after(() => service.close());

  it('is refused from the fourth time in a minute on', async () => {
    const statuses: number[] = [];
    for (let times = 0; times < 4; times += 1)
      statuses.push((await service.subscribe(`${randomUUID()}@example.com`)).status);
    expect(statuses).to.deep.equal([202, 202, 202, 429]);
  });
});
