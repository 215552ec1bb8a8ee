/*
 * Pages can identify machines by reading back what they drew or played. This script makes each profile read back slightly different, but
 * stable values. It runs in each document before any of its scripts. A few samples, chosen by the seed and their surroundings, change by
 * the least possible amount; uniform, transparent or silent ones do not change.
 */
function addNoise(seed) {
  // Original functions, saved because a page may replace them.
  const { apply, getOwnPropertyDescriptor } = Reflect;
  const { defineProperty } = Object;
  const { imul, min, trunc } = Math;
  const { isView } = ArrayBuffer;
  const Bytes = Uint8ClampedArray;
  /** One seed for each kind of noise, derived from the profile's. */
  const words = new Int32Array(4);
  for (let kind = 0; kind < words.length; kind += 1) {
    words[kind] = kind + 1;
    for (let index = 0; index < seed.length; index += 1)
      words[kind] = mix(words[kind], seed.charCodeAt(index));
  }

  /** A 32-bit hash of two numbers. */
  function mix(state, value) {
    let hash = imul(state ^ imul(value + 0x9e3779b9, 0x85ebca6b), 0xc2b2ae35);
    hash = imul(hash ^ (hash >>> 15), 0x27d4eb2f);
    return hash ^ (hash >>> 13);
  }
  const chance = (which, x, y, value) => mix(mix(mix(words[which], x), y), value);

  const present = presentAs();
  /** Replaces a method by one that looks the same. `perform` gets the native one, its object and its arguments. */
  const replace = (owner, name, perform) => {
    const descriptor = owner && getOwnPropertyDescriptor(owner, name);
    if (typeof descriptor?.value !== 'function') return;
    const native = descriptor.value;
    const value = new Proxy(native, { apply: (_target, self, args) => perform(native, self, args) });
    present(value, native);
    defineProperty(owner, name, { ...descriptor, value });
  };

  noisePictures();
  noiseWebGl();
  noiseAudio();

  /** Makes `Function.prototype.toString` return the text of one function for another. For itself it still returns the native text. */
  function presentAs() {
    const natives = new WeakMap();
    const { get, set } = WeakMap.prototype;
    const owner = Function.prototype;
    const native = owner.toString;
    const look = (value) => (typeof value === 'function' && apply(get, natives, [value])) || value;
    const value = new Proxy(native, { apply: (_target, self, args) => apply(native, look(self), args) });
    apply(set, natives, [value, native]);
    defineProperty(owner, 'toString', { ...getOwnPropertyDescriptor(owner, 'toString'), value });
    return (shown, as) => apply(set, natives, [shown, as]);
  }

  /**
   * Changes pixels (RGBA) in place, in rows of `width`, the first of which is at `left` and `top` of the picture.
   * Returns whether any was changed.
   */
  function disturbPixels(bytes, { width, height, left, top, channel }) {
    const before = new Bytes(bytes);
    const same = (at, other) =>
      before[at] === before[other] &&
      before[at + 1] === before[other + 1] &&
      before[at + 2] === before[other + 2] &&
      before[at + 3] === before[other + 3];
    let changed = false;
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const at = 4 * (y * width + x);
        if (before[at + 3] === 0) continue;
        const isFlat = (x === 0 || same(at, at - 4)) && (y === 0 || same(at, at - 4 * width));
        if (isFlat) continue;
        const colour = (before[at] << 16) ^ (before[at + 1] << 8) ^ before[at + 2];
        const chosen = chance(channel, left + x, top + y, colour);
        if ((chosen & 7) !== 0) continue;
        const sample = at + (((chosen >>> 3) & 0xff) % 3);
        const step = before[sample] === 0 || (before[sample] < 255 && (chosen >>> 12) & 1) ? 1 : -1;
        bytes[sample] = before[sample] + step;
        changed = true;
      }
    }
    return changed;
  }

  function noisePictures() {
    const { getContext } = HTMLCanvasElement.prototype;
    const { getImageData, putImageData, drawImage } = CanvasRenderingContext2D.prototype;
    const { createElement } = Document.prototype;
    const getterOf = (owner, name) => getOwnPropertyDescriptor(owner, name).get;
    const ofData = getterOf(ImageData.prototype, 'data');
    const sizeOf = ({ prototype }) => {
      const [width, height] = [getterOf(prototype, 'width'), getterOf(prototype, 'height')];
      return (self) => ({ width: apply(width, self, []), height: apply(height, self, []) });
    };
    const ofElement = sizeOf(HTMLCanvasElement);
    const ofPicture = sizeOf(ImageData);
    const setters = ['width', 'height'].map(
      (name) => getOwnPropertyDescriptor(HTMLCanvasElement.prototype, name).set,
    );
    const [setWidth, setHeight] = setters;

    /** A copy of a canvas with noise; undefined if there is nothing to change. */
    const copyOf = (source, { width, height }) => {
      const copy = apply(createElement, document, ['canvas']);
      apply(setWidth, copy, [width]);
      apply(setHeight, copy, [height]);
      const context = apply(getContext, copy, ['2d']);
      apply(drawImage, context, [source, 0, 0]);
      const picture = apply(getImageData, context, [0, 0, width, height]);
      const area = { width, height, left: 0, top: 0, channel: 0 };
      if (!disturbPixels(apply(ofData, picture, []), area)) return undefined;
      apply(putImageData, context, [picture, 0, 0]);
      return copy;
    };
    /** The copy that is read instead of a canvas. WebKit throws as usual if the page may not read the canvas. */
    const shown = (source, size) => {
      try {
        return copyOf(source, size(source)) ?? source;
      } catch {
        return source;
      }
    };
    for (const name of ['toDataURL', 'toBlob'])
      replace(HTMLCanvasElement.prototype, name, (native, self, args) =>
        apply(native, shown(self, ofElement), args),
      );

    /** A part of a picture must get the same noise as in the whole, so it is read with a margin of one pixel if there is one. */
    const disturb = (picture, { native, self, args }) => {
      const { width, height } = ofPicture(picture);
      // A negative size extends in the other direction.
      const left = trunc(args[0]) + min(0, trunc(args[2]));
      const top = trunc(args[1]) + min(0, trunc(args[3]));
      const [beforeX, beforeY] = [left > 0 ? 1 : 0, top > 0 ? 1 : 0];
      const area = {
        width: width + beforeX,
        height: height + beforeY,
        left: left - beforeX,
        top: top - beforeY,
      };
      const asked = [area.left, area.top, area.width, area.height];
      // The colour space.
      if (args.length > 4) asked[4] = args[4];
      const around = apply(native, self, asked);
      const data = apply(ofData, picture, []);
      const bytes = apply(ofData, around, []);
      if (!(data instanceof Bytes) || !(bytes instanceof Bytes)) return;
      disturbPixels(bytes, { ...area, channel: 0 });
      for (let y = 0; y < height; y += 1) {
        const from = 4 * ((y + beforeY) * area.width + beforeX);
        for (let index = 0; index < 4 * width; index += 1) data[4 * y * width + index] = bytes[from + index];
      }
    };
    const readsPictures = ({ prototype }) =>
      replace(prototype, 'getImageData', (native, self, args) => {
        const picture = apply(native, self, args);
        disturb(picture, { native, self, args });
        return picture;
      });
    readsPictures(CanvasRenderingContext2D);
    if (typeof OffscreenCanvasRenderingContext2D !== 'function') return;

    const Offscreen = OffscreenCanvas;
    const ofOffscreen = sizeOf(Offscreen);
    const { getContext: getOffscreenContext } = Offscreen.prototype;
    const { drawImage: drawOffscreen } = OffscreenCanvasRenderingContext2D.prototype;
    readsPictures(OffscreenCanvasRenderingContext2D);
    replace(Offscreen.prototype, 'convertToBlob', (native, self, args) => {
      const copy = shown(self, ofOffscreen);
      if (copy === self) return apply(native, self, args);
      const { width, height } = ofOffscreen(self);
      const offscreen = new Offscreen(width, height);
      apply(drawOffscreen, apply(getOffscreenContext, offscreen, ['2d']), [copy, 0, 0]);
      return apply(native, offscreen, args);
    });
  }

  function noiseWebGl() {
    const rgba = 0x1908;
    const bytes = 0x1401;
    for (const owner of [globalThis.WebGLRenderingContext, globalThis.WebGL2RenderingContext]) {
      replace(owner?.prototype, 'readPixels', (native, self, args) => {
        const given = apply(native, self, args);
        const { 0: left, 1: top, 2: width, 3: height, 4: format, 5: type, 6: into, 7: offset = 0 } = args;
        const isPicture = format === rgba && type === bytes && isView(into);
        if (isPicture && width > 0 && height > 0 && into.byteLength - offset >= 4 * width * height) {
          const view = new Bytes(into.buffer, into.byteOffset + offset, 4 * width * height);
          disturbPixels(view, { width, height, left, top, channel: 1 });
        }
        return given;
      });
    }
  }

  function noiseAudio() {
    /** Changes the twentieth binary digit of one sample in eight. */
    const disturbSamples = (samples, channel, start = 0) => {
      for (let index = 0; index < samples.length; index += 1) {
        const chosen = chance(2, channel, start + index, 0);
        if ((chosen & 7) !== 0) continue;
        samples[index] *= 1 + ((chosen >>> 3) & 1 ? 1 : -1) * 2 ** -20;
      }
    };
    const disturbBytes = (samples) => {
      for (let index = 1; index < samples.length; index += 1) {
        const value = samples[index];
        if (value === 0 || value === 255 || value === samples[index - 1]) continue;
        const chosen = chance(3, index, 0, value);
        if ((chosen & 7) === 0) samples[index] = value + ((chosen >>> 3) & 1 ? 1 : -1);
      }
    };
    const { AudioBuffer, AnalyserNode } = globalThis;
    if (!AudioBuffer || !AnalyserNode) return;
    /** Channels whose samples have noise already, and where, by buffer. */
    const done = new WeakMap();
    const { get, set } = WeakMap.prototype;
    replace(AudioBuffer.prototype, 'getChannelData', (native, self, args) => {
      const samples = apply(native, self, args);
      const channels = apply(get, done, [self]) ?? [];
      const channel = args[0] >>> 0;
      if (!channels[channel]) disturbSamples(samples, channel);
      channels[channel] = true;
      apply(set, done, [self, channels]);
      return samples;
    });
    replace(AudioBuffer.prototype, 'copyFromChannel', (native, self, args) => {
      const given = apply(native, self, args);
      const { 0: into, 1: channel, 2: start = 0 } = args;
      if (!apply(get, done, [self])?.[channel >>> 0]) disturbSamples(into, channel >>> 0, start >>> 0);
      return given;
    });
    for (const [name, disturb] of [
      ['getFloatFrequencyData', (samples) => disturbSamples(samples, 0)],
      ['getFloatTimeDomainData', (samples) => disturbSamples(samples, 0)],
      ['getByteFrequencyData', disturbBytes],
      ['getByteTimeDomainData', disturbBytes],
    ]) {
      replace(AnalyserNode.prototype, name, (native, self, args) => {
        const given = apply(native, self, args);
        disturb(args[0]);
        return given;
      });
    }
  }
}
