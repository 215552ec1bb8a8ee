import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId } from '../../../contracts/ids.ts';
import type { Driver } from '../node/driver.ts';
import { launch, run, startDriver } from './testing/browser.ts';
import { servePages, type Pages } from './testing/pages.ts';

/** Values that a page reads back. Lists are of colours or samples, the rest are strings. */
interface Seen {
  readonly image: readonly number[];
  readonly texts: Readonly<Record<string, string>>;
  /** Conditions that must always be true. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly looks: Readonly<Record<string, string>>;
}

const page = `<!doctype html><iframe id="inline" srcdoc="<p>inside"></iframe><iframe id="blank"></iframe><script>
  const draw = (canvas) => {
    canvas.width = 120;
    canvas.height = 40;
    const context = canvas.getContext('2d');
    context.fillStyle = '#f60';
    context.fillRect(70, 5, 40, 20);
    context.fillStyle = '#069';
    context.font = '16px sans-serif';
    context.fillText('Hello, canvas', 2, 30);
    return canvas;
  };
  const base64 = (blob) => new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsDataURL(blob);
  });
  const sum = (samples) => [...samples].reduce((total, sample) => total + Math.abs(sample), 0).toPrecision(17);
  const scene = () => {
    const canvas = document.createElement('canvas');
    const gl = canvas.getContext('webgl', { preserveDrawingBuffer: true });
    gl.enable(gl.SCISSOR_TEST);
    for (let step = 0; step < 20; step += 1) {
      gl.scissor(step * 5, step * 3, 40, 40);
      gl.clearColor(step / 20, 0.3, 0.6, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
    }
    const pixels = new Uint8Array(300 * 150 * 4);
    gl.readPixels(0, 0, 300, 150, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return { pixels: pixels.join(), url: canvas.toDataURL() };
  };
  const sound = async () => {
    const context = new OfflineAudioContext(1, 5000, 44100);
    const tone = new OscillatorNode(context, { type: 'triangle', frequency: 10000 });
    const analyser = new AnalyserNode(context, { fftSize: 256 });
    tone.connect(new DynamicsCompressorNode(context)).connect(analyser).connect(context.destination);
    tone.start();
    const buffer = await context.startRendering();
    const copied = new Float32Array(500);
    buffer.copyFromChannel(copied, 0, 4500);
    const samples = buffer.getChannelData(0).slice(4500);
    const bins = new Float32Array(128);
    analyser.getFloatFrequencyData(bins);
    return { samples: sum(samples), copied: sum(copied), again: sum(buffer.getChannelData(0).slice(4500)), bins: sum(bins) };
  };
  const wrapped = [
    [HTMLCanvasElement, 'toDataURL'], [HTMLCanvasElement, 'toBlob'], [CanvasRenderingContext2D, 'getImageData'],
    [OffscreenCanvas, 'convertToBlob'], [WebGLRenderingContext, 'readPixels'], [WebGL2RenderingContext, 'readPixels'],
    [AudioBuffer, 'getChannelData'], [AudioBuffer, 'copyFromChannel'], [AnalyserNode, 'getByteFrequencyData'],
    [Function, 'toString'],
  ];
  const lookOf = ([owner, name]) => {
    const { value, ...flags } = Object.getOwnPropertyDescriptor(owner.prototype, name);
    return [name, value.name, value.length, value.toString(), Function.prototype.toString.call(value),
      Object.getOwnPropertyNames(value).sort(), 'prototype' in value, JSON.stringify(flags)].join();
  };
  const thrown = (work) => { try { return String(work()); } catch (error) { return String(error); } };
  addEventListener('load', async () => {
    const canvas = draw(document.createElement('canvas'));
    const url = canvas.toDataURL();
    const image = [...canvas.getContext('2d').getImageData(0, 0, 120, 40).data];
    const part = canvas.getContext('2d').getImageData(30, 10, 50, 20).data;
    const flat = document.createElement('canvas').getContext('2d');
    flat.fillStyle = '#123456';
    flat.fillRect(0, 0, 300, 75);
    const heights = flat.getImageData(0, 0, 300, 75).data;
    const framed = (id) => draw(document.getElementById(id).contentDocument.createElement('canvas')).toDataURL() === url;
    const added = document.body.appendChild(document.createElement('iframe'));
    const offscreen = draw(new OffscreenCanvas(1, 1));
    const { pixels, url: glUrl } = scene();
    const { samples, copied, again, bins } = await sound();
    const seen = {
      image,
      texts: {
        url, pixels, glUrl, samples, bins,
        blob: await new Promise((resolve) => canvas.toBlob((blob) => resolve(base64(blob)))),
        offscreen: await base64(await offscreen.convertToBlob()),
      },
      facts: {
        readsTheSameTwice: canvas.toDataURL() === url && samples === again && samples === copied,
        partIsOfTheWhole: part.every((value, at) =>
          value === image[((Math.floor(at / 200) + 10) * 120 + 30) * 4 + (at % 200)]),
        flatIsFlat: heights.every((value, at) => value === [0x12, 0x34, 0x56, 255][at % 4]),
        emptyIsEmpty: flat.getImageData(0, 75, 300, 75).data.every((value) => value === 0),
        inSrcdoc: framed('inline'),
        inBlank: framed('blank'),
        inNew: draw(added.contentDocument.createElement('canvas')).toDataURL() === url,
        byAnother: added.contentWindow.HTMLCanvasElement.prototype.toDataURL.call(canvas) === url,
        refusesOthers: thrown(() => HTMLCanvasElement.prototype.toDataURL.call({})),
        refusesNone: thrown(() => flat.getImageData()),
        refusesNew: thrown(() => new HTMLCanvasElement.prototype.toDataURL()),
        zero: document.createElement('canvas').toDataURL('image/png').length,
      },
      looks: Object.fromEntries(wrapped.map((each) => [each[0].name + each[1], lookOf(each)])),
    };
    document.body.append(Object.assign(document.createElement('pre'), { id: 'seen', textContent: JSON.stringify(seen) }));
  });
</script>`;

describe('what a page reads back of canvas, WebGL and audio', () => {
  let pages: Pages;
  let driver: Driver;
  let plain: Seen;
  let ada: Seen;
  let adaAgain: Seen;
  let grace: Seen;
  before(async () => {
    pages = await servePages({ '/': page });
    driver = await startDriver();
    const [adas, graces] = ['YWRhIGFkYSBhZGEgYWRhIQ', 'Z3JhY2UgZ3JhY2UgZ3JhYw'];
    [plain, ada, adaAgain, grace] = await Promise.all([look(), look(adas), look(adas), look(graces)]);
  });
  after(async () => {
    await driver.close();
    await pages.close();
  });

  const look = async (noiseSeed?: string): Promise<Seen> => {
    const profile =
      noiseSeed === undefined ? undefined : { profileId: toId('profile', randomUUID()), noiseSeed };
    const browser = await launch(driver, undefined, { profile });
    try {
      await run(browser, 'navigate', { url: pages.url });
      await run(browser, 'wait', { condition: { kind: 'selector', selector: '#seen', state: 'attached' } });
      const { data } = await run(browser, 'extract', { schema: { type: 'string', 'x-selector': '#seen' } });
      return JSON.parse(String(data)) as Seen;
    } finally {
      await browser.close();
    }
  };

  it('is the same in two launches of a profile', () => {
    expect(adaAgain).to.deep.equal(ada);
  });

  it('is different for each profile, and for a session without one', () => {
    for (const name of Object.keys(plain.texts)) {
      const three = new Set([plain, ada, grace].map(({ texts }) => texts[name]));
      expect(three.size, name).to.equal(3);
    }
  });

  it('differs by one step in few colours, and in none that is transparent', () => {
    const steps = plain.image.map((value, at) => Math.abs(value - (ada.image[at] ?? NaN)));
    const changed = steps.filter((step) => step !== 0);
    expect(Math.max(...steps)).to.equal(1);
    expect(changed.length).to.be.within(1, plain.image.length / 50);
    expect(plain.image.every((value, at) => value === ada.image[at] || plain.image[at | 3] !== 0)).to.equal(
      true,
    );
  });

  it('is consistent in every frame, and throws the same errors as without noise', () => {
    const { refusesOthers, refusesNone, refusesNew, zero, ...facts } = ada.facts;
    expect(Object.entries(facts).filter(([, holds]) => holds !== true)).to.deep.equal([]);
    const { facts: usual } = plain;
    expect({ refusesOthers, refusesNone, refusesNew, zero }).to.deep.equal({
      refusesOthers: usual.refusesOthers,
      refusesNone: usual.refusesNone,
      refusesNew: usual.refusesNew,
      zero: usual.zero,
    });
  });

  it('is read by functions that look native', () => {
    expect(ada.looks).to.deep.equal(plain.looks);
  });
});
