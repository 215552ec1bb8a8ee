/* What an iPhone shows a page and this WebKit does not. Runs in each document before any of its scripts. */
function presentPhone({ screen: display }) {
  const define = (target, values) => {
    for (const [name, value] of Object.entries(values)) {
      Object.defineProperty(target, name, { get: () => value, configurable: true, enumerable: true });
    }
  };
  define(Navigator.prototype, {
    platform: 'iPhone',
    vendor: 'Apple Computer, Inc.',
    maxTouchPoints: 5,
    hardwareConcurrency: 4,
    webdriver: false,
  });
  define(Screen.prototype, {
    width: display.width,
    height: display.height,
    availWidth: display.width,
    availHeight: display.height,
    colorDepth: 24,
    pixelDepth: 24,
  });
  define(window, { orientation: 0, screenX: 0, screenY: 0 });
  for (const name of ['ontouchstart', 'ontouchmove', 'ontouchend', 'ontouchcancel']) {
    if (!(name in window)) window[name] = null;
  }

  /* This WebKit delivers a finger as a mouse: pages that listen for touches get them first, as on a phone. */
  let down = false;
  const touch = (type, mouse, ending) => {
    const point = {
      identifier: 0,
      target: mouse.target,
      force: 1,
      radiusX: 10,
      radiusY: 10,
      rotationAngle: 0,
    };
    for (const name of ['clientX', 'clientY', 'pageX', 'pageY', 'screenX', 'screenY'])
      point[name] = mouse[name];
    const event = new Event(type, { bubbles: true, cancelable: true, composed: true });
    const current = ending ? [] : [point];
    Object.assign(event, { touches: current, targetTouches: current, changedTouches: [point] });
    mouse.target?.dispatchEvent(event);
    const handler = window[`on${type}`];
    if (typeof handler === 'function') handler.call(window, event);
  };
  const listen = (type, react) => addEventListener(type, (event) => event.isTrusted && react(event), true);
  listen('mousedown', (event) => {
    down = true;
    touch('touchstart', event, false);
  });
  listen('mousemove', (event) => down && touch('touchmove', event, false));
  listen('mouseup', (event) => {
    if (down) touch('touchend', event, true);
    down = false;
  });
}
