import { auditLog, type AuditLogOperations } from '../../../../contracts/client/index.ts';
import { connection } from '../../service.ts';

const service = auditLog(connection);

type Asked = NonNullable<Parameters<AuditLogOperations['export']>[0]>;

/** The exported audit log, oldest first: the text of each answer, up to the last one. */
export async function* exported(asked: Asked): AsyncGenerator<string, void, undefined> {
  let cursor: string | undefined;
  do {
    const { data, response } = await service.export({ ...asked, cursor }).withResponse();
    yield data;
    const { headers } = response;
    cursor = headers.get('x-has-more') === 'true' ? (headers.get('x-next-cursor') ?? undefined) : undefined;
  } while (cursor !== undefined);
}
