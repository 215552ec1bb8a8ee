import { expect } from 'chai';
import { createLogger } from './index.ts';

function logged(write: (log: ReturnType<typeof createLogger>) => void): {
  line: string;
  fields: Record<string, unknown>;
} {
  let line = '';
  const logger = createLogger({
    level: 'info',
    base: { role: 'test' },
    destination: { write: (text) => (line += text) },
  });
  write(logger);
  const fields: unknown = JSON.parse(line);
  return { line, fields: fields as Record<string, unknown> };
}

describe('a log line', () => {
  it('is JSON with time, level, role and message', () => {
    const { fields } = logged((log) => log.info({ route: 'sessions.create' }, 'admitted'));
    expect(fields).to.include({ level: 'info', role: 'test', route: 'sessions.create', msg: 'admitted' });
    expect(fields.time).to.match(/^\d{4}-.*Z$/);
  });

  it('holds no credential and no typed text, however deep', () => {
    const { line } = logged((log) =>
      log.info({
        request: { headers: { authorization: 'canary-1', 'set-cookie': ['canary-2'] } },
        body: { action: { kind: 'type', text: 'canary-3' }, fields: { password: 'canary-4' } },
        items: [{ api_key: 'canary-5' }],
      }),
    );
    expect(line).not.to.contain('canary');
    expect(line).to.contain('"kind":"type"');
  });

  it('masks keys and passwords inside messages', () => {
    const key = `svc_live_${'a'.repeat(60)}`;
    const { line } = logged((log) =>
      log.warn(`${key} at postgres://u:canary@host/db with Bearer canary.token`),
    );
    expect(line).not.to.contain('canary').and.not.to.contain(key);
    expect(line).to.contain('svc_live_aaaa[redacted]');
  });

  it('tells an error and its cause without the fields libraries hang on it', () => {
    const error = Object.assign(new Error('refused', { cause: new Error('reset') }), {
      config: { body: 'canary' },
    });
    const { line } = logged((log) => log.error({ err: error }, 'failed'));
    expect(line).to.contain('refused').and.to.contain('reset').and.not.to.contain('canary');
  });

  it('writes positions of the log, which JSON has no number for', () => {
    expect(logged((log) => log.info({ position: { commit: 5n } })).fields.position).to.deep.equal({
      commit: '5',
    });
  });
});
