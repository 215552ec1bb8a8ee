import { Type, closed, type Static } from '../schema.ts';

/** A device, system and browser identity that a session presents to every page. */
export const Archetype = closed({
  id: Type.String(),
  name: Type.String(),
  device: Type.String(),
  os: Type.String(),
  os_version: Type.String(),
  browser: Type.String(),
  browser_version: Type.String(),
  user_agent: Type.String(),
  viewport: closed({ width: Type.Integer(), height: Type.Integer() }),
  screen: closed({ width: Type.Integer(), height: Type.Integer() }),
  device_pixel_ratio: Type.Number(),
});
export type Archetype = Static<typeof Archetype>;

export const ArchetypeCatalogue = closed({ default: Type.String(), archetypes: Type.Array(Archetype) });
export type ArchetypeCatalogue = Static<typeof ArchetypeCatalogue>;
