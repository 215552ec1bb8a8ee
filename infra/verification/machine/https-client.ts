import type { Answer } from '../../http/testing.ts';
import type { Client } from '../faults/client.ts';
import type { Machine } from './machine.ts';
import { quoted } from './suite.ts';

const address = 'https://service.example';

/** A customer who calls the service over HTTPS, from the machine itself: it has no network. */
export function httpsClient(machine: Machine, apiKey: string): Pick<Client, 'call'> {
  return {
    async call(target, body, headers = {}) {
      const [method = 'GET', path = '/'] = target.split(' ');
      const given = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers };
      const args = [
        ...['-sS', '-i', '--http1.1', '--cacert', '/etc/service/public-tls/tls.crt', '-X', method],
        ...Object.entries(given).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
        ...(body === undefined ? [] : ['--data-raw', JSON.stringify(body)]),
        address + path,
      ];
      return answerOf(await machine.must(['curl', ...args].map(quoted).join(' ')));
    },
  };
}

/** An answer as curl prints it, with its headers. */
function answerOf(said: string): Answer {
  const [head = '', ...rest] = said.split(/\r\n\r\n|\r\n$/);
  const [status = '', ...lines] = head.split('\r\n');
  const text = rest.join('\r\n\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const isJson = /[/+]json\b/.test(headers['content-type'] ?? '') && text !== '';
  return {
    status: Number(status.split(' ')[1]),
    headers,
    text,
    json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}
