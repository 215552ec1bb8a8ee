import type { Case } from './case.ts';

/** Files for the fields of pages. */
export const uploads: readonly Case[] = [
  {
    says: 'gives a field files',
    page: '<input id="i" type="file" multiple onchange="Promise.all([...this.files].map((f) => f.text())).then((t) => log(t.join()))">',
    does: [
      {
        kind: 'upload',
        selector: '#i',
        files: [
          { name: 'a.txt', mime: 'text/plain', data_base64: 'b25l' },
          { name: 'b.txt', data_base64: 'dHdv' },
        ],
      },
      { kind: 'wait', condition: { kind: 'delay', ms: 60 } },
    ],
    tells: "[...$('#i').files].map((f) => f.name + ':' + f.type).join() + ' ' + lines",
    expect: 'a.txt:text/plain,b.txt:application/octet-stream one,two',
  },
  {
    says: 'gives files to a hidden field by its label',
    page: '<label id="l">Photo <input id="i" type="file" style="display:none" oninput="log(\'input\')" onchange="log(\'change\')"></label>',
    does: { kind: 'upload', selector: '#l', files: [{ name: 'a', data_base64: 'YQ==' }] },
    expect: 'input change',
  },
  {
    says: 'refuses an unknown handle',
    page: '<input id="i" type="file">',
    does: { kind: 'upload', selector: '#i', handle: 'h' },
    fails: ['page', /no file of this handle/],
  },
];
