import { expect } from 'chai';
import { attribute, unattributed } from './steps-attribution.ts';

const node = (id: number, functionName: string, url = '', children: number[] = []) => ({
  id,
  callFrame: { functionName, url },
  children,
});

describe('The cost of steps', () => {
  it('counts a sample for the innermost file of any step, and the rest for Node', () => {
    const profile = {
      nodes: [
        node(1, '(root)', '', [2, 6, 7]),
        node(2, 'route', 'file:///app/router.ts', [3, 5]),
        node(3, 'check', 'file:///app/check.ts', [4]),
        node(4, 'hash', 'node:crypto'),
        node(5, 'next', 'file:///lib/next.js'),
        node(6, '(idle)'),
        node(7, '(garbage collector)'),
      ],
      samples: [4, 5, 6, 7, 1],
      timeDeltas: [10, 20, 1000, 30, 40],
    };
    const spent = attribute(profile, [
      ['routing', /router/],
      ['checking', /check/],
      ['never', /never/],
    ]);
    expect(Object.fromEntries(spent)).to.deep.equal({
      routing: 20,
      checking: 10,
      never: 0,
      'garbage collection': 30,
      [unattributed]: 40,
    });
  });
});
