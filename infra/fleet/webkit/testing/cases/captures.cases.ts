import { type Case } from './case.ts';

const red = 'style="width:50px;height:30px;background:red"';

export const captures: readonly Case[] = [
  { says: 'shows the viewport', page: '', does: { kind: 'capture' }, answers: /^1179x1977$/ },
  {
    says: 'shows an element',
    page: `<div id="d" ${red}></div>`,
    does: { kind: 'capture', selector: '#d' },
    answers: /^150x90$/,
  },
  {
    says: 'shows an element by its text',
    page: '<b style="display:block;width:100px;height:40px">Word</b>',
    does: { kind: 'capture', text: 'Word' },
    answers: /^300x120$/,
  },
  {
    says: 'shows an element out of view',
    page: `<div style="height:2000px"></div><div id="d" ${red}></div>`,
    does: { kind: 'capture', selector: '#d' },
    answers: /^150x90$/,
  },
  {
    says: 'shows an element in a scroller',
    page: `<div style="height:100px;overflow:auto"><div style="height:900px"></div><div id="d" ${red}></div></div>`,
    does: { kind: 'capture', selector: '#d' },
    answers: /^150x90$/,
  },
  {
    says: 'shows an element larger than the viewport',
    page: '<div id="d" style="width:100px;height:1500px;background:red"></div>',
    does: { kind: 'capture', selector: '#d' },
    answers: /^300x4500$/,
  },
  {
    says: 'waits for an element',
    page: `<script>late(100, () => document.body.insertAdjacentHTML('beforeend', '<div id="d" style="width:10px;height:10px"></div>'))</script>`,
    does: { kind: 'capture', selector: '#d' },
    answers: /^30x30$/,
  },
  {
    says: 'shows the whole page',
    page: '<style>body{margin:0}</style><div style="height:1500px"></div>',
    does: { kind: 'capture', full_page: true },
    answers: /^1179x4500$/,
  },
  {
    says: 'shows a whole page that fits',
    page: '',
    does: { kind: 'capture', full_page: true },
    answers: /^1179x1977$/,
  },
  {
    says: 'does not scroll the page for an element in view',
    page: `<div id="d" ${red}></div><div style="height:2000px"></div><script>addEventListener('scroll', () => log('scrolled'))</script>`,
    does: { kind: 'capture', selector: '#d' },
    expect: '',
  },
  {
    says: 'gives up on an element that is not there',
    page: '',
    does: { kind: 'capture', selector: '#d' },
    fails: ['timeout', /No element/],
  },
  {
    says: 'gives up on an element that is hidden',
    page: `<div id="d" hidden></div>`,
    does: { kind: 'capture', selector: '#d' },
    fails: ['timeout', /not visible/],
  },
  {
    says: 'refuses an element and the whole page together',
    page: '',
    does: { kind: 'capture', selector: 'body', full_page: true },
    fails: ['page', /not both/],
    limit: 3_000,
  },
  {
    says: 'says that a page is too long for one picture',
    page: '<div style="height:12000px"></div>',
    does: { kind: 'capture', full_page: true },
    fails: ['page', /too long for one picture/],
  },
  {
    says: 'shows an element without a box of its own',
    page: '<div id="d" style="display:contents"><p style="width:100px;height:40px">Word</p></div>',
    does: { kind: 'capture', selector: '#d' },
    answers: /^300x120$/,
  },
];
