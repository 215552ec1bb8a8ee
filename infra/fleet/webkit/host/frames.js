import GLib from 'gi://GLib?version=2.0';
import JavaScriptCore from 'gi://JavaScriptCore?version=4.1';
import WebKit2 from 'gi://WebKit2?version=4.1';
import { world } from './view.js';

/** Documents in frames that are known: more than ten tabs have, of 1,000 frames each, which WebKit leaves a page. */
const mostKnown = 12_000;
/** Milliseconds that all together have to say where they are, and that lie between two such questions. */
const lookMs = 100;
/** Milliseconds after which a document that does not take what it is offered is gone. */
const takeMs = 1_000;

/** What the work comes to, or after that time what `late` gives. */
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
 * The way between our scripts in frames. Each frame's asks here for work, which answers the question when there is
 * some; so an operation goes from a document over the host to a frame in it, and no part of it through a world that pages see.
 *
 * A document is known by its `key`, which it made up itself, and is at a place: the index of each frame in the one around it, from
 * the outermost on. Places change when frames do, so a document takes only work for the place that it has when it is given it.
 */
export function followFrames(content) {
  /** By key, in the order of having come: the place, what waits to be given, and what gives it, while the document asks for it. */
  const known = new Map();
  /** By the id of what was offered: to which document, and what is told whether it has taken it. */
  const offered = new Map();
  /** By the id of an operation: the key of the document that has taken it, and what is told the reply, or null when none will come. */
  const asked = new Map();
  /** By nonce: told the key of the document that has heard it. */
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
  /** True if the document takes the work, which without a name is to say where it is. It cannot be taken twice. */
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
  /** Has each document say where it is, and forgets those that do not. */
  const look = (again = false) => {
    if (looking || (!again && Date.now() - lookedAt < lookMs)) return looking;
    const all = Promise.all([...known.keys()].map((key) => offer(key, {})));
    looking = within(lookMs, all, () => undefined).finally(() => {
      looking = undefined;
      lookedAt = Date.now();
    });
    return looking;
  };
  /** By key: one, unless another tab has a document at that place too, or one that was there is not yet missed. */
  const keysAt = (at) => [...known].filter(([, document]) => document.at === at).map(([key]) => key);
  /** What was offered to the document that was there before will not be taken: it is gone, or no longer there. */
  const arrived = (key, at) => {
    for (const offer of offered.values())
      if (offer.key !== key && known.get(offer.key)?.at === at) offer.resolve(false);
  };
  const heard = (nonce) => {
    const told = new Promise((resolve) => expected.set(nonce, resolve));
    return within(lookMs, told, () => null).finally(() => expected.delete(nonce));
  };
  /** The one document that is meant, by a nonce where there is one; null where there is none, `which` where there are several. */
  const meant = async ({ at, nonce }) => {
    if (nonce !== null) return heard(nonce);
    const alone = keysAt(at);
    if (alone.length < 2) return alone[0] ?? null;
    const answering = () => keysAt(at).filter((key) => known.get(key).give !== undefined);
    if (answering().length > 1) await look(true);
    const [key, ...others] = answering();
    return others.length > 0 ? 'which' : (key ?? null);
  };
  /** Offers it work: the key if that is taken, else as `meant`. */
  const offerAt = async (place, work) => {
    const take = async (key) =>
      key === null || key === 'which' || (await offer(key, { at: place.at, ...work })) ? key : null;
    const taken = await take(await meant(place));
    if (taken !== null || place.nonce !== null) return taken;
    // It has gone or moved, or another has moved to its place.
    await look();
    return take(await meant(place));
  };

  const kinds = {
    /** A document asks for work and says whether it has taken what it was offered last. */
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
    /** Whether a document is there. */
    find: async (place) => {
      const key = await offerAt(place, {});
      return key === 'which' ? key : key !== null;
    },
    /** The reply of the document there, in a list; null where there is none, and when it is replaced. */
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
    /** Ends an operation whose document is no longer the one there. */
    doubt: async ({ id, ...place }) => {
      const operation = asked.get(id);
      const present = operation?.key ? await meant(place) : null;
      if (present === 'which') return present;
      if (present !== null && present !== operation.key) operation.resolve(null);
      return null;
    },
  };
  /** What a document tells, as JSON; the answer is JSON too. */
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
        // The frames of the page before are gone.
        if (change === WebKit2.LoadEvent.COMMITTED) void look(true);
      });
    },
  };
}
