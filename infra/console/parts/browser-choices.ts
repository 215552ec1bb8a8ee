import { profiles, proxies, type List } from '../../../contracts/client/index.ts';
import { connection, owner } from '../service.ts';

export type Names = Readonly<Record<string, string>>;

/** Profiles and proxies that a new browser can be started with: names by id, newest first. */
export interface BrowserChoices {
  readonly profiles: Names;
  readonly proxies: Names;
}

export async function readBrowserChoices(): Promise<BrowserChoices> {
  const [ofProfiles, ofProxies] = await Promise.all([
    namesIn(
      profiles(connection)
        .list({ limit: 100 })
        .map(({ id, name }) => [id, name]),
    ),
    // They are always the user's own, which an owner's account cannot use.
    owner === undefined
      ? namesIn(
          proxies(connection)
            .list({ limit: 100 })
            .map(({ id, label }) => [id, label || id]),
        )
      : undefined,
  ]);
  return { profiles: ofProfiles, proxies: ofProxies ?? {} };
}

/** Of all pages. */
async function namesIn(list: List<readonly [id: string, name: string]>): Promise<Names> {
  const names: (readonly [string, string])[] = [];
  for await (const each of list) names.push(each);
  return Object.fromEntries(names);
}
