import pg from 'pg';

/**
 * Runs `work` in one transaction on its own connection. After a failure the connection is closed instead of reused, because its
 * state is unknown.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/**
 * Runs `work` on its own connection without statement timeouts: those of the pool, the server's and the client's, would end a
 * rebuild or the build of a large index.
 */
export async function withoutTimeouts<T>(pool: pg.Pool, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...pool.options, statement_timeout: 0, query_timeout: 0 });
  // Without a listener a broken connection would end the process; pending statements are rejected anyway.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    return await work(client);
  } finally {
    await client.end();
  }
}
