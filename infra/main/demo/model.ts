import type { IncomingMessage } from 'node:http';
import { serveOnLoopback, type DemoServer } from './loopback.ts';

/** A stand-in for a model's provider, scripted for one errand on the pages of the demonstration. 0: any free port. */
export const startDemoModel = (port: number): Promise<DemoServer> =>
  serveOnLoopback(port, (request, response) => {
    answerTo(request).then(
      (answer) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
      () => response.destroy(),
    );
  });

/** The used parts of a request of the Messages API. */
interface Asked {
  readonly model: string;
  readonly tools?: readonly { readonly name: string }[];
  readonly messages: readonly { readonly content: string | readonly { readonly text?: string }[] }[];
}

async function answerTo(request: IncomingMessage): Promise<object> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { model, tools = [], messages } = JSON.parse(body) as Asked;
  const parts = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [content] : content.map(textOf),
  );
  const prompt = parts.join('\n');
  const name = tools[0]?.name ?? 'plan';
  const input = name === 'result' ? { result: resultIn(prompt) } : decisionOn(prompt, parts.at(-1) ?? '');
  return {
    ...{
      id: 'msg_demo',
      type: 'message',
      role: 'assistant',
      model,
      stop_reason: 'tool_use',
      stop_sequence: null,
    },
    content: [{ type: 'tool_use', id: 'toolu_demo', name, input }],
    usage: { input_tokens: Math.ceil(body.length / 4), output_tokens: 60 },
  };
}

const textOf = ({ text = '' }: { readonly text?: string }): string => text;

const look = (...intents: readonly object[]) => ({ decision: 'plan', intents, after: 'look' });
const interact = (action: object) => ({ kind: 'interact', action });

/** The next step, by the title of the page. */
const steps: Readonly<Record<string, object>> = {
  'Sign in': look(
    interact({ kind: 'type', selector: '[name="username"]', variable: 'email' }),
    interact({ kind: 'type', selector: '[name="password"]', variable: 'password' }),
    interact({ kind: 'tap', text: 'Sign in' }),
  ),
  'Your account': look(interact({ kind: 'tap', text: 'Invoices' })),
  Invoices: look(interact({ kind: 'tap', text: 'A-1003' })),
};

function decisionOn(prompt: string, message: string): object {
  const title = /^title: (.*)$/m.exec(prompt)?.[1] ?? '';
  const step = steps[title];
  if (step !== undefined) return step;
  const { number, total } = resultIn(prompt);
  if (number !== '') return { decision: 'answer', answer: `Invoice ${number} comes to ${total}.` };
  const url = /https?:\/\/\S+/.exec(message)?.[0];
  if (url === undefined) return { decision: 'clarify', question: 'At which address?' };
  return look({ kind: 'navigate', url });
}

function resultIn(prompt: string): { readonly number: string; readonly total: number } {
  const number = /^title: Invoice (\S+)$/m.exec(prompt)?.[1] ?? '';
  const total = /Total: ([0-9.,]+)/.exec(prompt)?.[1] ?? '0';
  return { number, total: Number(total.replaceAll(',', '')) };
}
