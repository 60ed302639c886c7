import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * An outsider's page on an origin of its own, which embeds the components. Two kinds: one lets its policy name the
 * service, the other allows nothing but itself (`default-src 'self'`) and passes requests on to the service from its own
 * server, below `/entrepot`.
 */
export interface HostPage {
  origin: string
  url: string
  close(): Promise<void>
}

export interface HostOptions {
  service: string
  /** What stands in the body. */
  body: string
  /** Asked for tokens by the page, at `/token` of its own server. */
  token: () => Promise<string>
  closed?: boolean
  /** In the place of what every embedding page does by itself. */
  script?: string
  /** Its scripts make others: a compiler in the browser does. */
  evaluates?: boolean
  language?: string
  direction?: 'ltr' | 'rtl'
}

export async function openHostPage(options: HostOptions): Promise<HostPage> {
  const { service, closed = false, evaluates = false } = options
  const base = closed ? '/entrepot' : service
  const policy = closed
    ? "default-src 'self'"
    : `default-src 'self'; script-src 'self' ${service}${evaluates ? " 'unsafe-eval'" : ''}; connect-src 'self' ${service}; img-src 'self' ${service}`
  const page = `<!doctype html><html lang="${options.language ?? 'en'}" dir="${options.direction ?? 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Outsider</title>
<script type="module" src="${base}/components/entrepot.js"></script>
<script type="module" src="/page.js"></script></head>
<body><main><h1>Outsider</h1>${options.body}</main></body></html>`
  // What every embedding page does: hand the elements a way to a token, and listen to what they tell.
  const script = `window.events = []
for (const name of ['entrepot-connected', 'entrepot-connect-failed', 'entrepot-changed', 'entrepot-uninstalled'])
  document.addEventListener(name, (event) => window.events.push([name, event.detail]))
for (const element of document.querySelectorAll('main *')) {
  if (!element.localName.startsWith('entrepot-')) continue
  if (${JSON.stringify(closed)}) element.baseUrl = location.origin + '/entrepot'
  element.getToken = async () => (await fetch('/token')).text()
}`
  const server = createServer(async (request, response) => {
    if (request.url === '/token') return void response.end(await options.token())
    if (request.url === '/page.js')
      return void response.setHeader('content-type', 'text/javascript').end(options.script ?? script)
    if (request.url?.startsWith('/entrepot/')) return void (await passOn(service, request, response))
    response.setHeader('content-security-policy', policy)
    response.setHeader('content-type', 'text/html').end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    url: `${origin}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function passOn(service: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const { authorization, accept, 'content-type': type } = request.headers
  const answer = await fetch(service + (request.url ?? '').slice('/entrepot'.length), {
    method: request.method ?? 'GET',
    headers: {
      ...(authorization && { authorization }),
      ...(accept && { accept }),
      ...(type && { 'content-type': type }),
    },
    ...(parts.length > 0 && { body: Buffer.concat(parts) }),
  })
  response.statusCode = answer.status
  response.setHeader('content-type', answer.headers.get('content-type') ?? 'application/octet-stream')
  response.end(Buffer.from(await answer.arrayBuffer()))
}
