import { malformed } from '../../../lib/fault.ts'
import type { Upload } from '../endpoint.ts'

/**
 * Finds the one file of a multipart body (RFC 7578). The bytes are in memory already, held by the body limit of the
 * route, so this needs no streams, writes no temporary files and gives out a view of the body, not a copy.
 */
export function readUpload(contentType: string | undefined, body: Buffer | null): Upload | null {
  if (contentType === undefined || !/^multipart\/form-data\s*(;|$)/i.test(contentType)) return null
  const files = partsOf(body ?? Buffer.alloc(0), boundaryOf(contentType)).filter((part) => part.name === field)
  if (files.length > 1) throw malformed('The logo field must be sent once.')
  const [file] = files
  // A form whose file was left empty sends a part with neither name nor content.
  if (!file || (file.filename === '' && file.bytes.length === 0)) return null
  return { filename: file.filename, bytes: file.bytes }
}

const field = 'logo'
const maxParts = 20
const maxHeaderBytes = 8 * 1024
const newline = '\r\n'
const headersEnd = Buffer.from('\r\n\r\n')

interface Part {
  name: string
  filename: string
  bytes: Buffer
}

function boundaryOf(contentType: string): string {
  const match = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  const boundary = match?.[1] ?? match?.[2]
  if (boundary === undefined) throw malformedBody()
  return boundary
}

function partsOf(body: Buffer, boundary: string): Part[] {
  const delimiter = Buffer.from(`${newline}--${boundary}`, 'latin1')
  const parts: Part[] = []
  let at = afterFirstDelimiter(body, delimiter)
  for (;;) {
    if (body.subarray(at, at + 2).toString('latin1') === '--') return parts
    const start = afterLineEnd(body, at)
    const end = body.indexOf(delimiter, start)
    if (end < 0 || parts.length === maxParts) throw malformedBody()
    parts.push(partOf(body.subarray(start, end)))
    at = end + delimiter.length
  }
}

/** The first delimiter may stand at the very beginning, without the line end that belongs to all others. */
function afterFirstDelimiter(body: Buffer, delimiter: Buffer): number {
  const bare = delimiter.subarray(newline.length)
  if (body.subarray(0, bare.length).equals(bare)) return bare.length
  const at = body.indexOf(delimiter)
  if (at < 0) throw malformedBody()
  return at + delimiter.length
}

function afterLineEnd(body: Buffer, at: number): number {
  let end = at
  while (body[end] === 0x20 || body[end] === 0x09) end++
  if (body[end] !== 0x0d || body[end + 1] !== 0x0a) throw malformedBody()
  return end + 2
}

function partOf(part: Buffer): Part {
  const end = part.subarray(0, maxHeaderBytes).indexOf(headersEnd)
  if (end < 0) throw malformedBody()
  const disposition = part
    .subarray(0, end)
    .toString('utf8')
    .split(newline)
    .find((line) => /^content-disposition\s*:/i.test(line))
  return {
    name: parameter(disposition, 'name'),
    filename: parameter(disposition, 'filename'),
    bytes: part.subarray(end + headersEnd.length),
  }
}

function parameter(disposition: string | undefined, name: string): string {
  const match = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;"]*))`, 'i').exec(disposition ?? '')
  return match?.[1] ?? match?.[2] ?? ''
}

const malformedBody = () => malformed('Malformed multipart body.')
