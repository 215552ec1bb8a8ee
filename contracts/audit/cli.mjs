#!/usr/bin/env node
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { readCheckpoint, verifyAnchor, verifyCheckpoint, verifyExport } from './verify.mjs';

const usage = `service-audit verify <export.jsonl> [--head <hash>] [--checkpoint <file>] [--anchor <file>] [--keys <file>] [--key <vkey>]

Checks the chain of an audit log from the JSON lines of its export, and that it matches earlier proofs:
  --head        the hash of an entry of an earlier export
  --checkpoint  a signed note of the account, or the answer that has it
  --anchor      the answer of /v1/account/audit-log/anchor: the account's head in the public tree
  --keys        the answer of /.well-known/audit-log/keys, or verifier keys, one a line
  --key         a verifier key; more than one may be given
Without a key it does not check who signed. Exits with 0 if valid, 1 if not, 2 if it cannot be checked.
`;

const options = {
  head: { type: 'string' },
  checkpoint: { type: 'string' },
  anchor: { type: 'string' },
  keys: { type: 'string' },
  key: { type: 'string', multiple: true, default: [] },
  help: { type: 'boolean', short: 'h' },
};

/** The objects of JSON lines; `seen` is called with each. */
async function* entriesIn(path, seen) {
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    line += 1;
    if (text.trim() === '') continue;
    const entry = parsed(text, `Line ${line} is not JSON. Ask for the export with format=jsonl.`);
    seen(entry);
    yield entry;
  }
}

function parsed(text, message) {
  try {
    return JSON.parse(text);
  } catch {
    throw new TypeError(message);
  }
}

const textIn = (path) => readFile(path, 'utf8');

async function keysOf({ keys, key }) {
  if (keys === undefined) return key;
  const text = await textIn(keys);
  const listed = text.startsWith('{')
    ? [parsed(text, `${keys} is not JSON.`).keys].flat().map((each) => each?.vkey)
    : text.split('\n').filter(Boolean);
  if (listed.length === 0 || listed.includes(undefined))
    throw new TypeError(`${keys} has no keys. Ask for /.well-known/audit-log/keys.`);
  return [...key, ...listed];
}

async function noteIn(path) {
  const text = await textIn(path);
  return text.startsWith('{') ? parsed(text, `${path} is not JSON.`).checkpoint : text;
}

/**
 * The kept checkpoint and anchor, each as `{ head, flaw(accountId), text }`: the flaw is the reason why it is not valid by
 * itself.
 */
async function keptIn({ checkpoint, anchor }, keys) {
  const kept = [];
  if (checkpoint !== undefined) {
    const note = await noteIn(checkpoint);
    const head = readCheckpoint(note);
    const flaw = () => (keys.length === 0 ? undefined : thrownBy(() => verifyCheckpoint(note, keys)));
    kept.push({ head, flaw, text: `the checkpoint of ${head.size} entries is valid` });
  }
  if (anchor !== undefined) {
    const answer = parsed(await textIn(anchor), `${anchor} is not JSON.`);
    if (typeof answer?.leaf?.size !== 'number')
      throw new TypeError(`${anchor} is no anchor. Ask for /v1/account/audit-log/anchor.`);
    const flaw = (accountId) => verifyAnchor(answer, keys.length === 0 ? null : keys, accountId).reason;
    kept.push({ head: answer.leaf, flaw, text: `${answer.leaf.size} entries are in the public tree` });
  }
  return kept;
}

function thrownBy(work) {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof TypeError) throw error;
    return error.message;
  }
}

async function verify(path, values) {
  const keys = await keysOf(values);
  const kept = await keptIn(values, keys);
  let isPart = values.head === undefined;
  let accountId;
  const seen = (entry) => {
    isPart ||= entry?.hash === values.head;
    accountId ??= entry?.account_id;
  };
  const heads = kept.map(({ head }) => head);
  const verdict = await verifyExport(entriesIn(path, seen), heads);
  if (verdict.ok && verdict.count === 0) throw new TypeError(`${path} has no entries.`);
  if (!verdict.ok) return [`Entry ${verdict.sequence} is not valid: ${verdict.reason}`, 1];
  if (!isPart) return [`The chain is valid, but has no entry with the hash ${values.head}.`, 1];
  const flaws = kept.map(({ flaw }) => flaw(accountId)).filter((flaw) => flaw !== undefined);
  if (flaws.length > 0) return [`The chain is valid, the other proofs are not: ${flaws.join(' ')}`, 1];
  const unchecked = kept.length > 0 && keys.length === 0 ? ['signers were not checked: give --keys'] : [];
  const found = [`${verdict.count} entries are valid, the last one is ${verdict.head}`];
  return [[...found, ...kept.map(({ text }) => text), ...unchecked].join('\n'), 0];
}

async function main(args) {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [command, path, ...more] = positionals;
  if (values.help) return [usage, 0];
  if (command !== 'verify' || path === undefined || more.length > 0) throw new TypeError(usage);
  return verify(path, values);
}

try {
  const [text, status] = await main(process.argv.slice(2));
  console.log(text);
  process.exitCode = status;
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
