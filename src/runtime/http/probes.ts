import { isIP } from 'node:net'
import type { Metrics } from '../metrics.ts'
import type { PageRoute } from './page.ts'

/**
 * `/live`: the process runs. `/ready`: it can do its work (database there, schema as expected, not shutting down).
 * `/metrics`: for a Prometheus server in the same network; to anybody else it does not exist.
 */
export function probes(options: { isReady: () => Promise<boolean>; metrics: Metrics }): PageRoute[] {
  const json = (status: number, body: Record<string, string>) => ({ status, body })
  return [
    { path: '/live', handle: async () => json(200, { status: 'ok' }) },
    {
      path: '/ready',
      handle: async () =>
        (await options.isReady()) ? json(200, { status: 'ok' }) : json(503, { status: 'unavailable' }),
    },
    {
      path: '/metrics',
      handle: async (request) => {
        const forwarded = proxyHeaders.some((name) => request.header(name) !== undefined)
        if (forwarded || !isNear(request.peer)) {
          return json(404, { message: 'The route metrics could not be found.' })
        }
        const headers = { 'content-type': options.metrics.contentType }
        return { status: 200, headers, body: await options.metrics.read() }
      },
    },
  ]
}

/** A proxy in front of us is near, but those behind it need not be. */
const proxyHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']

function isNear(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '')
  if (isIP(plain) === 4) return /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(plain)
  return plain === '::1' || /^f[cd]/i.test(plain)
}
