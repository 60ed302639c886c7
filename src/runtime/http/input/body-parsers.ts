import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '../endpoint.ts'
import { badBody, bodyKind, hasUnstorableText, type ParsedBody, parseForm, parseJson } from './body.ts'
import { readFields } from './upload.ts'

/**
 * One parser for every type of content, so that the type decides only what a body means and never whether it is
 * looked at. A body of a type that the route does not take is read and ignored: what it should have held is then missing.
 */
export function addBodyParsers(server: FastifyInstance) {
  server.removeAllContentTypeParsers()
  const options = { parseAs: 'buffer' as const }
  // The common type has an entry of its own because looking that up is cheaper.
  for (const type of ['application/json', '*']) server.addContentTypeParser(type, options, parse)
}

function parse(request: FastifyRequest, bytes: Buffer, done: (error: Error | null, body?: unknown) => void) {
  request.raw_body = bytes
  const endpoint = endpointOf(request)
  // Whoever wants the bytes alone does not pay for what they mean.
  const kind = endpoint?.body ? bodyKind(request.headers['content-type']) : 'other'
  if (kind === 'json') done(null, parseJson(bytes))
  else if (kind === 'form' && endpoint?.bodyType === 'form-or-json') done(null, parseForm(bytes))
  else if (kind === 'multipart' && endpoint?.bodyType === 'form-or-json')
    parseMultipart(request, bytes).then((body) => done(null, body), done)
  else done(null, undefined)
}

async function parseMultipart({ headers }: FastifyRequest, bytes: Buffer): Promise<ParsedBody> {
  const fields = await readFields(headers['content-type'] ?? '', bytes)
  return fields === null || hasUnstorableText(fields) ? badBody : fields
}

const endpointOf = (request: FastifyRequest) =>
  (request.routeOptions.config as { endpoint?: Endpoint } | undefined)?.endpoint

const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/

/** A type that is none would be refused with 415, a status our clients do not know: it counts as an unknown one. */
export function tolerateContentType(request: FastifyRequest) {
  const { headers } = request
  const type = headers['content-type']
  if (type !== undefined && !mediaType.test(type)) headers['content-type'] = 'application/octet-stream'
}
