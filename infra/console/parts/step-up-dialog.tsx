import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { mfa } from '../../../contracts/client/index.ts';
import { connection } from '../service.ts';
import { words } from '../strings.ts';
import { codeIn } from './code.ts';
import { Dialog } from './dialog.tsx';
import { Field, Form } from './form.tsx';
import { waitsForCode } from './step-up.ts';

/** Asks for a code of the second factor while something waits for one. */
export function StepUpDialog() {
  const code = useSignal('');
  const { url } = useLocation();
  const close = (isFresh: boolean) => {
    const answer = waitsForCode.value;
    waitsForCode.value = undefined;
    code.value = '';
    answer?.(isFresh);
  };
  useEffect(() => () => close(false), [url]);
  if (waitsForCode.value === undefined) return null;
  const send = async () => {
    await mfa(connection).stepUp({ code: codeIn(code.value) });
    close(true);
  };
  return (
    <Dialog title={words.stepUpTitle} onClose={() => close(false)}>
      <p>{words.stepUpText}</p>
      <Form submit={words.confirm} onSubmit={send}>
        <Field label={words.code} value={code} autocomplete="one-time-code" inputMode="numeric" />
      </Form>
      <button type="button" class="quiet" onClick={() => close(false)}>
        {words.cancel}
      </button>
    </Dialog>
  );
}
