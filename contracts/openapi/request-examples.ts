const at = '2026-01-31T09:30:00.000Z';

export const requestExamples = {
  'requests.get': {
    response: {
      request: {
        id: 'req_0198f0a2-6c1e-7c43-9d0b-4f3a2b1c0d9f',
        ...{ method: 'POST', path: '/v1/sessions', status: 201, at, duration_ms: 640 },
      },
      events: [
        {
          id: '0198f0a2-6c1e-7c43-9d0b-000000000001',
          ...{
            type: 'SessionRequested',
            stream: 'session-0198f0a2-6c1e-7c43-9d0b-4f3a2b1c0d9e',
            position: '1042/1042',
            at,
          },
          ...{ cause: null, by: 'request', name: 'sessions.create' },
        },
      ],
      deliveries: [],
      mails: [],
      has_more: false,
    },
  },
};
