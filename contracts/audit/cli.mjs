#!/usr/bin/env node
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { verifyExport } from './verify.mjs';

const usage = `service-audit verify <export.jsonl> [--head <hash>]

Checks the chain of an audit log from the JSON lines of its export, and with --head that an entry kept from an earlier export
is part of it. Exits with 0 when it holds, 1 when it does not, 2 when it cannot be checked.
`;

/** The objects of JSON lines; notes when one has this hash. */
async function* entriesIn(path, seen) {
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    line += 1;
    if (text.trim() === '') continue;
    const entry = parsed(text, line);
    seen(entry?.hash);
    yield entry;
  }
}

function parsed(text, line) {
  try {
    return JSON.parse(text);
  } catch {
    throw new TypeError(`Line ${line} is not JSON. Ask for the export with format=jsonl.`);
  }
}

async function verify(path, head) {
  let isPart = head === undefined;
  const verdict = await verifyExport(entriesIn(path, (hash) => (isPart ||= hash === head)));
  if (!verdict.ok) return [`Entry ${verdict.sequence} does not hold: ${verdict.reason}`, 1];
  if (!isPart) return [`The chain holds, and no entry of it has the hash ${head}.`, 1];
  return [`${verdict.count} entries hold, the last one is ${verdict.head}`, 0];
}

async function main(args) {
  const options = { head: { type: 'string' }, help: { type: 'boolean', short: 'h' } };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [command, path, ...more] = positionals;
  if (values.help) return [usage, 0];
  if (command !== 'verify' || path === undefined || more.length > 0) throw new TypeError(usage);
  return verify(path, values.head);
}

try {
  const [text, status] = await main(process.argv.slice(2));
  console.log(text);
  process.exitCode = status;
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
