import { expect } from 'chai';
import { startReadApi, outcomeOf, type ReadApi } from '../testing.ts';
import { at } from '../../projections/testing/index.ts';
import { isQuiet, listen, pathOf, talking, write, type OpenStream, type Talk } from './testing.ts';

describe('a stream of a transcript', () => {
  let api: ReadApi;
  before(async () => {
    api = await startReadApi({ heartbeatMs: 50 });
    api.project();
  });
  after(() => api.close());

  const since = (id: number | string) => ({ 'Last-Event-ID': String(id) });
  const bodies = ({ entries }: OpenStream) => entries.map(({ index, entry }) => `${index} ${entry.body}`);

  it('sends what was said, then what is said', async () => {
    const talk = await talking(api);
    const tap = { kind: 'interact', action: { kind: 'tap', text: 'Greet' } };
    await write(api, talk, await talk.said('greet Ada'), talk.decomposed({}));
    const stream = await listen(api, talk);
    await stream.received(1);
    await write(api, talk, await talk.answered({ body: 'Greeted.', intents: [tap] }));
    await stream.received(2);
    expect(stream.entries).to.deep.equal([
      { index: 0, entry: { role: 'user', body: 'greet Ada', at } },
      { index: 1, entry: { role: 'agent', body: 'Greeted.', at, intents: [tap] } },
    ]);
    expect(stream.ids).to.deep.equal(['0', '1']);
    expect(stream.status).to.equal(200);
    expect(stream.headers).to.include({ 'content-type': 'text/event-stream' });
    expect(stream.headers['cache-control']).to.equal('no-store, no-transform');
  });

  it('opens with a comment and says when to come again; its heartbeats have no id', async () => {
    const stream = await listen(api, await talking(api));
    await isQuiet(stream);
    expect(stream.text()).to.match(
      /^: stream open\n\nretry: \d{4}\n\n(: heartbeat \d{4}-\d\d-\d\dT[\d:.]+Z\n\n)+$/,
    );
    expect(stream.outcome()).to.equal('open');
  });

  it('goes on after Last-Event-ID', async () => {
    const talk = await talking(api);
    await write(api, talk, await talk.logged('zero'), await talk.said('one'), talk.decomposed({}));
    await write(api, talk, await talk.answered({ body: 'two' }), await talk.logged('three'));
    const [fromStart, afterOne, afterAll] = [
      await listen(api, talk),
      await listen(api, talk, since(1)),
      await listen(api, talk, since(3)),
    ];
    await write(api, talk, await talk.logged('four'));
    await Promise.all([fromStart.received(5), afterOne.received(3), afterAll.received(1)]);
    expect([bodies(afterOne), bodies(afterAll)]).to.deep.equal([['2 two', '3 three', '4 four'], ['4 four']]);
  });

  it('is silent up to a Last-Event-ID that is ahead of the end', async () => {
    const talk = await talking(api);
    await write(api, talk, await talk.logged('zero'));
    const stream = await listen(api, talk, since(2));
    await isQuiet(stream);
    for (const body of ['one', 'two', 'three']) await write(api, talk, await talk.logged(body));
    await stream.received(1);
    expect(bodies(stream)).to.deep.equal(['3 three']);
  });

  it('refuses a Last-Event-ID that is none', async () => {
    const talk = await talking(api);
    for (const id of ['-1', '1.5', 'x', '0x1', '٣', '9'.repeat(40), '1, 2']) {
      const headers = { accept: 'text/event-stream', 'Last-Event-ID': Buffer.from(id).toString('latin1') };
      const answer = await api.call(`GET ${pathOf(talk)}`, { token: talk.key.text, headers });
      expect(outcomeOf(answer), id).to.equal('bad-request');
    }
  });

  it('goes on after a message that was recorded later than its turn began', async () => {
    const talk = await talking(api);
    await write(api, talk, await talk.logged('zero'), talk.admitted());
    const early = await listen(api, talk, since(0));
    await isQuiet(early);
    await write(api, talk, await talk.recorded('one'));
    await early.received(1);
    const late = await listen(api, talk, since(1));
    await isQuiet(late);
    await write(api, talk, talk.closed());
    await Promise.all([early, late].map((each) => isQuiet(each)));
    expect([early.outcome(), late.outcome()]).to.deep.equal(['open', 'open']);
    await write(api, talk, await talk.superseded('Stopped.'));
    expect([await early.over(), await late.over()]).to.deep.equal(['ended', 'ended']);
    expect([bodies(early), bodies(late)]).to.deep.equal([['1 one', '2 Stopped.'], ['2 Stopped.']]);
  });

  describe('of a closed session', () => {
    it('is sent to its end, and ends', async () => {
      const talk = await talking(api);
      await write(
        api,
        talk,
        await talk.said('greet Ada'),
        await talk.answered({ body: 'Done.' }),
        talk.closed(),
      );
      for (const [headers, expected] of [
        [{}, ['0 greet Ada', '1 Done.']],
        [since(0), ['1 Done.']],
        [since(1), []],
        [since(9), []],
      ] as const) {
        const stream = await listen(api, talk, headers);
        expect(await stream.over()).to.equal('ended');
        expect(bodies(stream)).to.deep.equal(expected);
        expect(stream.text()).to.match(/^: stream open\n\n/);
      }
    });

    it('ends at once where nothing was said', async () => {
      const talk = await talking(api);
      await write(api, talk, talk.closed());
      expect(await (await listen(api, talk)).over()).to.equal('ended');
    });

    it('ends when it closes, for all that listen', async () => {
      const talk = await talking(api);
      await write(api, talk, await talk.logged('zero'));
      const streams = [
        await listen(api, talk),
        await listen(api, talk, since(0)),
        await listen(api, talk, since(5)),
      ];
      await Promise.all(streams.map((each) => isQuiet(each)));
      await write(api, talk, await talk.logged('one'), talk.closed());
      expect(await Promise.all(streams.map((each) => each.over()))).to.deep.equal([
        'ended',
        'ended',
        'ended',
      ]);
      expect(streams.map(bodies)).to.deep.equal([['0 zero', '1 one'], ['1 one'], []]);
    });

    for (const [name, end] of [
      ['says how far it came', (talk: Talk) => talk.superseded('Stopped.')],
      ['is lost', async (talk: Talk) => talk.abandoned()],
    ] as const)
      it(`waits for the entry of a turn that was under way: it ${name}`, async () => {
        const talk = await talking(api);
        await write(api, talk, await talk.said('greet Ada'));
        const early = [await listen(api, talk), await listen(api, talk, since(0))];
        await Promise.all(early.map((each) => isQuiet(each)));
        await write(api, talk, talk.closed());
        const streams = [...early, await listen(api, talk), await listen(api, talk, since(0))];
        await Promise.all(streams.map((each) => isQuiet(each)));
        expect(streams.map((each) => each.outcome())).to.deep.equal(streams.map(() => 'open'));
        await write(api, talk, await end(talk));
        await Promise.all(streams.map((each) => each.over()));
        expect(streams.map(({ ids }) => ids)).to.deep.equal([['0', '1'], ['1'], ['0', '1'], ['1']]);
        const late = await listen(api, talk, since(1));
        expect(await late.over()).to.equal('ended');
      });
  });
});
