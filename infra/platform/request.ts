import { request as undiciRequest, type Dispatcher } from 'undici';
import { unlessAborted } from './timeout.ts';

type RequestOptions = Omit<Dispatcher.RequestOptions, 'origin' | 'path' | 'method'> &
  Partial<Pick<Dispatcher.RequestOptions, 'method'>> & {
    readonly dispatcher?: Dispatcher;
    readonly signal: AbortSignal;
  };

/**
 * undici's `request`, which rejects as soon as the signal aborts. undici itself looks at the signal only once it is connected, and
 * waits 10 s for an unreachable host.
 */
export const request = (url: string | URL, options: RequestOptions): Promise<Dispatcher.ResponseData> =>
  unlessAborted(options.signal, undiciRequest(url, options));
