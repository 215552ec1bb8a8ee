import { until } from '../../../../verification/testbed/index.ts';
import type { Case, Served } from './site-case.ts';

const file =
  (disposition: string, bytes = 5, type = 'text/plain'): Served =>
  (_request, reply) =>
    void reply
      .writeHead(200, { 'content-type': type, 'content-disposition': disposition })
      .end('x'.repeat(bytes));
const home = `<title>Home</title><a id="get" href="/file">Get</a>`;
const named = (disposition: string): Case['pages'] => ({ '/': home, '/file': file(disposition) });
const mebibyte = 1024 * 1024;

/** Suggested names, and the names of the files. */
const names: readonly (readonly [string, string, string])[] = [
  ['a path', 'attachment; filename="../../etc/passwd"', 'passwd'],
  ['a hidden file', 'attachment; filename=".bashrc"', 'bashrc'],
  ['characters with a meaning to shells', 'attachment; filename="a|b<c>.txt"', 'a_b_c_.txt'],
  ['letters of other scripts', `attachment; filename*=UTF-8''%E5%A0%B1%E5%91%8A.txt`, '報告.txt'],
];

export const downloads: readonly Case[] = [
  {
    says: 'an attachment is stored as a file, and named in the result',
    pages: named('attachment; filename="report.txt"'),
    does: async (on) => [(await on.tap('#get')).downloads, await on.title()],
    gives: [[{ name: 'report.txt', size: 5, mime: 'text/plain', state: 'finished' }], 'Home'],
  },
  {
    says: 'the state lists the files of the session',
    pages: named('attachment; filename="listed.txt"'),
    does: async (on) => (
      await on.tap('#get'),
      (await on.state()).downloads?.some(({ name }) => name === 'listed.txt')
    ),
    gives: true,
  },
  {
    says: 'two files of the same name get different names',
    pages: named('attachment; filename="twice.tar.gz"'),
    does: async (on) => {
      const first = await on.tap('#get');
      const second = await on.tap('#get');
      return [...(first.downloads ?? []), ...(second.downloads ?? [])].map(({ name }) => name);
    },
    gives: ['twice.tar.gz', 'twice.tar (2).gz'],
  },
  {
    says: 'a link with a `download` attribute is stored under the name in it',
    pages: { '/': `<a id="get" download="notes.html" href="/page">Get</a>`, '/page': 'Notes' },
    does: async (on) => (await on.tap('#get')).downloads?.map(({ name, state }) => [name, state]),
    gives: [['notes.html', 'finished']],
  },
  {
    says: 'a file that a page generates is stored',
    pages: {
      '/': `<a id="get" download="made.txt">Get</a><script>
        get.href = URL.createObjectURL(new Blob(['hello']));</script>`,
    },
    does: async (on) => (await on.tap('#get')).downloads?.map(({ name, size }) => [name, size]),
    gives: [['made.txt', 5]],
  },
  {
    says: 'a response that cannot be shown is stored',
    pages: { '/': home, '/file': file('inline', 9, 'application/zip') },
    does: async (on) => (await on.tap('#get')).downloads?.map(({ size, mime }) => [size, mime]),
    gives: [[9, 'application/zip']],
  },
  {
    says: 'a file that a frame loads is stored',
    pages: {
      '/': `<button id="get" onclick="frame.src = '/file'">Get</button><iframe id="frame"></iframe>`,
      '/file': file('attachment; filename="framed.txt"'),
    },
    does: async (on) => {
      await on.tap('#get');
      return on.kept('framed.txt');
    },
    gives: 'finished',
  },
  {
    says: 'navigating to a file reports the file, and the previous page stays',
    pages: named('attachment; filename="direct.txt"'),
    does: async (on) => {
      const { final_url, status, downloads: kept } = await on.go('/file');
      return [final_url === `${on.origin}/file`, status, kept?.map(({ name }) => name), await on.title()];
    },
    gives: [true, 200, ['direct.txt'], 'Home'],
  },
  {
    says: 'navigating to a file by a redirect gives the address of the file',
    pages: {
      ...named('attachment; filename="moved.txt"'),
      '/moved': (_request, reply) => void reply.writeHead(302, { location: '/file' }).end(),
    },
    does: async (on) => (await on.go('/moved')).final_url === `${on.origin}/file`,
    gives: true,
  },
  {
    says: 'the previous page still counts as loaded after a file',
    pages: named('attachment; filename="after.txt"'),
    does: async (on) => {
      await on.go('/file');
      return (await on.wait({ kind: 'load_state', state: 'load' }, 2_000)).matched;
    },
    gives: true,
  },
  {
    says: 'a file with a declared size above 64 MiB is refused',
    pages: {
      '/': home,
      '/file': (_request, reply) =>
        void reply
          .writeHead(200, {
            'content-type': 'application/octet-stream',
            'content-disposition': 'attachment; filename="huge.bin"',
            'content-length': 65 * mebibyte,
          })
          .write('x'.repeat(2_000)),
    },
    does: async (on) => (await on.tap('#get')).downloads?.map(({ name, size, state }) => [name, size, state]),
    gives: [['huge.bin', 0, 'refused']],
  },
  {
    says: 'a file that exceeds 64 MiB without a declared size is refused, and not kept',
    pages: { '/': home, '/file': (_request, reply) => stream(reply, 66 * mebibyte) },
    does: async (on) => {
      const { downloads: begun } = await on.tap('#get');
      const isKept = async () => (await on.state()).downloads?.some(({ name }) => name === 'stream.bin');
      // It may take longer than the action.
      await until(async () => (await isKept()) === false, { limitMs: 60_000 });
      return begun?.map(({ name }) => name);
    },
    gives: ['stream.bin'],
  },
  {
    says: 'an incomplete file has failed',
    pages: {
      '/': home,
      '/file': (_request, reply) => {
        reply.writeHead(200, {
          'content-disposition': 'attachment; filename="broken.bin"',
          'content-length': 1000,
        });
        reply.write('x'.repeat(100), () => setTimeout(() => reply.destroy(), 50));
      },
    },
    does: async (on) => (await on.tap('#get')).downloads?.map(({ name, state }) => [name, state]),
    gives: [['broken.bin', 'failed']],
  },
  {
    says: 'a file that takes longer than the action is in progress',
    pages: {
      '/': home,
      '/file': (_request, reply) => {
        reply.writeHead(200, { 'content-disposition': 'attachment; filename="slow.bin"' });
        reply.write('x'.repeat(2_000));
        setTimeout(() => reply.end(), 1_500);
      },
    },
    does: async (on) => (await on.tap('#get', {}, 1_000)).downloads?.map(({ name, state }) => [name, state]),
    gives: [['slow.bin', 'in_progress']],
  },
  ...names.map(([what, disposition, name]): Case => ({
    says: `the name of a file is made safe: ${what}`,
    pages: named(disposition),
    does: async (on) => (await on.tap('#get')).downloads?.map((kept) => kept.name),
    gives: [name],
  })),
  {
    says: 'a long name is shortened before its extension',
    pages: named(`attachment; filename="${'n'.repeat(240)}.txt"`),
    does: async (on) => {
      const [kept] = (await on.tap('#get')).downloads ?? [];
      return [kept?.name.length, kept?.name.endsWith('n.txt')];
    },
    gives: [200, true],
  },
  {
    says: 'two files of the same long name can both be read',
    pages: named(`attachment; filename="${'m'.repeat(210)}.txt"`),
    does: async (on) => {
      const all = [await on.tap('#get'), await on.tap('#get')].flatMap(({ downloads: kept }) => kept ?? []);
      const contents = await Promise.all(all.map(({ name }) => on.content(name)));
      return [
        new Set(all.map(({ name }) => name)).size,
        all.every(({ name }) => name.length <= 200),
        contents,
      ];
    },
    gives: [2, true, ['xxxxx', 'xxxxx']],
  },
];

function stream(reply: Parameters<Exclude<Served, string>>[1], bytes: number): void {
  reply.writeHead(200, { 'content-disposition': 'attachment; filename="stream.bin"' });
  const part = Buffer.alloc(mebibyte);
  let sent = 0;
  const more = () => {
    while (sent < bytes && !reply.destroyed) {
      sent += part.length;
      if (!reply.write(part)) return void reply.once('drain', more);
    }
    reply.end();
  };
  more();
}
