/** The first time a process serves, or its end before that; what happens later changes nothing. */
export interface FirstService {
  readonly ready: Promise<void>;
  readonly serves: () => void;
  readonly failed: (reason: Error) => void;
  readonly served: () => boolean;
}

export function firstService(): FirstService {
  let served = false;
  let resolve: () => void = () => undefined;
  let reject: (reason: Error) => void = () => undefined;
  const ready = new Promise<void>((onServed, onFailed) => {
    resolve = onServed;
    reject = onFailed;
  });
  // Whoever starts the stack awaits it; one stopped before that has nobody to tell.
  ready.catch(() => undefined);
  const serves = () => {
    served = true;
    resolve();
  };
  return { ready, serves, failed: (reason) => reject(reason), served: () => served };
}
