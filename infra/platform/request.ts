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

type Body = Dispatcher.ResponseData['body'];

/**
 * A body that another part reads, or gives up. undici reports a body that is destroyed before it was read as an error, even if all of it has
 * arrived; if nobody listens, that ends the process. Its reader gets its errors as usual.
 */
export const handedOn = (body: Body): Body => body.on('error', () => undefined);
