import { useSignal } from '@preact/signals';
import { oauth, type AnsweredDevice } from '../../../../contracts/client/index.ts';
import { Card } from '../../parts/card.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

export function Device() {
  const code = useSignal(new URLSearchParams(location.search).get('user_code') ?? '');
  const answered = useSignal<AnsweredDevice | undefined>(undefined);
  const answer = (approve: boolean) => async () => {
    answered.value = await oauth(connection).device({ user_code: code.value, approve });
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
