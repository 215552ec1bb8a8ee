import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
} from 'kysely';

/**
 * Typed queries, only compiled here and then run on the pool: Kysely's driver returns every connection as healthy, even one whose
 * statement timed out and is still running.
 */
export const queryBuilder = (): Kysely<object> =>
  new Kysely<object>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new CompileOnly(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });

class CompileOnly extends DummyDriver {
  override acquireConnection(): Promise<DatabaseConnection> {
    return Promise.reject(new Error('This query builder only compiles: run the statement on the pool.'));
  }
}
