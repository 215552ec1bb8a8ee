/** A module of its own, to be imported when it is needed: a bundle finds the names of CommonJS packages in static imports only. */
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
