import { button, clicked, on, tap, type Case } from './case.ts';

/** Defines an element with an open shadow tree of this content. */
const shadow = (name: string, content: string) =>
  `<script>customElements.define('${name}', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = \`${content}\` } })</script>`;

/** Elements that move, or cannot be acted on yet, without an attribute that shows it. */
export const stillness: readonly Case[] = [
  {
    says: 'waits until an element that a shadow tree animates is still',
    page: `<x-s><button id="b" onclick="log(String(event.clientX > 150))">Go</button></x-s>${shadow('x-s', '<style>@keyframes in { from { transform: translateX(-300px) } to { transform: translateX(160px) } } div { animation: in .3s forwards }</style><div><slot></slot></div>')}`,
    does: tap('#b'),
    expect: 'true',
  },
  {
    says: 'waits until an animation of SVG has ended',
    page: `<svg width="380" height="60"><rect id="b" width="40" height="40" ${on('clicked')}><animate attributeName="x" from="0" to="300" dur="0.3s" fill="freeze"/></rect></svg>`,
    ...clicked,
  },
  {
    says: 'waits until a label accepts touches',
    page: `<label id="b" style="pointer-events:none" ${on('clicked')}><span>Go</span></label><script>late(120, () => { b.style.pointerEvents = '' })</script>`,
    does: { kind: 'tap', text: 'Go' },
    expect: 'clicked',
  },
  {
    says: 'taps an element with `disabled` that is not a control',
    page: `<div id="b" disabled ${on('clicked')}>Go</div>`,
    ...clicked,
  },
  {
    says: 'taps a button in the legend of a disabled fieldset',
    page: `<fieldset disabled><legend>${button}</legend></fieldset>`,
    ...clicked,
  },
  {
    says: 'waits until the group around it is no longer aria-disabled',
    page: `<div id="g" role="group" aria-disabled="true">${button}</div><script>late(120, () => { $('#g').removeAttribute('aria-disabled'); log('on') })</script>`,
    does: tap('#b'),
    expect: 'on clicked',
  },
  {
    says: 'waits until an element is no longer inert',
    page: `<div id="g" inert>${button}</div><script>late(120, () => { $('#g').inert = false; log('on') })</script>`,
    does: tap('#b'),
    expect: 'on clicked',
  },
];
