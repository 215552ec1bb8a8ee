import type { ComponentChildren } from 'preact';
import { Card } from '../../parts/card.tsx';
import { Frame } from '../../parts/frame.tsx';
import { KeyHelp } from '../../parts/key-help.tsx';
import { Palette } from '../../parts/palette.tsx';
import { hasToken, isAdmitted } from './service.ts';
import { words } from './strings.ts';

interface Around {
  readonly children: ComponentChildren;
}

/** The frame of the operator's console. */
export const OperatorFrame = ({ children }: Around) => (
  <Frame
    account={
      isAdmitted.value && (
        <div class="account">
          <Palette />
          <KeyHelp />
        </div>
      )
    }
  >
    {children}
  </Frame>
);

/** Renders its content only if the page was opened with a valid link. */
export const Admitted = ({ children }: Around) =>
  isAdmitted.value ? (
    <>{children}</>
  ) : (
    <Card title={hasToken ? words.endedTitle : words.noLinkTitle}>
      <p role="alert">{words.ended}</p>
    </Card>
  );
