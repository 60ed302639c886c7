import { type Remote, type RemoteRequest, refused, type Transport } from '../../commerce/remote.ts'

/** A trial asks so often at most, whatever a shop answers. */
export const maxRequests = 60
/** And takes so long; what is still open then is not waited for. */
const maxSeconds = 40

export interface WatchedRequest {
  method: string
  path: string
  status: number | null
}

export interface Watched {
  transport: Transport
  /** What was asked, in order, without what it was asked with: keys are in there. */
  requests: readonly WatchedRequest[]
}

/** The way out, counted. */
export function watchTransport(transport: Transport, holder: string, now: () => number = Date.now): Watched {
  const requests: WatchedRequest[] = []
  const end = now() + maxSeconds * 1000
  return {
    requests,
    async transport(call) {
      if (requests.length >= maxRequests) throw refused(`The trial ends after ${maxRequests} requests.`)
      if (now() > end) throw refused(`The trial ends after ${maxSeconds} seconds.`)
      const { pathname } = new URL(call.url)
      const entry: WatchedRequest = { method: call.request.method, path: pathname, status: null }
      requests.push(entry)
      const answer = await transport({ ...call, holder })
      entry.status = answer.status
      return answer
    },
  }
}

/** A remote that asks, and keeps what would change something instead of sending it. */
export function dryRemote(remote: Remote, reads: (request: RemoteRequest) => boolean) {
  const kept: RemoteRequest[] = []
  const dry: Remote = {
    async request(request) {
      if (request.method === 'GET' || reads(request)) return await remote.request(request)
      kept.push(request)
      throw refused('This was only tried.')
    },
  }
  return { remote: dry, kept }
}
