import type { FastifyReply, FastifyRequest } from 'fastify'
import { preflightOf } from './headers.ts'
import { splitUrl } from './input/request-url.ts'
import { type RouteTable, unknownRoute, wrongMethod } from './route-table.ts'

/** Answers that need no endpoint: questions about methods, and paths or methods that are not there. */

/** A browser's question before a cross-origin request, on any path and without a token; or which methods a path has. */
export function answerOptions(table: RouteTable, request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.headers['access-control-request-method'] !== undefined) {
    reply
      .code(204)
      .headers(preflightOf(splitUrl(request.url).path))
      .send()
    return true
  }
  const allowed = table.methodsOf(splitUrl(request.url).path)
  if (allowed.length === 0) return false
  reply.code(200).header('allow', allowed.join(',')).send('')
  return true
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
}

/** For people; programs get the same as JSON. */
const nowhere = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not found · Entrepot</title>
<main>
<h1>There is no such page</h1>
<p>The address may be mistyped. <a href="/console">Open the console</a> or <a href="/docs/guides">read the guides</a>.</p>
</main>
</html>
`

export function answerUnrouted(table: RouteTable, request: FastifyRequest, reply: FastifyReply) {
  const { path } = splitUrl(request.url)
  const allowed = table.methodsOf(path)
  if (allowed.length === 0) {
    const isBrowser = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
    if (isBrowser && !path.startsWith('/api/')) return reply.code(404).headers(pageHeaders).send(nowhere)
    return reply.code(404).send({ message: unknownRoute(path) })
  }
  const message = wrongMethod(request.method, path, allowed)
  return reply.code(405).header('allow', allowed.join(', ')).send({ message })
}
