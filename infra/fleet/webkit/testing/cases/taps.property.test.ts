import { expect } from 'chai';
import fc from 'fast-check';
import { failure, run } from '../browser.ts';
import { withBrowser } from '../suite.ts';
import type { Case } from './case.ts';
import { serveCases } from './site.ts';

/** Surroundings of the target in any order: scrollers, transforms, shadow trees and covering elements. */
const layer = fc.oneof(
  fc.record({ kind: fc.constant('plain' as const), pad: fc.integer({ min: 0, max: 60 }) }),
  fc.record({
    kind: fc.constant('scroller' as const),
    height: fc.integer({ min: 60, max: 300 }),
    before: fc.integer({ min: 0, max: 900 }),
  }),
  fc.record({
    kind: fc.constant('transformed' as const),
    turn: fc.integer({ min: -40, max: 40 }),
    scale: fc.double({ min: 0.5, max: 1.6, noNaN: true }),
  }),
  fc.record({ kind: fc.constant('shadow' as const) }),
  fc.record({
    kind: fc.constant('overlaid' as const),
    left: fc.integer({ min: -50, max: 200 }),
    top: fc.integer({ min: -50, max: 80 }),
    width: fc.integer({ min: 10, max: 200 }),
  }),
  fc.record({ kind: fc.constant('hiding' as const), height: fc.integer({ min: 5, max: 80 }) }),
);
type Layer = typeof layer extends fc.Arbitrary<infer T> ? T : never;

const decoy = '<button style="width:90px;height:30px" class="decoy">Decoy</button>';

function around(inner: string, part: Layer, index: number): string {
  switch (part.kind) {
    case 'plain':
      return `<div style="padding:${part.pad}px">${decoy}${inner}${decoy}</div>`;
    case 'scroller':
      return `<div style="height:${part.height}px;overflow:auto"><div style="height:${part.before}px">${decoy}</div>${inner}<div style="height:400px"></div></div>`;
    case 'transformed':
      return `<div style="transform:rotate(${part.turn}deg) scale(${part.scale.toFixed(2)})">${inner}</div>`;
    case 'shadow':
      return `<x-${index}></x-${index}><template id="t${index}">${inner}</template>`;
    case 'overlaid':
      return `<div style="position:relative">${inner}<div class="decoy" style="position:absolute;left:${part.left}px;top:${part.top}px;width:${part.width}px;height:40px;background:#fcc"></div></div>`;
    case 'hiding':
      return `<div style="height:${part.height}px;overflow:hidden">${inner}</div>${decoy}`;
  }
}

const script = `<script>
  const grow = (root) => { for (const template of [...root.querySelectorAll('template')]) {
    const host = root.querySelector('x-' + template.id.slice(1)); const tree = host.attachShadow({ mode: 'open' });
    tree.append(template.content); template.remove(); grow(tree) } };
  grow(document);
  addEventListener('click', (event) => log(event.composedPath()[0].id || 'other'), true);
  for (const type of ['pointerdown', 'touchstart', 'mousedown'])
    addEventListener(type, (event) => { if (event.composedPath()[0].id !== 'b') log(type); }, true);
</script>`;

const pageOf = (layers: readonly Layer[]): Case => ({
  says: '',
  page: layers.reduce(around, '<button id="b" style="width:80px;height:30px">Target</button>') + script,
  does: [],
});

describe('a tap on any page', () => {
  const cases: Case[] = [];
  const suite = withBrowser(() => serveCases(cases));

  it('hits exactly the target, or fails and touches nothing, or says that it does not know', async () => {
    let reached = 0;
    const tapped = async (layers: readonly Layer[]) => {
      const url = suite.site.urlOf(cases.push(pageOf(layers)) - 1);
      await run(suite.browser, 'navigate', { url });
      const tap = run(suite.browser, 'interact', { action: { kind: 'tap', selector: '#b' } }, 300);
      const isDone = await tap.then(
        () => true,
        () => false,
      );
      const clicks = await clicksOf(url);
      if (isDone) {
        expect(clicks).to.equal('b');
        reached += 1;
      } else {
        // If the time ran out during the action, the failure says that its effect is unknown.
        const { category } = await failure(tap);
        expect(clicks).to.be.oneOf(category === 'unknown' ? ['', 'b'] : ['']);
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(layer, { maxLength: 5 }), tapped), { numRuns: 60 });
    expect(reached).to.be.above(20);
  });

  async function clicksOf(url: string): Promise<string> {
    await run(suite.browser, 'navigate', { url: `${url}#told` });
    const isReported = { kind: 'selector', selector: 'html[data-told]', state: 'attached' } as const;
    await run(suite.browser, 'wait', { condition: isReported });
    const { title } = await run(suite.browser, 'state_capture', null);
    return decodeURIComponent(title.slice(1));
  }
});
