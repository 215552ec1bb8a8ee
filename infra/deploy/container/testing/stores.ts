import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import pg from 'pg';
import { startPostgres } from '../../../main/embedded/postgres.ts';
import { freePort } from '../../../platform/free-port.ts';
import { startEventStore } from '../../../verification/testbed/event-store.ts';
import { startS3, tempDir, until, type TestS3 } from '../../../verification/testbed/index.ts';

/** The stores of compose's file, by stand-ins on this machine. */
export interface Stores {
  /** Has a socket for each, `<host>:<port>` as containers call it. */
  readonly sockets: string;
  /** The access key of the object store, as the AWS SDK reads it from a file. */
  readonly credentials: string;
  stop(): Promise<void>;
}

/** Relays what connects to a socket to a port of loopback. */
async function relay(path: string, port: number): Promise<Server> {
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  server.listen(path);
  await once(server, 'listening');
  return server;
}

/** Program of a container's relay, which forwards the stores' ports to their sockets. */
export const relayOfContainer = `
  const { createServer, connect } = require('node:net');
  for (const name of require('node:fs').readdirSync('/stores'))
    createServer((near) => {
      const far = connect('/stores/' + name);
      near.pipe(far).pipe(near);
      near.on('error', () => far.destroy());
      far.on('error', () => near.destroy());
    }).listen(name.split(':')[1]);`;

/** An empty database `service`, and the password of the file in `secrets`. */
async function database(
  secrets: string,
  directory: string,
): Promise<{ port: number; stop(): Promise<void> }> {
  const password = readFileSync(join(secrets, 'POSTGRES_PASSWORD'), 'utf8');
  const place = { dataDir: join(directory, 'postgres'), logFile: join(directory, 'postgres.log') };
  const server = await startPostgres({ ...place, password });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query('CREATE DATABASE service');
  await client.end();
  return { port: Number(new URL(server.url).port), stop: () => server.stop() };
}

/** Starts Redis with the configuration in `secrets`, as compose does. */
async function queue(secrets: string, directory: string): Promise<{ port: number; stop(): Promise<void> }> {
  const port = await freePort();
  const child = spawn(
    'redis-server',
    [join(secrets, 'REDIS_CONF'), ...['--port', String(port), '--bind', '127.0.0.1', '--dir', directory]],
    { stdio: 'ignore' },
  );
  const gone = once(child, 'exit');
  await until(async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket.destroy();
  });
  return {
    port,
    stop: async () => {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

async function makeBucket({ url, accessKeyId, secretAccessKey }: TestS3, name: string): Promise<void> {
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ endpoint: url, region: 'us-east-1', forcePathStyle: true, credentials });
  await client.send(new CreateBucketCommand({ Bucket: name }));
  client.destroy();
}

/** @param secrets where compose's secrets are, but for those of the object store */
export async function startStores(secrets: string): Promise<Stores> {
  const directory = tempDir('stores');
  const sockets = join(directory, 'sockets');
  mkdirSync(sockets);
  const [events, postgres, redis, objects] = await Promise.all([
    startEventStore(join(directory, 'events'), join(directory, 'events.log')),
    database(secrets, directory),
    queue(secrets, directory),
    startS3(),
  ]);
  await makeBucket(objects, 'states');
  const relays = await Promise.all(
    Object.entries({
      'event-store:2113': events.port,
      'postgres:5432': postgres.port,
      'redis:6379': redis.port,
      'object-store:7070': objects.port,
    }).map(([name, port]) => relay(join(sockets, name), port)),
  );
  return {
    sockets,
    credentials: `[default]\naws_access_key_id = ${objects.accessKeyId}\naws_secret_access_key = ${objects.secretAccessKey}\n`,
    stop: async () => {
      for (const server of relays) server.close();
      await Promise.all([events.stop(), postgres.stop(), redis.stop(), objects.stop()]);
    },
  };
}
