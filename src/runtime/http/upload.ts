import type { Upload } from './endpoint.ts'

/** The one file of a multipart body. The bytes are in memory already, held by the body limit of the route. */
export function readUpload(_contentType: string | undefined, _bytes: Buffer | null): Upload | null {
  return null
}
