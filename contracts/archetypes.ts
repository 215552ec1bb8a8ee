import type { Archetype, ArchetypeCatalogue } from './resources/archetype.ts';

/** In CSS pixels. `viewport`: of a page in Safari with its bars visible; `screen`: of the whole display. */
interface Device {
  readonly name: string;
  readonly screen: { readonly width: number; readonly height: number };
  readonly viewport: { readonly width: number; readonly height: number };
  readonly devicePixelRatio: number;
}

const devices = {
  'iphone-se-3': device('iPhone SE (3rd generation)', [375, 667], [375, 553], 2),
  'iphone-13-mini': device('iPhone 13 mini', [375, 812], [375, 629], 3),
  'iphone-14': device('iPhone 14', [390, 844], [390, 664], 3),
  'iphone-15': device('iPhone 15', [393, 852], [393, 659], 3),
  'iphone-15-pro-max': device('iPhone 15 Pro Max', [430, 932], [430, 739], 3),
  'iphone-16': device('iPhone 16', [393, 852], [393, 659], 3),
  'iphone-16-pro': device('iPhone 16 Pro', [402, 874], [402, 681], 3),
  'iphone-16-pro-max': device('iPhone 16 Pro Max', [440, 956], [440, 763], 3),
} as const satisfies Record<string, Device>;

/** Safari 26 names iOS 18.6 in its user agent whatever the system's version: Apple froze that part. */
const systems = {
  'ios-17': { version: '17.7', safari: '17.6', inUserAgent: '17_7' },
  'ios-18': { version: '18.6', safari: '18.6', inUserAgent: '18_6' },
  'ios-26': { version: '26.0', safari: '26.0', inUserAgent: '18_6' },
} as const;

const pairs: readonly (readonly [keyof typeof devices, keyof typeof systems])[] = [
  ['iphone-16', 'ios-18'],
  ['iphone-16', 'ios-26'],
  ['iphone-16-pro', 'ios-26'],
  ['iphone-16-pro-max', 'ios-18'],
  ['iphone-15', 'ios-17'],
  ['iphone-15', 'ios-18'],
  ['iphone-15-pro-max', 'ios-18'],
  ['iphone-14', 'ios-17'],
  ['iphone-13-mini', 'ios-17'],
  ['iphone-se-3', 'ios-18'],
];

/** The identities available to sessions: the answer of `GET /v1/archetypes`. */
export const archetypeCatalogue: ArchetypeCatalogue = {
  default: 'iphone-16-ios-18',
  archetypes: pairs.map(([deviceId, systemId]) => archetype(deviceId, systemId)),
};

export const findArchetype = (id: string): Archetype | undefined =>
  archetypeCatalogue.archetypes.find((entry) => entry.id === id);

function archetype(deviceId: keyof typeof devices, systemId: keyof typeof systems): Archetype {
  const { name, screen, viewport, devicePixelRatio } = devices[deviceId];
  const { version, safari, inUserAgent } = systems[systemId];
  return {
    id: `${deviceId}-${systemId}`,
    name: `${name}, iOS ${version}`,
    device: name,
    os: 'iOS',
    os_version: version,
    browser: 'Safari',
    browser_version: safari,
    user_agent:
      `Mozilla/5.0 (iPhone; CPU iPhone OS ${inUserAgent} like Mac OS X) AppleWebKit/605.1.15 ` +
      `(KHTML, like Gecko) Version/${safari} Mobile/15E148 Safari/604.1`,
    viewport: { ...viewport },
    screen: { ...screen },
    device_pixel_ratio: devicePixelRatio,
  };
}

function device(
  name: string,
  [screenWidth, screenHeight]: readonly [number, number],
  [width, height]: readonly [number, number],
  devicePixelRatio: number,
): Device {
  return {
    name,
    screen: { width: screenWidth, height: screenHeight },
    viewport: { width, height },
    devicePixelRatio,
  };
}
