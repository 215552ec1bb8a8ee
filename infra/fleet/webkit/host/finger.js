/* Completes what a finger does to a page. Runs in each document with `surface.js`. */

/** CSS pixels. */
const fingerRadius = 10;

/**
 * The touchscreen is real: touch events, and the mouse events and the click after a tap, are WebKit's own and trusted.
 * This script corrects where WebKitGTK differs from a phone:
 * - WebKitGTK sends pointer events for the emulated mouse and none for the finger: the former are hidden, and pointer
 *   events of the finger are sent before its touch events;
 * - it sends mouse events during a touch, and a wheel event when it scrolls: those that do not belong to a tap are
 *   hidden;
 * - a prevented touch suppresses the mouse events and the click of its tap, a prevented `pointerdown` the mouse events,
 *   and `touch-action` keeps a finger from scrolling.
 */
function presentFinger(define) {
  // WebKitGTK only knows where a touch is. A phone that does not measure force reports 0.
  define(Touch.prototype, {
    ...{ force: 0, radiusX: fingerRadius, radiusY: fingerRadius, rotationAngle: 0 },
    ...{ altitudeAngle: 0, azimuthAngle: 0, touchType: 'direct' },
  });
  const fromMouse = [
    'mouseover',
    'mouseenter',
    'mousemove',
    'mousedown',
    'mouseup',
    'mouseout',
    'mouseleave',
  ];
  const fromPointer = [
    ...['pointerover', 'pointerenter', 'pointermove', 'pointerrawupdate', 'pointerdown', 'pointerup'],
    ...['pointercancel', 'pointerout', 'pointerleave', 'gotpointercapture', 'lostpointercapture'],
  ];
  const { stopImmediatePropagation, preventDefault } = Event.prototype;
  const addToTarget = EventTarget.prototype.addEventListener;
  /**
   * Per touch identifier: the element its pointer is over, the one that captured it, and the one that captures it from
   * its next event on.
   */
  const pointers = new Map();
  /** Events that may still follow the touches. Each becomes false when its event is prevented. */
  let tap = { open: false, mouse: true, touches: [] };

  const hide = (event) => stopImmediatePropagation.call(event);
  const undo = (event) => {
    hide(event);
    preventDefault.call(event);
  };
  const isPrevented = () => tap.touches.some(({ defaultPrevented }) => defaultPrevented);
  const inTree = ShadowRoot.prototype.elementFromPoint;
  const inDocument = Document.prototype.elementFromPoint;
  const rootOf = Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement').get;
  /** The deepest element at a point, through open shadow trees. */
  const elementUnder = ({ clientX, clientY }) => {
    let found = inDocument.call(document, clientX, clientY);
    for (let inner = found; inner?.shadowRoot; found = inner ?? found) {
      inner = inTree.call(found.shadowRoot, clientX, clientY);
      if (inner === found) break;
    }
    return found;
  };
  const pointerOf = (id) => [...pointers.values()].find((pointer) => pointer.pointerId === id);
  const send = (type, pointer, touch, to = pointer.target, isUp = false) => {
    const bubbles = type !== 'pointerenter' && type !== 'pointerleave';
    const about = {
      pointerId: pointer.pointerId,
      pointerType: 'touch',
      isPrimary: pointer.isPrimary,
      bubbles,
      cancelable: bubbles && !['pointercancel', 'gotpointercapture', 'lostpointercapture'].includes(type),
      composed: true,
      view: window,
      button: type === 'pointerdown' || type === 'pointerup' ? 0 : -1,
      buttons: isUp ? 0 : 1,
      pressure: isUp ? 0 : 1,
      width: 2 * fingerRadius,
      height: 2 * fingerRadius,
      clientX: touch.clientX,
      clientY: touch.clientY,
      screenX: touch.screenX,
      screenY: touch.screenY,
    };
    const coalescedEvents = type === 'pointermove' ? [new PointerEvent(type, about)] : [];
    return to.dispatchEvent(new PointerEvent(type, { ...about, coalescedEvents }));
  };
  /** Pending capture and the element under a pointer take effect before its next event (Pointer Events, 4.1.3). */
  const retarget = (pointer, touch, isUp = false) => {
    if (!pointer.wanted?.isConnected) pointer.wanted = undefined;
    const { captured, wanted } = pointer;
    pointer.captured = wanted;
    if (captured !== wanted) {
      if (captured)
        send('lostpointercapture', pointer, touch, captured.isConnected ? captured : document, isUp);
      if (wanted) send('gotpointercapture', pointer, touch, wanted);
    }
    const target = isUp ? pointer.target : (wanted ?? elementUnder(touch) ?? rootOf.call(document));
    if (target === pointer.target) return;
    leave(pointer, touch, false);
    pointer.target = target;
    enter(pointer, touch);
  };
  const enter = (pointer, touch) => {
    send('pointerover', pointer, touch);
    send('pointerenter', pointer, touch);
  };
  const leave = (pointer, touch, isUp) => {
    send('pointerout', pointer, touch, pointer.target, isUp);
    send('pointerleave', pointer, touch, pointer.target, isUp);
  };
  /** Sends the last event of a pointer, and the leave and lost-capture events that follow. */
  const end = (type, pointer, touch) => {
    if (pointer.isOver) return;
    pointer.isOver = true;
    retarget(pointer, touch);
    send(type, pointer, touch, pointer.target, true);
    pointer.wanted = undefined;
    retarget(pointer, touch, true);
    leave(pointer, touch, true);
  };
  const phases = {
    touchstart(touch, event) {
      const isPrimary = pointers.size === 0;
      const [target] = event.composedPath();
      // The element that a finger comes down on captures it.
      const pointer = { pointerId: 2 + (touch.identifier % 1000), isPrimary, target, wanted: target };
      pointers.set(touch.identifier, pointer);
      enter(pointer, touch);
      const allowed = send('pointerdown', pointer, touch);
      if (isPrimary) tap = { open: false, mouse: allowed, touches: [] };
    },
    touchmove(touch, _event, pointer) {
      if (pointer.isOver) return;
      retarget(pointer, touch);
      send('pointermove', pointer, touch);
    },
    touchend(touch, _event, pointer) {
      end('pointerup', pointer, touch);
      pointers.delete(touch.identifier);
      if (pointers.size === 0) tap.open = true;
    },
    touchcancel(touch, _event, pointer) {
      end('pointercancel', pointer, touch);
      pointers.delete(touch.identifier);
    },
  };
  const listen = (type, react) =>
    addEventListener(type, (event) => event.isTrusted && react(event), { capture: true, passive: false });

  const follow = (event) => {
    for (const touch of [...event.changedTouches]) {
      const pointer = pointers.get(touch.identifier);
      if (pointer || event.type === 'touchstart') phases[event.type](touch, event, pointer);
    }
    tap.touches.push(event);
  };
  for (const type of Object.keys(phases)) listen(type, follow);
  listen('touchstart', (event) => {
    const [target] = event.composedPath();
    // A touch keeps its target, even after the target has left the document.
    const followUnseen = (later) => later.isTrusted && !target.isConnected && follow(later);
    for (const type of ['touchend', 'touchcancel'])
      addToTarget.call(target, type, followUnseen, { once: true, capture: true });
  });
  for (const type of fromPointer) listen(type, (event) => event.pointerType === 'mouse' && hide(event));
  for (const type of fromMouse) {
    listen(type, (event) => {
      const ofTap = tap.open && pointers.size === 0 && event.button === 0;
      if (isPrevented()) undo(event);
      else if (!ofTap || (!tap.mouse && (type === 'mousedown' || type === 'mouseup'))) hide(event);
      else if (type === 'mousedown') tap.pressed = true;
      else if (type === 'mouseup' && !tap.pressed) hide(event);
      if (type === 'mouseup') tap.open = tap.pressed = false;
    });
  }
  listen('contextmenu', hide);
  listen('click', (event) => {
    // Clicks that a key or a label causes have no coordinates.
    if (event.detail > 0 && isPrevented()) return undo(event);
    const values = { pointerType: 'touch', pointerId: 2 };
    for (const [name, value] of Object.entries(values))
      Object.defineProperty(event, name, { get: () => value, configurable: true });
  });
  listen('wheel', (event) => {
    hide(event);
    const touched = [...pointers.values()];
    if (isPrevented() || !mayPan(event)) return preventDefault.call(event);
    for (const pointer of touched) end('pointercancel', pointer, event);
  });

  /** Whether `touch-action` of the element under the finger and of its ancestors allows scrolling in that direction. */
  function mayPan({ target, deltaX, deltaY }) {
    const wanted = Math.abs(deltaY) >= Math.abs(deltaX) ? 'pan-y' : 'pan-x';
    for (let node = target; node instanceof Element; node = node.parentElement ?? node.getRootNode().host) {
      const { touchAction } = getComputedStyle(node);
      const allowed = ['auto', 'manipulation'].includes(touchAction) || touchAction.includes(wanted);
      if (!allowed) return false;
    }
    return true;
  }

  const capturing = {
    setPointerCapture: (pointer, element) => void (pointer.wanted = element),
    releasePointerCapture(pointer, element) {
      if (pointer.wanted === element) pointer.wanted = undefined;
    },
    hasPointerCapture: (pointer, element) => pointer.wanted === element,
  };
  for (const [name, act] of Object.entries(capturing)) {
    Element.prototype[name] = new Proxy(Element.prototype[name], {
      apply(target, element, [id]) {
        const pointer = pointerOf(id);
        return pointer ? act(pointer, element) : Reflect.apply(target, element, [id]);
      },
    });
  }
}
