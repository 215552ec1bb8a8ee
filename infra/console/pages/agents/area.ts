import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';
import './styles.css';

export const agents: Area = {
  id: 'agents',
  pages: [
    { path: '/agents', name: words.agents, load: async () => (await import('./agents.tsx')).Agents },
    { path: '/agents/new', name: words.start, load: async () => (await import('./new-agent.tsx')).NewAgent },
    { path: '/agents/:id', name: words.agent, load: async () => (await import('./agent.tsx')).AgentPage },
  ],
  ids: { agt_: '/agents' },
};
