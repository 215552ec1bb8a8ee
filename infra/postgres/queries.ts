import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
} from 'kysely';

/**
 * Typed queries, to be compiled and then run on the pool. They cannot be executed here: a driver of Kysely's gives every
 * connection back as if it were whole, also one whose statement was given up and still holds it.
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
