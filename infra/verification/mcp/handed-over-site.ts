import { listen } from '../../http/index.ts';

/** Points of the sign-in form, in CSS pixels. */
export const places = { username: [100, 70], password: [100, 150], submit: [100, 230] } as const;

const at = (top: number) => `style="position:absolute;left:20px;top:${top}px;width:200px;height:40px"`;
const page = (title: string, body: string): string =>
  `<!doctype html><meta name="viewport" content="width=device-width"><title>${title}</title><body>${body}</body>`;
const signIn = page(
  'Sign in',
  `<form method="post"><input name="username" aria-label="User name" autocomplete="username" ${at(50)}>
   <input name="password" type="password" autocomplete="current-password" ${at(130)}><button ${at(210)}>Sign in</button></form>`,
);

/** A site whose `/private` requires a sign-in, which it remembers for a day. */
export async function startHandedOverSite(password: string) {
  const { port, close } = await listen((request, reply) => {
    reply.setHeader('content-type', 'text/html');
    const redirect = (location: string) => reply.writeHead(303, { location }).end();
    if (request.method === 'POST') {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        const given = new URLSearchParams(body);
        if (given.get('username') !== 'ada' || given.get('password') !== password) return redirect('/login');
        reply.setHeader('set-cookie', 'known=ada; Max-Age=86400');
        return redirect('/private');
      });
      return;
    }
    if (request.url === '/login') return void reply.end(signIn);
    if (request.url === '/private' && request.headers.cookie !== 'known=ada') return void redirect('/login');
    reply.end(page(request.url === '/private' ? 'Private' : 'Public', '<h1>Here you are</h1>'));
  }, 0);
  return { url: `http://127.0.0.1:${port}`, close };
}
