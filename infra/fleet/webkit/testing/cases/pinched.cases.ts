import type { Case, Hands } from './site-case.ts';

const shown = (
  viewport: string,
  more = '',
) => `${viewport}<title>Home</title><style>body { margin: 0 }</style>
  <div id="small" style="position:absolute;left:150px;top:280px;width:50px;height:30px;background:#00f">
    <b style="display:block;margin:5px;width:40px;height:20px;background:#f00"></b></div>
  <div id="tall" style="position:absolute;left:20px;top:700px;width:100px;height:900px;background:#0f0"></div>${more}`;
const device = '<meta name="viewport" content="width=device-width">';
const wide = '<meta name="viewport" content="width=700">';
const pinch = { kind: 'pinch', x: 190, y: 300, scale: 2 } as const;

/** Size of an element's picture, and its RGB colors near its first corner, in its middle and near its last corner. */
async function look(on: Hands, selector: string): Promise<unknown> {
  const { data } = await on.capture('screenshot', { selector });
  on.serve({
    '/picture': `<img src="data:image/png;base64,${data}"><p id="seen"></p><script>onload = () => {
      const [image] = document.images; const { naturalWidth: width, naturalHeight: height } = image;
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const context = canvas.getContext('2d'); context.drawImage(image, 0, 0);
      const at = (x, y) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)].map((value) => value > 127 ? 1 : 0).join('');
      seen.textContent = [width + 'x' + height, at(2, 2), at(width / 2 | 0, height / 2 | 0), at(width - 3, height - 3)].join(' ');
    }</script>`,
  });
  await on.go('/picture');
  return on.read('#seen');
}

export const pinched: readonly Case[] = [
  {
    says: 'a picture of an element shows that element, in device pixels',
    pages: { '/': shown(device) },
    does: (on) => look(on, '#small'),
    gives: '150x90 001 100 001',
  },
  {
    says: 'the picture is larger on a zoomed page, and shows the same element',
    pages: { '/': shown(device) },
    does: async (on) => (await on.act(pinch), look(on, '#small')),
    gives: '300x180 001 100 001',
  },
  {
    says: 'the picture of an element larger than the viewport is larger on a zoomed page',
    pages: { '/': shown(device) },
    does: async (on) => (await on.act(pinch), look(on, '#tall')),
    gives: '600x5400 010 010 010',
  },
  {
    says: 'the picture is smaller on a page that is laid out wider than the device',
    pages: { '/': shown(wide) },
    does: (on) => look(on, '#small'),
    gives: '84x50 001 100 001',
  },
  {
    says: 'the picture is larger again when such a page is zoomed',
    pages: { '/': shown(wide) },
    does: async (on) => (await on.act(pinch), look(on, '#small')),
    gives: '168x101 001 100 001',
  },
  {
    says: 'a tap hits its element on a page that is laid out wider and zoomed',
    pages: { '/': shown(wide, `<script>small.onclick = () => { document.title = 'Tapped' }</script>`) },
    does: async (on) => (await on.act(pinch), await on.tap('#small'), on.title()),
    gives: 'Tapped',
  },
];
