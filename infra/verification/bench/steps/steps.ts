import { Agent, request } from 'undici';
import { inFlight } from '../load.ts';
import { startReadModels } from '../read-models.ts';
import { fillSessions, filledSession } from '../read-side.ts';
import { attribute, type Step } from './steps-attribution.ts';
import { startProfiled } from './steps-process.ts';
import { startStoreProcess } from '../store-process.ts';
import { atMost, type Bench, type CheckSubject } from '../subject.ts';
import { createSessions, post } from '../write-side.ts';

const clients = 16;
const operations = 2_000;
/** Maximal relative difference between the sum of the steps, to which profiling adds, and the whole. */
const bars = { pass: 0.3, stretch: 0.15 };

const edge: readonly Step[] = [
  [
    'routing (express)',
    /node_modules\/(express|router|path-to-regexp|finalhandler|qs|parseurl|proxy-addr)\//,
  ],
  ['request id, headers, connection', /infra\/http\/(api|request-id|locals|listen)\.ts/],
  ['credential', /\/credentials|infra\/keys\/|write-api\/authentication/],
  ['rate bucket', /infra\/(rate-limits\/|http\/rate\.ts)/],
  ['scope, order of the refusals', /infra\/http\/(guard|endpoint)\.ts/],
  [
    'body',
    /infra\/http\/(body|text|unknown-fields)\.ts|node_modules\/(body-parser|raw-body|type-is|content-type)\//,
  ],
  ['validation', /infra\/http\/(validator|problem)\.ts|node_modules\/express-openapi-validator\//],
  ['reply', /infra\/http\/send\.ts|write-api\/(sessions|handling|outage)|read-api\/sessions/],
];

const commandSteps: readonly Step[] = [
  ...edge,
  ['existence', /commands\/engine\/find-owned/],
  ['claim and settle: state and rule', /commands\/engine\/(runner|streams|snapshots|context)\.ts|\/domain\//],
  ['claim and settle: events by their schemas', /commands\/engine\/recording\.ts/],
  [
    'claim and settle: append',
    /infra\/event-store\/|node_modules\/(@eventstore|@grpc|google-protobuf)\/|internal\/http2/,
  ],
  ['dispatch', /commands\/session\/|infra\/verification\/bench\/write-side/],
  ['account position', /write-api\/engine\/position-recording-store/],
];

const readSteps: readonly Step[] = [
  ...edge,
  ['freshness', /read-api\/fresh/],
  ['query', /read-api\/|infra\/postgres\/|node_modules\/(pg|pg-protocol|pg-types|pg-pool|kysely)\//],
];

/** One kind of request against a server that is profiled. */
interface Served {
  readonly server: Awaited<ReturnType<typeof startProfiled>>;
  readonly ask: (index: number, client: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * CPU microseconds of each step of a request: the CPU time of the serving process, divided by a sampled profile of the
 * same requests. Judged is the difference from the CPU time without a profiler.
 */
const steps = (
  { id, title }: Pick<CheckSubject, 'id' | 'title'>,
  table: readonly Step[],
  serve: (bench: Bench) => Promise<Served>,
): CheckSubject => ({
  kind: 'check',
  id,
  title,
  bars,
  unit: 'of the whole',
  check: async (bench) => {
    const { server, ask, close } = await serve(bench);
    const load = () => inFlight(operations, clients, ask);
    try {
      await load();
      const before = await cpuMicros(server, load);
      let profiled = 0;
      const profile = await server.profile(async () => {
        profiled = await cpuMicros(server, load);
      });
      const whole = (before + (await cpuMicros(server, load))) / 2;
      const costs = scaled(attribute(profile, table), profiled);
      return atMost(bars, Math.abs(profiled / whole - 1), { ...costs, sum: profiled, whole });
    } finally {
      await server.stop();
      await close();
    }
  },
});

/** Per operation of a load. */
async function cpuMicros({ cpu }: Served['server'], work: () => Promise<void>): Promise<number> {
  const before = await cpu();
  await work();
  const after = await cpu();
  return (after.user - before.user + after.system - before.system) / operations;
}

/** Samples are timed by wall clock, which other processes affect: only their shares are used. */
function scaled(spent: ReadonlyMap<string, number>, total: number): Readonly<Record<string, number>> {
  const sum = [...spent.values()].reduce((subtotal, micros) => subtotal + micros, 0);
  return Object.fromEntries([...spent].map(([step, micros]) => [step, (micros / sum) * total]));
}

export const commandStepCosts = steps(
  { id: 'steps-command', title: 'CPU us of each step of POST /v1/sessions/{id}/navigate' },
  commandSteps,
  async ({ directory }) => {
    const store = await startStoreProcess(directory);
    const server = await startProfiled('../write-server.ts', [store.url]);
    const { base, token } = server.ready as { base: string; token: string };
    const agent = new Agent({ connections: clients });
    const sessions = await createSessions(agent, base, token, clients);
    return {
      server,
      ask: async (_index, client) => {
        const url = `${base}/v1/sessions/${sessions[client]}/navigate`;
        expectOk((await post(agent, url, token, { url: 'http://sim.test/' })).status);
      },
      close: () => agent.close().then(store.stop),
    };
  },
);

export const readStepCosts = steps(
  { id: 'steps-read', title: 'CPU us of each step of GET /v1/sessions/{id}' },
  readSteps,
  async ({ directory, logger }) => {
    const models = await startReadModels(directory, logger);
    const { readers } = await fillSessions(models.pool, operations, 1);
    const server = await startProfiled('../read-server.ts', [models.url]);
    const { ports } = server.ready as { ports: Record<string, number> };
    const agent = new Agent({ connections: clients });
    const headers = { authorization: `Bearer ${readers[0].token}` };
    return {
      server,
      ask: async (index) => {
        const url = `http://127.0.0.1:${ports['0']}/v1/sessions/${filledSession(index)}`;
        const answer = await request(url, { dispatcher: agent, headers });
        await answer.body.dump();
        expectOk(answer.statusCode);
      },
      close: () => agent.close().then(models.close),
    };
  },
);

function expectOk(status: number): void {
  if (status !== 200) throw new Error(`A request was answered ${status}.`);
}
