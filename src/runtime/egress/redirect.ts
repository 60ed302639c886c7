import { redirected } from './egress-faults.ts'
import type { EgressAnswer, EgressRequest } from './egress-request.ts'

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const harmless: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type', 'user-agent'])

/**
 * The request that a redirect asks for; null when the answer is the answer. Another host is never followed: who may
 * change where a shop's name leads must not choose where our credentials go. The caller checks the new address like any
 * other.
 */
export function nextHop(from: URL, request: EgressRequest, answer: EgressAnswer): EgressRequest | null {
  const location = answer.headers['location']
  if (!redirects.has(answer.status) || location === undefined) return null
  const reads = request.method === 'GET' || request.method === 'HEAD'
  // What a 301 or 302 means for a write, servers and clients have never agreed on.
  if (!reads && answer.status < 303) return null
  if (!URL.canParse(location, from.href)) throw redirected()
  const to = new URL(location, from.href)
  if (to.hostname !== from.hostname) throw redirected(to)
  // Any header may be somebody's credentials, so another port or scheme gets only those that never are.
  const headers = to.origin === from.origin ? (request.headers ?? {}) : onlyHarmless(request.headers)
  const next: EgressRequest = { ...request, url: to.href, headers }
  return answer.status === 303 && !reads ? { ...next, method: 'GET', body: null } : next
}

const onlyHarmless = (headers: EgressRequest['headers'] = {}) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => harmless.has(name.toLowerCase())))
