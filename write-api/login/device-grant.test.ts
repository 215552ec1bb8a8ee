import { expect } from 'chai';
import type { Answer } from '../../infra/http/testing.ts';
import { uuidOf } from '../../contracts/ids.ts';
import { deviceGrantType } from '../../contracts/oauth.ts';
import type { Tier } from '../../contracts/tiers.ts';
import { account } from '../../domain/account.ts';
import { fixedClock, startWriteSide, type WriteSide } from '../testing.ts';

const second = 1000;
const minute = 60_000;
const client_id = 'service-desktop';
const slug = ({ json }: Pick<Answer, 'json'>) => String(json.type).split('/').at(-1);
const outcome = (answer: Answer) =>
  answer.status < 400 ? answer.status : `${answer.status} ${slug(answer)}`;
/** The member by which OAuth clients distinguish errors. */
const error = ({ status, json }: Answer) => (status === 400 ? json.error : status);

describe('the device flow', () => {
  const clock = fixedClock();
  let side: WriteSide;
  before(async () => {
    side = await startWriteSide({ clock, storeDeadlineMs: 30_000 });
  });
  after(() => side.close());

  type Via = Pick<WriteSide, 'call'>;
  const anyone = (
    path: string,
    body: object | string,
    via: Via = side,
    headers: Record<string, string> = {},
  ) => via.call(`POST /v1/oauth/${path}`, { token: null, body, headers });
  const form = (path: string, fields: Record<string, string> | string) =>
    anyone(path, new URLSearchParams(fields).toString(), side, {
      'content-type': 'application/x-www-form-urlencoded',
    });
  const person = async (tier: Tier = 'free') => {
    const { accountId } = await side.staff.account(tier);
    return { accountId, token: (await side.staff.session(accountId)).accessToken };
  };
  const request = async (body: object = {}) => {
    const { json } = await anyone('device_authorization', { client_id, ...body });
    return { deviceCode: String(json.device_code), userCode: String(json.user_code) };
  };
  const poll = (device_code: string, via: Via = side) =>
    anyone('token', { grant_type: deviceGrantType, device_code, client_id }, via);
  const refresh = (refresh_token: unknown) =>
    anyone('token', { grant_type: 'refresh_token', refresh_token, client_id });
  const answer = (token: string, user_code: string, approve = true) =>
    side.call('POST /v1/oauth/device', { token, body: { user_code, approve } });
  /** A device authorised by the account's owner. */
  const device = async (tier?: Tier) => {
    const owner = await person(tier);
    const { deviceCode, userCode } = await request();
    await answer(owner.token, userCode);
    const { json } = await poll(deviceCode);
    return { ...owner, device: String(json.access_token), refreshToken: json.refresh_token };
  };

  it('begins with two codes, where to type the one, and how often to poll with the other', async () => {
    const { status, json, headers } = await anyone('device_authorization', { client_id });
    expect([status, headers['cache-control']]).to.deep.equal([200, 'no-store']);
    const { device_code, user_code, verification_uri, ...rest } = json;
    expect(device_code).to.match(/^svc_device_[0-9A-Za-z]{60}$/);
    expect(user_code).to.match(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(rest).to.deep.equal({
      verification_uri_complete: `${String(verification_uri)}?user_code=${String(user_code)}`,
      expires_in: 600,
      interval: 5,
    });
  });

  it('takes forms as it takes JSON', async () => {
    const { json } = await form('device_authorization', { client_id, scope: 'read:sessions' });
    const { token } = await person();
    expect(outcome(await answer(token, String(json.user_code)))).to.equal(200);
    const fields = { grant_type: deviceGrantType, device_code: String(json.device_code), client_id };
    const granted = await form('token', fields);
    expect([granted.status, granted.json.token_type, granted.json.scope]).to.deep.equal([
      200,
      'Bearer',
      'read:sessions',
    ]);
  });

  it('says what is wrong in the words of OAuth, with status 400', async () => {
    const asked = async (body: object) => error(await anyone('device_authorization', body));
    expect(await asked({ client_id: 'another' })).to.equal('invalid_client');
    expect(await asked({ client_id, scope: 'account_owner' })).to.equal('invalid_scope');
    expect(await asked({ client_id, scope: ' ' })).to.equal('invalid_scope');
    expect(await asked({})).to.equal('invalid_request');
    const token = async (body: object | string) => error(await anyone('token', body));
    expect(await token({})).to.equal('invalid_request');
    expect(await token('{')).to.equal('invalid_request');
    expect(await token({ grant_type: 'password' })).to.equal('unsupported_grant_type');
    expect(await token({ grant_type: deviceGrantType, client_id })).to.equal('invalid_request');
    const device_code = 'never-given-out';
    expect(await token({ grant_type: deviceGrantType, device_code })).to.equal('invalid_request');
    expect(await token({ grant_type: deviceGrantType, device_code, client_id })).to.equal('invalid_grant');
    expect(await token({ grant_type: 'refresh_token' })).to.equal('invalid_request');
    expect(await token({ grant_type: 'refresh_token', refresh_token: 'x' })).to.equal('invalid_grant');
    expect(error(await form('token', 'grant_type=refresh_token&grant_type=password'))).to.equal(
      'invalid_request',
    );
  });

  it('has the device wait for the owner, and longer when it asks too soon', async () => {
    const { deviceCode } = await request();
    const errors = [];
    for (const wait of [0, 5, 4, 9, 15]) {
      clock.advance(wait * second);
      errors.push(error(await poll(deviceCode)));
    }
    expect(errors).to.deep.equal([
      'authorization_pending',
      'authorization_pending',
      'slow_down',
      'slow_down',
      'authorization_pending',
    ]);
  });

  it('gives the device tokens of its own once the owner has approved, whatever way the code was typed', async () => {
    const { token } = await person();
    const { deviceCode, userCode } = await request();
    await poll(deviceCode);
    const typed = userCode.toLowerCase().replace('-', '');
    const answered = await answer(token, typed);
    expect([answered.status, answered.json]).to.deep.equal([
      200,
      { client_id, scope: 'read:sessions write:sessions', status: 'authorized' },
    ]);
    const { status, json } = await poll(deviceCode);
    expect(status).to.equal(200);
    expect(json).to.include({ token_type: 'Bearer', scope: 'read:sessions write:sessions', expires_in: 900 });
    expect(error(await poll(deviceCode))).to.equal('invalid_grant');
  });

  it('gives one session to many polls at once of two processes', async () => {
    const { accountId, token } = await person();
    const { deviceCode, userCode } = await request();
    await answer(token, userCode);
    const other = await side.serve();
    const polls = await Promise.all(
      Array.from({ length: 6 }, (_, index) => poll(deviceCode, index % 2 ? side : other)),
    );
    await other.close();
    expect(polls.map(error).sort()).to.deep.equal([200, ...Array<string>(5).fill('invalid_grant')]);
    const opened = (await side.allEvents()).filter(
      ({ type, metadata }) => type === 'WebSessionOpened' && metadata.actor.account_id === accountId,
    );
    expect(opened).to.have.lengthOf(2);
  });

  it('answers the device that the owner has refused', async () => {
    const { token } = await person();
    const { deviceCode, userCode } = await request();
    expect((await answer(token, userCode, false)).json.status).to.equal('denied');
    expect(error(await poll(deviceCode))).to.equal('access_denied');
    expect(outcome(await answer(token, userCode))).to.equal('404 not-found');
  });

  it('gives a device nothing once the account that approved it is erased', async () => {
    const { accountId, token } = await person();
    const { deviceCode, userCode } = await request();
    await answer(token, userCode);
    const { runner, context } = side.staff;
    const erase = { type: 'EraseAccount', at: clock.now().toISOString() } as const;
    await runner.run(account, uuidOf(accountId), erase, context());
    await side.vault.forget(accountId);
    expect(error(await poll(deviceCode))).to.equal('invalid_grant');
  });

  it('ends ten minutes after it began, for the device and for the owner', async () => {
    const { token } = await person();
    const [unanswered, approved] = [await request(), await request()];
    await answer(token, approved.userCode);
    clock.advance(10 * minute);
    expect(error(await poll(unanswered.deviceCode))).to.equal('expired_token');
    expect(error(await poll(approved.deviceCode))).to.equal('expired_token');
    expect(outcome(await answer(token, unanswered.userCode))).to.equal('404 not-found');
  });

  it('can be answered again without effect by the same owner, and by no one else', async () => {
    const [owner, stranger] = [await person(), await person()];
    const { userCode } = await request();
    for (let time = 0; time < 2; time += 1)
      expect(outcome(await answer(owner.token, userCode))).to.equal(200);
    expect(outcome(await answer(stranger.token, userCode))).to.equal('404 not-found');
  });

  it('is answered by web sessions alone', async () => {
    const { userCode } = await request();
    const { token: key } = await side.staff.account('team');
    expect(outcome(await answer(key, userCode))).to.equal('403 forbidden');
    const { device: another } = await device();
    expect(outcome(await answer(another, userCode))).to.equal('403 forbidden');
  });

  it('gives the next tokens for a refresh token of a device, once', async () => {
    const { accountId, refreshToken } = await device();
    const { status, json } = await refresh(refreshToken);
    expect([status, json.scope]).to.deep.equal([200, 'read:sessions write:sessions']);
    clock.advance(minute);
    expect(error(await refresh(refreshToken))).to.equal('invalid_grant');
    // The token was used before, so both holders lose the session.
    expect(error(await refresh(json.refresh_token))).to.equal('invalid_grant');
    const web = await side.staff.session(accountId);
    expect(error(await refresh(web.refreshToken))).to.equal('invalid_grant');
  });

  it('lets a device of a Free account drive a session, and make no API key', async () => {
    const { device: token } = await device('free');
    const created = await side.call('POST /v1/sessions', { token, body: {} });
    expect(created.status).to.equal(201);
    const session = `/v1/sessions/${String(created.json.id)}`;
    const url = 'http://sim.test/form';
    expect(outcome(await side.call(`POST ${session}/navigate`, { token, body: { url } }))).to.equal(200);
    expect(outcome(await side.call(`GET ${session}/state`, { token }))).to.equal(200);
    expect(outcome(await side.call(`DELETE ${session}`, { token }))).to.equal(204);
    const key = await side.call('POST /v1/api-keys', { token, body: { name: 'mine' } });
    expect([outcome(key), String(key.json.detail)]).to.deep.equal([
      '403 forbidden',
      'This needs one of the scopes account_owner.',
    ]);
  });

  it('serves paid accounts too', async () => {
    const { device: token } = await device('team');
    expect(outcome(await side.call('POST /v1/sessions', { token, body: {} }))).to.equal(201);
  });

  it('is audited as the owner’s answer', async () => {
    const { accountId, token } = await person();
    const [one, other] = [await request(), await request()];
    await answer(token, one.userCode);
    await answer(token, other.userCode, false);
    const own = (await side.allEvents()).filter(({ metadata }) => metadata.actor.account_id === accountId);
    expect(own.map(({ type }) => type).slice(-2)).to.deep.equal([
      'DeviceGrantAuthorized',
      'DeviceGrantDenied',
    ]);
  });

  it('leaves no code and no token in the log, nor in the names of its streams', async () => {
    const { token } = await person();
    const { deviceCode, userCode } = await request();
    await answer(token, userCode);
    const { json } = await poll(deviceCode);
    const log = JSON.stringify(
      (await side.allEvents()).map(({ stream, data, metadata }) => ({ stream, data, metadata })),
    );
    const secrets = [deviceCode, userCode, userCode.replace('-', ''), json.access_token, json.refresh_token];
    for (const each of secrets) expect(log.includes(String(each)), String(each)).to.equal(false);
  });
});

describe('guessing user codes', () => {
  it('is refused after ten in a minute', async () => {
    const side = await startWriteSide({ enforceRates: true });
    const { accountId } = await side.staff.account('free');
    const { accessToken: token } = await side.staff.session(accountId);
    const outcomes = [];
    for (let guess = 0; guess < 12; guess += 1) {
      const body = { user_code: 'BCDF-GHJK', approve: true };
      outcomes.push(outcome(await side.call('POST /v1/oauth/device', { token, body })));
    }
    await side.close();
    expect(outcomes.slice(0, 10)).to.deep.equal(Array<string>(10).fill('404 not-found'));
    expect(outcomes.at(-1)).to.equal('429 rate-limited');
  });
});
