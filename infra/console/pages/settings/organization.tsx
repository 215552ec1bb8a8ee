import { useSignal } from '@preact/signals';
import { organization, type Organization } from '../../../../contracts/client/index.ts';
import { Card } from '../../parts/card.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { History } from '../../parts/history.tsx';
import { Read } from '../../parts/read.tsx';
import { connection } from '../../service.ts';
import { words } from './strings.ts';

const service = organization(connection);

/** Read once, so that a refresh does not overwrite what is being typed. */
const NEVER = 2 ** 31 - 1;

export const OrganizationPage = () => (
  <div class="page">
    <Card title={words.organization}>
      <Read what="organization" read={() => service.get()} everyMs={NEVER}>
        {(given) => <Edit of={given} />}
      </Read>
    </Card>
    <History read={(asked) => service.past(asked)} />
  </div>
);

function Edit({ of }: { readonly of: Organization }) {
  const isSaved = useSignal(false);
  const fields = [
    ['display_name', words.displayName, useSignal(of.display_name ?? '')],
    ['company', words.company, useSignal(of.company ?? '')],
    ['use_case', words.useCase, useSignal(of.use_case ?? '')],
    ['size', words.size, useSignal(of.size ?? '')],
  ] as const;
  const save = async () => {
    isSaved.value = false;
    await service.put(
      Object.fromEntries(fields.map(([name, , { value }]) => [name, value === '' ? null : value])),
    );
    isSaved.value = true;
  };
  return (
    <>
      <Form submit={words.save} onSubmit={save}>
        {fields.map(([name, label, value]) => (
          <Field key={name} label={label} value={value} isOptional />
        ))}
      </Form>
      <p role="status">{isSaved.value && words.saved}</p>
    </>
  );
}
