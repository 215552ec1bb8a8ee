import { expect } from 'chai';
import { methodName } from './area.ts';
import * as rows from './generated/operations.ts';
import { handles } from './handle.ts';
import { Connection, agents, sessions } from './index.ts';

interface Fields {
  readonly id: string;
}

describe('the handle of a resource', () => {
  const handleOf = handles<Fields, { end(): Promise<string> }>(({ id }) => ({
    end: () => Promise.resolve(`${id} ended`),
  }));

  it('has its fields, and keeps its methods whatever a newer service calls a field', async () => {
    const fields = JSON.parse('{"id":"1","end":"soon","__proto__":{"id":"2"},"constructor":"x"}') as Fields;
    const handle = handleOf(fields);
    expect(await handle.end()).to.equal('1 ended');
    expect(Object.keys(handle)).to.deep.equal(['id', 'constructor']);
    expect(JSON.stringify(handle)).to.equal('{"id":"1","constructor":"x"}');
  });
});

describe('the handles of sessions and agent sessions', () => {
  /** Operations that a handle has under another name. */
  const renamed: Readonly<Record<string, string>> = {
    ...{ get: 'refresh', destroy: 'end', close: 'end', mode: 'setMode', message: 'send' },
  };
  const connection = new Connection({
    baseUrl: 'http://sim.test',
    apiKey: 'svc_test_1',
    fetch: async () => Response.json({ id: '1' }),
  });
  const made = { sessions: () => sessions(connection).get('1'), agents: () => agents(connection).get('1') };

  for (const area of ['sessions', 'agents'] as const)
    it(`have each operation of one of the ${area}, and no other`, async () => {
      const handle: object = await made[area]();
      for (const [verb, row] of Object.entries(rows[area])) {
        const name = methodName(verb);
        const member: unknown = Reflect.get(handle, renamed[name] ?? name);
        expect(typeof member, name).to.equal(row.includes('/{id}') ? 'function' : 'undefined');
      }
    });
});
