import GLib from 'gi://GLib?version=2.0';
import JavaScriptCore from 'gi://JavaScriptCore?version=4.1';
import WebKit2 from 'gi://WebKit2?version=4.1';
import { world } from './view.js';

/**
 * Maximal number of frame documents that are tracked: more than ten tabs of 1,000 frames each, WebKit's limit per page.
 */
const mostKnown = 12_000;
/**
 * Milliseconds that all documents together have to report their place, and the minimal interval between two such
 * rounds.
 */
const lookMs = 100;
/** Milliseconds after which a document that does not take its work counts as gone. */
const takeMs = 1_000;

/** The result of the work, or after that time the result of `late`. */
const within = (ms, work, late) =>
  new Promise((resolve) => {
    let timer = GLib.timeout_add(GLib.PRIORITY_DEFAULT, ms, () => {
      timer = 0;
      resolve(late());
      return GLib.SOURCE_REMOVE;
    });
    void work.then((value) => {
      if (timer) GLib.source_remove(timer);
      timer = 0;
      resolve(value);
    });
  });

/**
 * Routes operations between our scripts in frames. Each frame's script requests work here, and is answered when there
 * is some. So an operation goes from a document through the host to a frame in it, and never through a script world
 * that pages can see.
 *
 * A document is identified by a `key` that it generated, and has a place: the index of each frame in the one around it,
 * from the outermost on. Places change when frames do, so a document only takes work for the place that it has at that
 * time.
 */
export function followFrames(content) {
  /**
   * Documents by key, in the order of their first request: their place, the queue of their work, and the function that
   * answers their pending request.
   */
  const known = new Map();
  /** Offered work by id: the document it was offered to, and the resolver that gets whether it was taken. */
  const offered = new Map();
  /** Running operations by id: the key of the document that took it, and the resolver that gets the reply, or null if there is none. */
  const asked = new Map();
  /** Resolvers by nonce: they get the key of the document that received it. */
  const expected = new Map();
  let lastId = 0;
  let looking;
  let lookedAt = 0;

  const forget = (key) => {
    known.delete(key);
    for (const operation of asked.values()) if (operation.key === key) operation.resolve(null);
  };
  const hand = (document) => {
    if (document.give === undefined || document.work.length === 0) return;
    document.give(JSON.stringify(document.work.shift()));
    document.give = undefined;
  };
  /**
   * Resolves to true if the document takes the work; work without a name makes it report its place. It is taken at most
   * once.
   */
  const offer = (key, work) => {
    const document = known.get(key);
    if (!document) return Promise.resolve(false);
    const id = (lastId += 1);
    const taken = new Promise((resolve) => offered.set(id, { key, resolve }));
    document.work.push({ id, ...work });
    hand(document);
    return within(takeMs, taken, () => {
      forget(key);
      return false;
    }).finally(() => offered.delete(id));
  };
  /** Makes each document report its place, and forgets those that do not. */
  const look = (again = false) => {
    if (looking || (!again && Date.now() - lookedAt < lookMs)) return looking;
    const all = Promise.all([...known.keys()].map((key) => offer(key, {})));
    looking = within(lookMs, all, () => undefined).finally(() => {
      looking = undefined;
      lookedAt = Date.now();
    });
    return looking;
  };
  /**
   * Keys of the documents at that place. There can be several if another tab has the same place, or if a document's end was not noticed
   * yet.
   */
  const keysAt = (at) => [...known].filter(([, document]) => document.at === at).map(([key]) => key);
  /** Work that was offered to a replaced document will not be taken. */
  const arrived = (key, at) => {
    for (const offer of offered.values())
      if (offer.key !== key && known.get(offer.key)?.at === at) offer.resolve(false);
  };
  const heard = (nonce) => {
    const told = new Promise((resolve) => expected.set(nonce, resolve));
    return within(lookMs, told, () => null).finally(() => expected.delete(nonce));
  };
  /**
   * Key of the document at that place, found by the nonce if one is given. Null if there is no document, `which` if
   * there are several.
   */
  const meant = async ({ at, nonce }) => {
    if (nonce !== null) return heard(nonce);
    const alone = keysAt(at);
    if (alone.length < 2) return alone[0] ?? null;
    const answering = () => keysAt(at).filter((key) => known.get(key).give !== undefined);
    if (answering().length > 1) await look(true);
    const [key, ...others] = answering();
    return others.length > 0 ? 'which' : (key ?? null);
  };
  /** Offers work to that document. Returns its key if it took the work; otherwise null or `which`, like `meant`. */
  const offerAt = async (place, work) => {
    const take = async (key) =>
      key === null || key === 'which' || (await offer(key, { at: place.at, ...work })) ? key : null;
    const taken = await take(await meant(place));
    if (taken !== null || place.nonce !== null) return taken;
    // The document is gone or has moved, or another has taken its place.
    await look();
    return take(await meant(place));
  };

  const kinds = {
    /** A document requests work, and reports whether it has taken the previous offer. */
    work: async ({ key, at, id, taken }) => {
      if (!known.has(key) && known.size >= mostKnown) await look();
      if (!known.has(key) && known.size >= mostKnown) return null;
      return new Promise((give) => {
        if (!known.has(key)) arrived(key, at);
        const document = known.get(key) ?? { work: [] };
        known.set(key, Object.assign(document, { at, give }));
        offered.get(id)?.resolve(taken);
        hand(document);
      });
    },
    reply: async ({ id, reply }) => {
      asked.get(id)?.resolve(reply);
      return null;
    },
    heard: async ({ key, nonce }) => {
      expected.get(nonce)?.(key);
      return null;
    },
    /** Whether there is a document at that place. */
    find: async (place) => {
      const key = await offerAt(place, {});
      return key === 'which' ? key : key !== null;
    },
    /** The reply of the document there, in a list; null when there is none, or when it is replaced. */
    ask: async ({ id, name, input, ...place }) => {
      const reply = new Promise((resolve) => asked.set(id, { resolve }));
      try {
        const key = await offerAt(place, { operation: id, name, input });
        if (key === null || key === 'which') return key;
        Object.assign(asked.get(id), { key });
        const came = await reply;
        return came === null ? null : [came];
      } finally {
        asked.delete(id);
      }
    },
    /** Ends operations whose document is no longer at its place. */
    doubt: async ({ id, ...place }) => {
      const operation = asked.get(id);
      const present = operation?.key ? await meant(place) : null;
      if (present === 'which') return present;
      if (present !== null && present !== operation.key) operation.resolve(null);
      return null;
    },
  };
  /** Handles a document's message. Message and answer are JSON text. */
  const told = async (message) => {
    const { kind, ...said } = JSON.parse(message);
    const answer = await kinds[kind](said);
    return kind === 'work' ? (answer ?? 'null') : JSON.stringify(answer);
  };
  content.register_script_message_handler_with_reply('frames', world);
  content.connect('script-message-with-reply-received::frames', (_content, message, reply) => {
    const context = message.get_context();
    const give = (text) => reply.return_value(JavaScriptCore.Value.new_string(context, text));
    told(message.to_string()).then(give, () => reply.return_error_message('failed'));
    return true;
  });
  return {
    follow: ({ view }) => {
      view.connect('load-changed', (_view, change) => {
        // The frames of the previous page are gone.
        if (change === WebKit2.LoadEvent.COMMITTED) void look(true);
      });
    },
  };
}
