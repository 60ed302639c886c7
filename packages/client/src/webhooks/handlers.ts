import type { WebhookEvent } from '../types.ts'
import { type VerifyOptions, verifyWebhook, WebhookVerificationError } from './verify.ts'

export interface HandlerOptions extends VerifyOptions {
  /** Answered with 204 when it is done; what it throws is answered with 500, and the message comes again later. */
  onEvent(event: WebhookEvent, message: { id: string }): void | Promise<void>
  /** What `onEvent` threw: for your log. */
  onError?(error: unknown): void
}

/** What a message may weigh; more is refused before it is read. */
const maxBytes = 1024 * 1024

async function answer(
  payload: Uint8Array,
  headers: Parameters<typeof verifyWebhook>[1],
  options: HandlerOptions,
): Promise<number> {
  try {
    const { id, event } = await verifyWebhook(payload, headers, options)
    await options.onEvent(event, { id })
    return 204
  } catch (error) {
    if (error instanceof WebhookVerificationError) return 400
    options.onError?.(error)
    return 500
  }
}

/** For whatever speaks fetch: Next's route handlers, workers, Deno, Bun. `export const POST = fetchHandler({ … })` */
export function fetchHandler(options: HandlerOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return new Response(null, { status: 413 })
    const payload = new Uint8Array(await request.arrayBuffer())
    return new Response(null, { status: await answer(payload, request.headers, options) })
  }
}

/** For Hono: `app.post('/hooks', honoHandler({ … }))`. */
export function honoHandler(options: HandlerOptions): (context: { req: { raw: Request } }) => Promise<Response> {
  const handle = fetchHandler(options)
  return ({ req }) => handle(req.raw)
}

interface NodeRequest extends AsyncIterable<Uint8Array> {
  headers: Readonly<Record<string, string | string[] | undefined>>
  body?: unknown
}
interface NodeResponse {
  statusCode: number
  end(): unknown
}

/**
 * For Node's own server, and for Express: `app.post('/hooks', nodeHandler({ … }))`, before anything that parses bodies or
 * behind `express.raw({ type: () => true })`. A body that was parsed cannot be verified any more.
 */
export function nodeHandler(options: HandlerOptions): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const payload = await bodyOf(request)
    response.statusCode = payload === null ? 413 : await answer(payload, request.headers, options)
    response.end()
  }
}

async function bodyOf(request: NodeRequest): Promise<Uint8Array | null> {
  if (request.body instanceof Uint8Array) return request.body
  if (typeof request.body === 'object' && request.body !== null && Object.keys(request.body).length > 0) {
    throw new TypeError('The body has been parsed: a signature is made over the bytes as they came.')
  }
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size > maxBytes) return null
    parts.push(part)
  }
  const all = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

interface FastifyLike {
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parse: (request: unknown, body: Uint8Array) => Promise<Uint8Array>,
  ): unknown
  removeAllContentTypeParsers(): unknown
  post(path: string, handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>): unknown
}
interface FastifyRequestLike {
  body: unknown
  headers: Readonly<Record<string, string | string[] | undefined>>
}
interface FastifyReplyLike {
  code(status: number): { send(): unknown }
}

/** For Fastify, as a plugin of its own, which leaves bodies of its route as they come: `app.register(fastifyWebhooks({ path: '/hooks', … }))`. */
export function fastifyWebhooks({
  path,
  ...options
}: HandlerOptions & { path: string }): (app: FastifyLike) => Promise<void> {
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_, body) => body)
    app.post(path, async ({ body, headers }, reply) => {
      const payload = body instanceof Uint8Array ? body : new Uint8Array()
      return reply.code(await answer(payload, headers, options)).send()
    })
  }
}
