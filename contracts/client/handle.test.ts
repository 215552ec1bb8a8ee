import { expect } from 'chai';
import { handles } from './handle.ts';

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
