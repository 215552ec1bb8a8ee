// `await using` only needs a target that has it.
import { Service } from 'service/client';

export async function once(): Promise<string> {
  await using session = await new Service({ baseUrl: 'https://api.example' }).sessions.create();
  return session.id;
}
