import type { Case } from './cases/site-case.ts';

export const page = (title: string, body = '') => `<title>${title}</title>${body}`;
export const pages: Case['pages'] = {
  '/': page(
    'First',
    `<a id="on" href="/second">On</a><button id="push" onclick="history.pushState(null, '', '/pushed')">Push</button>
     <input id="file" type="file"><input id="several" type="file" multiple><p id="seen"></p><script>
     document.querySelector('#file').onchange = async ({ target: { files: [file] } }) => {
       const hash = await digest(new Uint8Array(await file.arrayBuffer()));
       seen.textContent = [file.name, file.type, file.size, hash].join(' ');
     };
     const digest = async (bytes) => bytes.reduce((sum, byte) => (sum * 31 + byte) % 4294967291, 7);
     </script>`,
  ),
  '/second': page('Second'),
  '/third': page('Third'),
  '/framed': page(
    'Framed',
    `<a id="third" target="inner" href="/third">Third</a><p id="seen"></p>
     <iframe name="inner" src="/second" onload="seen.textContent = contentDocument.title"></iframe>`,
  ),
  '/where': page(
    'Where',
    `<p id="place">?</p><script>
     const say = async (...words) => {
       const { state } = await navigator.permissions.query({ name: 'geolocation' });
       place.textContent = [...words, state].join(' ');
       place.dataset.known = '';
     };
     navigator.geolocation.getCurrentPosition(
       ({ coords: { latitude, longitude, accuracy } }) => say(latitude, longitude, accuracy),
       ({ code }) => say('refused', code),
     );
     </script>`,
  ),
  '/watching': page(
    'Watching',
    `<p id="place">?</p><script>
     const watched = () => new Promise((told) => navigator.geolocation.watchPosition(told));
     const asked = () => new Promise((told) => navigator.geolocation.getCurrentPosition(told));
     watched().then(watched).then(asked).then(asked).then(() => { place.dataset.known = '' });
     </script>`,
  ),
  '/loop': page('Loop', '<button id="loop" onclick="for (;;);">Loop</button>'),
  '/popup': page('Opener', '<a id="open" target="_blank" href="/second">Open</a>'),
  '/slow': (_request, reply) => void setTimeout(() => reply.end(page('Slow')), 3_000),
  '/never': () => undefined,
  '/report.csv': (_request, reply) =>
    void reply
      .writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment' })
      .end('a,b\n1,2\n'),
  '/empty.bin': (_request, reply) =>
    void reply
      .writeHead(200, { 'content-type': 'application/x-thing', 'content-disposition': 'attachment' })
      .end(),
};

/** Hash of a content, as the page `/` shows it for a file. */
export const digest = (bytes: Uint8Array): number =>
  bytes.reduce((sum, byte) => (sum * 31 + byte) % 4_294_967_291, 7);
