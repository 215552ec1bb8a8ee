import { expect } from 'chai';
import { tempDir, until } from '../../verification/testbed/index.ts';
import { showPicture } from './picture.ts';

describe('the start of an encoder', () => {
  it('ends with the browser, and does not wait for the encoder until its time limit', async () => {
    const listeners: (() => void)[] = [];
    const host = {
      send: async () => ({ width: 390, height: 664 }),
      onGone: (listener: () => void) => void listeners.push(listener),
    };
    const during = <T>(work: () => Promise<T>) => work();
    const listener = { unit: () => undefined, ended: () => undefined };
    const shown = showPicture({ host, during, directory: tempDir('encoder') }, 'jpeg', listener);
    const failed = shown.then(
      () => 'started',
      (error: unknown) => String(error),
    );
    await until(() => listeners.length > 0);
    listeners.forEach((gone) => gone());
    expect(await failed).to.match(/aborted|has ended/);
  });
});
