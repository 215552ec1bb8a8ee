import { useSignal } from '@preact/signals';
import { call } from '../api.ts';
import { Card, Field, Form } from '../parts/form.tsx';
import { QrCode } from '../parts/qr-code.tsx';
import { SignedIn } from '../parts/signed-in.tsx';
import { words } from '../strings.ts';

interface Enrolment {
  readonly secret: string;
  readonly otpauth_uri: string;
}

/** Sets the second factor up, and takes it away. */
export const SecondFactor = () => (
  <SignedIn>
    {({ mfa_enrolled }) => <Card title={words.secondFactor}>{mfa_enrolled ? <Disable /> : <Enrol />}</Card>}
  </SignedIn>
);

function Enrol() {
  const enrolment = useSignal<Enrolment | undefined>(undefined);
  const codes = useSignal<readonly string[]>([]);
  const code = useSignal('');
  const begin = async () => {
    enrolment.value = await call<Enrolment>('POST', '/v1/auth/mfa/enroll');
  };
  const confirm = async () => {
    const { recovery_codes } = await call<{ recovery_codes: string[] }>('POST', '/v1/auth/mfa/confirm', {
      code: code.value.trim(),
    });
    codes.value = recovery_codes;
  };
  if (codes.value.length > 0) return <RecoveryCodes codes={codes.value} />;
  if (enrolment.value === undefined) return <Form submit={words.enrol} onSubmit={begin} />;
  const { secret, otpauth_uri } = enrolment.value;
  return (
    <Form submit={words.enrol} onSubmit={confirm}>
      <p>{words.enrolText}</p>
      <QrCode text={otpauth_uri} />
      <p>
        {words.secret} <code>{secret}</code>
      </p>
      <Field label={words.code} value={code} autocomplete="one-time-code" inputMode="numeric" />
    </Form>
  );
}

function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  const isCopied = useSignal(false);
  const text = codes.join('\n');
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    isCopied.value = true;
  };
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`;
  return (
    <>
      <h2>{words.recovery}</h2>
      <p>{words.recoveryText}</p>
      <pre tabIndex={0}>{text}</pre>
      <p class="links">
        <button type="button" onClick={() => void copy()}>
          {isCopied.value ? words.copied : words.copy}
        </button>
        <a href={file} download="recovery-codes.txt">
          {words.save}
        </a>
      </p>
    </>
  );
}

function Disable() {
  const code = useSignal('');
  const isDone = useSignal(false);
  const disable = async () => {
    await call('POST', '/v1/auth/mfa/disable', { code: code.value.trim() });
    isDone.value = true;
  };
  if (isDone.value) return <Enrol />;
  return (
    <>
      <p>{words.enrolled}</p>
      <Form submit={words.disable} onSubmit={disable}>
        <Field label={words.code} value={code} autocomplete="one-time-code" hint={words.mfaText} />
      </Form>
    </>
  );
}
