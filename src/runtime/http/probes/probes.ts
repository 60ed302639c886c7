import { isIP } from 'node:net'
import { digest, digestEquals } from '../../../lib/secret.ts'
import type { Metrics } from '../../metrics.ts'
import { bearer } from '../guard.ts'
import type { PageRequest, PageRoute } from '../page.ts'

/**
 * `/live`: the process runs. `/ready`: it can do its work (database there, schema as expected, not shutting down).
 * `/metrics`: for who shows the token, for a Prometheus server on this machine, or for any that reaches the listener of
 * the probes; to anybody else it does not exist.
 */
export interface ProbeOptions {
  isReady: () => Promise<boolean>
  metrics: Metrics
  metricsToken: string | null
  /** Which listener asks: the one that everybody reaches, or the one of the probes. */
  isOpen: boolean
}

export function probes({ isReady, metrics, metricsToken, isOpen }: ProbeOptions): PageRoute[] {
  const json = (status: number, body: Record<string, string>) => ({ status, body })
  const maySee = (request: PageRequest) => {
    const shown = bearer(request.header('authorization'))
    if (shown !== null) return metricsToken !== null && digestEquals(digest(shown), digest(metricsToken))
    return isDirect(request) && (isOpen || isLoopback(request.peer))
  }
  return [
    { path: '/live', weight: 0, handle: async () => json(200, { status: 'ok' }) },
    {
      path: '/ready',
      weight: 0,
      handle: async () => ((await isReady()) ? json(200, { status: 'ok' }) : json(503, { status: 'unavailable' })),
    },
    {
      path: '/metrics',
      weight: 0,
      handle: async (request) => {
        if (!maySee(request)) return json(404, { message: 'The route metrics could not be found.' })
        return { status: 200, headers: { 'content-type': metrics.contentType }, body: await metrics.read() }
      },
    },
  ]
}

/** A proxy in front of us is near, but those behind it need not be. */
const proxyHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via']

/** By nobody's proxy, and under no name that a stranger could have bound to our address for the browser of somebody near. */
function isDirect(request: PageRequest): boolean {
  if (proxyHeaders.some((name) => request.header(name) !== undefined)) return false
  const host = (request.header('host') ?? request.header(':authority') ?? '').replace(/:\d*$/, '')
  return isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0 || /^[a-z\d-]+$/i.test(host)
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '')
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}
