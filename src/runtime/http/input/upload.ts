import type { Dicer } from '@fastify/busboy'
import { Fault, malformed } from '../../../lib/fault.ts'
import type { Upload } from '../endpoint.ts'

const field = 'logo'
const maxParts = 20
/** In bytes, of each part: the rest is not looked at. */
const maxHeaderSize = 8 * 1024

/**
 * Finds the one file of a multipart body (RFC 7578). The bytes are in memory already, held by the body limit of the
 * route, so that nothing is written to temporary files.
 */
export async function readUpload(contentType: string | undefined, body: Buffer | null): Promise<Upload | null> {
  if (contentType === undefined || !/^multipart\/form-data\s*(;|$)/i.test(contentType)) return null
  const parts = await partsOf(body ?? Buffer.alloc(0), boundaryOf(contentType))
  const [file, ...others] = parts.filter((part) => part.name === field)
  if (others.length > 0) throw malformed('The logo field must be sent once.')
  // A form whose file was left empty sends a part with neither name nor content.
  if (!file || (file.filename === '' && file.bytes.length === 0)) return null
  return { filename: file.filename, bytes: file.bytes }
}

/** The fields of a multipart form without files; null if it is none, or not well formed. A field may be sent once. */
export async function readFields(contentType: string, body: Buffer): Promise<Record<string, string> | null> {
  try {
    const parts = await partsOf(body, boundaryOf(contentType))
    const fields = Object.fromEntries(parts.map(({ name, bytes }) => [name, bytes.toString()]))
    return Object.keys(fields).length === parts.length ? fields : null
  } catch {
    return null
  }
}

interface Part extends Upload {
  name: string
}

function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw malformedBody()
  return boundary
}

/**
 * Busboy's own splitter rather than Busboy itself, which leaves out without a word what it cannot read, and waits for
 * ever where the headers of a part do not end.
 */
async function partsOf(body: Buffer, boundary: string): Promise<Part[]> {
  // Few who are at rest ever get a file.
  const { Dicer } = await import('@fastify/busboy')
  const parts: Promise<Part>[] = []
  await new Promise<void>((resolve, reject) => {
    const refuse = (error: unknown) => reject(error instanceof Fault ? error : malformedBody())
    const settings = { boundary, maxHeaderSize }
    const splitter = new Dicer(settings)
    splitter.on('part', (stream) => {
      if (parts.length === maxParts) refuse(malformedBody())
      const part = readPart(stream)
      part.catch(refuse)
      parts.push(part)
    })
    splitter.on('error', refuse)
    splitter.on('finish', resolve)
    splitter.end(body)
  })
  return await Promise.all(parts)
}

async function readPart(stream: Dicer.PartStream): Promise<Part> {
  let disposition: string | undefined
  // Passes the values by their names, unlike what its types say.
  stream.on('header', (headers: Readonly<Record<string, string[] | undefined>>) => {
    disposition = headers['content-disposition']?.[0]
  })
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  if (!disposition || !/^form-data\s*(;|$)/i.test(disposition)) throw malformedBody()
  return {
    name: parameter(disposition, 'name'),
    filename: parameter(disposition, 'filename'),
    bytes: Buffer.concat(chunks),
  }
}

function parameter(disposition: string, name: string): string {
  const [, quoted, plain] = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;"]*))`, 'i').exec(disposition) ?? []
  return Buffer.from(quoted ?? plain ?? '', 'latin1').toString()
}

const malformedBody = () => malformed('Malformed multipart body.')
