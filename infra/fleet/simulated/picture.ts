import { gunzipSync } from 'node:zlib';

/** A white JPEG of 390 by 844 pixels, the picture of every simulated page. */
const packed =
  'H4sIAAAAAAACA/t/4/8DBgEvN083BkZGBgZGIGT4f5vBmeE/pQBoCCPFhhxgEORg9mFsY2ZUYmASZGQWZPx/hEEe6E5WRjBggAJGJmYWVjZ2Dk4ubqCCrQIMTIzMzEwszKysLCxA2VqgPAOLIKuQoqEjm3BgIrtSoYhR48SFHMpOGw+KBl38oGKcVNTEySUmLiEppaqmrqGpZWJqZm5haeXs4urm7uHpFRwSGhYeERmVnJKalp6RmVVcUlpWXlFZ1dzS2tbe0dk1afKUqdOmz5g5a9HiJUuXLV+xctWmzVu2btu+Y+euQ4ePHD12/MTJU5cuX7l67fqNm7cePnr85Omz5y9evvr46fOXr9++//j5C+QvRgZmRhjA6i9BoL+YWFiYWdhB/mJkKgcpEGRhVTRkE3IMZE8sFFYyauQQcZq4cONBTmXjoA+iSUUXucRUTB6qfgR5Dewz4jzWRJbP4B5D+OsWAw8zIzDymAUZ7BkmdWksYBrFo3gUj+JRPIpH8SgexaN4FI/iUTyKR/EoHsWjeBSP4kGC+f/fBADlfO2ZJhcAAA==';

export const simulatedPicture = (): string => gunzipSync(Buffer.from(packed, 'base64')).toString('base64');
