/** A module of its own for dynamic import: bundlers find the named exports of CommonJS packages only in static imports. */
export {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  S3Client,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
export { Upload } from '@aws-sdk/lib-storage';
