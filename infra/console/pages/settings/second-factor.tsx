import { useSignal } from '@preact/signals';
import { mfa, type MfaEnrolment } from '../../../../contracts/client/index.ts';
import { Card } from '../../parts/card.tsx';
import { codeIn } from '../../parts/code.ts';
import { Field, Form } from '../../parts/form.tsx';
import { Once } from '../../parts/once.tsx';
import { QrCode } from '../../parts/qr-code.tsx';
import { me, readMe } from '../../parts/signed-in.tsx';
import { connection } from '../../service.ts';
import { words } from './strings.ts';

const service = mfa(connection);

/** Enrols and disables the second factor. */
export function SecondFactor() {
  const codes = useSignal<readonly string[]>([]);
  return (
    <Card title={words.secondFactor}>
      {codes.value.length > 0 ? (
        <Once
          title={words.recovery}
          hint={words.recoveryText}
          text={codes.value.join('\n')}
          file={words.recoveryFile}
          onKept={() => (codes.value = [])}
        />
      ) : me.value?.mfa_enrolled ? (
        <Disable />
      ) : (
        <Enrol onEnrolled={(all) => (codes.value = all)} />
      )}
    </Card>
  );
}

function Enrol({ onEnrolled }: { readonly onEnrolled: (codes: readonly string[]) => void }) {
  const enrolment = useSignal<MfaEnrolment | undefined>(undefined);
  const code = useSignal('');
  const begin = async () => {
    enrolment.value = await service.enroll();
  };
  const confirm = async () => {
    const { recovery_codes } = await service.confirm({ code: codeIn(code.value) });
    onEnrolled(recovery_codes);
    await readMe();
  };
  if (enrolment.value === undefined)
    return (
      <Form submit={words.enrol} onSubmit={begin}>
        <p>{words.enrolWhy}</p>
      </Form>
    );
  const { secret, otpauth_uri } = enrolment.value;
  return (
    <Form submit={words.enrol} onSubmit={confirm}>
      <p>{words.enrolText}</p>
      <QrCode text={otpauth_uri} name={words.qrCode} />
      <p>
        {words.secret} <code>{secret}</code>
      </p>
      <Field label={words.code} value={code} autocomplete="one-time-code" inputMode="numeric" />
    </Form>
  );
}

function Disable() {
  const code = useSignal('');
  const disable = async () => {
    await service.disable({ code: codeIn(code.value) });
    await readMe();
  };
  return (
    <>
      <p>{words.enrolled}</p>
      <Form submit={words.disable} onSubmit={disable}>
        <Field label={words.code} value={code} autocomplete="one-time-code" hint={words.mfaText} />
      </Form>
    </>
  );
}
