import { expect } from 'chai';
import { scrubbed, scrubbedLine } from './scrub.ts';

const session = 'ses_0197f1a0-0000-7000-8000-000000000001';
const lineOf = (fields: object): Record<string, unknown> | undefined => {
  const line = scrubbedLine(JSON.stringify(fields));
  return line === undefined ? undefined : (JSON.parse(line) as Record<string, unknown>);
};

describe('a line of a log in a support bundle', () => {
  it('has times, numbers, ids and words of the code', () => {
    const kept = {
      ...{
        time: '2026-11-26T10:00:00.000Z',
        level: 'warn',
        role: 'worker',
        pid: 7,
        status: 503,
        ready: false,
      },
      ...{
        session_id: session,
        stream: 'session-0197f1a0-0000-7000-8000-000000000001',
        route: 'sessions.create',
      },
      ...{ trace_id: 'a'.repeat(32), request_id: 'req_0197f1a0-0000-7000-8000-000000000001' },
      ...{ timer: `creation_lease-${session}`, msg: 'A timer failed; it is retried at the next sweep.' },
    };
    expect(lineOf(kept)).to.deep.equal(kept);
  });

  it('has no text that a customer may have written, in any field', () => {
    const line = scrubbedLine(
      JSON.stringify({
        ...{
          msg: 'No "canary-a" at ada@canary.example or https://canary.example/x (canary-b)',
          url: 'canary-c',
        },
        ...{
          request_id: 'canary-chosen-by-a-client',
          label: 'canary-d',
          route: 'a canary',
          list: ['canary-e'],
        },
        error: 'canary-f',
        err: {
          ...{ type: 'Error', message: 'canary-g', code: 'has a canary' },
          stack: 'Error: canary-h\n    at canary-i\n    at run (file:///srv/service/run.ts:3:7)\nat canary-j',
          cause: {
            type: 'TypeError',
            message: 'canary-k',
            stack: 'TypeError: canary-l\n    at node:net:12:5',
          },
        },
      }),
    );
    expect(line).not.to.include('canary');
    expect(lineOf(JSON.parse(line ?? '') as object)).to.have.property(
      'msg',
      'No "…" at [address] or [url] (…)',
    );
    expect(JSON.parse(line ?? ''))
      .to.have.property('err')
      .that.deep.equals({
        type: 'Error',
        at: ['file:///srv/service/run.ts:3:7'],
        cause: { type: 'TypeError', at: ['node:net:12:5'] },
      });
  });

  it('is left out if it is not in the format of the service', () => {
    for (const line of ['canary', '"canary"', '["canary"]', '{"canary"'])
      expect(scrubbedLine(line)).to.equal(undefined);
  });
});

describe('a text in a support bundle', () => {
  it('has nothing quoted, and no address', () => {
    expect(scrubbed('Key (email)=(ada@canary.example) of "canary')).to.equal('Key (…)=(…) of "…"');
    expect(scrubbed("Unexpected token 'c', canary@canary at 10.0.0.7 ‘x’")).not.to.match(/canary|10\.0/);
    expect(scrubbed('invalid input syntax for type json')).to.equal('invalid input syntax for type json');
  });
});
