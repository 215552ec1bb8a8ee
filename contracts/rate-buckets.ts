import type { Tier } from './tiers.ts';

export const buckets = [
  'sessions:create',
  'default:read',
  'default:write',
  'webhooks:test',
  'audit:export',
] as const;
export type Bucket = (typeof buckets)[number];

interface BucketSize {
  /** Requests that may come at once. */
  readonly burst: number;
  /** Requests that come back per minute, one by one. */
  readonly perMinute: number;
}

const size = (burst: number, perMinute: number): BucketSize => ({ burst, perMinute });
const same = (each: BucketSize): Record<Tier, BucketSize> => ({
  free: each,
  personal: each,
  team: each,
  agency: each,
  api_starter: each,
  api_builder: each,
  api_scale: each,
  enterprise: each,
});

/** Token buckets per account and tier. Changing them is operation, not contract. */
export const bucketSizes: Record<Bucket, Record<Tier, BucketSize>> = {
  'sessions:create': {
    free: size(3, 5),
    personal: size(5, 10),
    team: size(8, 20),
    agency: size(20, 50),
    api_starter: size(6, 15),
    api_builder: size(20, 50),
    api_scale: size(60, 150),
    enterprise: size(80, 200),
  },
  'default:read': {
    free: size(60, 300),
    personal: size(90, 500),
    team: size(120, 900),
    agency: size(200, 1800),
    api_starter: size(120, 900),
    api_builder: size(200, 1800),
    api_scale: size(300, 3000),
    enterprise: size(300, 3000),
  },
  'default:write': {
    free: size(30, 120),
    personal: size(45, 200),
    team: size(60, 400),
    agency: size(100, 800),
    api_starter: size(60, 400),
    api_builder: size(100, 800),
    api_scale: size(150, 1200),
    enterprise: size(150, 1200),
  },
  'webhooks:test': same(size(5, 5)),
  'audit:export': same(size(2, 6)),
};
