import { useSignal } from '@preact/signals';
import { call } from '../api.ts';
import { Card, Field, Form } from '../parts/form.tsx';
import { SignedIn } from '../parts/signed-in.tsx';
import { filled, words } from '../strings.ts';

interface Answered {
  readonly scope: string;
  readonly status: 'authorized' | 'denied';
}

export const Device = () => <SignedIn>{() => <DeviceForm />}</SignedIn>;

function DeviceForm() {
  const code = useSignal(new URLSearchParams(location.search).get('user_code') ?? '');
  const answered = useSignal<Answered | undefined>(undefined);
  const answer = (approve: boolean) => async () => {
    answered.value = await call<Answered>('POST', '/v1/oauth/device', { user_code: code.value, approve });
  };
  if (answered.value !== undefined) {
    const { scope, status } = answered.value;
    return (
      <Card title={words.deviceTitle}>
        <p role="status">
          {status === 'authorized' ? filled(words.deviceApproved, { scope }) : words.deviceDenied}
        </p>
      </Card>
    );
  }
  return (
    <Card title={words.deviceTitle}>
      <p>{words.deviceText}</p>
      <Form
        submit={words.approve}
        onSubmit={answer(true)}
        other={{ label: words.deny, onSubmit: answer(false) }}
      >
        <Field label={words.code} value={code} autocomplete="off" />
      </Form>
    </Card>
  );
}
