/**
 * How much each endpoint may be sent at once, and when it is left alone. Each process decides by what it has seen itself.
 *
 * A request that gets an answer quickly takes one of few slots. One that lingers no longer does, so that slow endpoints
 * cannot fill them up; its endpoint gets no more than a few such at a time. An endpoint that fails again and again is
 * tried with one request, at growing intervals, until it answers.
 */
export interface EndpointGate {
  /** How many more requests this endpoint may be sent now. */
  room(endpoint: number): number
  /** Whether it is left alone for now. */
  rests(endpoint: number): boolean
  /** Of slots, for all endpoints together. */
  free(): number
  begin(endpoint: number): Flight
  inFlight(): number
}

export interface Flight {
  /** What the endpoint answered; `restMs` if it asked to be left alone. */
  answered(outcome: { ok: boolean; restMs?: number | undefined }): void
  /** Everything about it is written down: its slot is free. */
  end(): void
}

interface Endpoint {
  inFlight: number
  lingering: number
  /** In a row. What was on its way together fails together, and counts once. */
  failures: number
  restUntil: number
  /** From the beginning to the end of a request that got through, smoothed. */
  ms: number
}

export interface GateOptions {
  slots?: number
  maxInFlight?: number
  lingersAfterMs?: number
  now?: () => number
}

const minInFlight = 8
const maxPerEndpoint = 32
/** What an endpoint can be sent in a second, as far as it depends on how much it is sent at once. */
const perSecond = 400
/** For an endpoint that has failed just now, or lets us wait. */
const maxDoubtful = 4
const patience = 3
const maxRestMs = 30_000
const maxRemembered = 10_000

export function createGate(options: GateOptions = {}): EndpointGate {
  const { slots = 64, maxInFlight = 1000, lingersAfterMs = 1000, now = () => performance.now() } = options
  const endpoints = new Map<number, Endpoint>()
  let inFlight = 0
  let lingering = 0

  const limitOf = (endpoint: Endpoint): number => {
    if (endpoint.failures >= patience) return 1
    if (endpoint.lingering > 0 || endpoint.failures > 0) return maxDoubtful
    return Math.min(maxPerEndpoint, Math.max(minInFlight, Math.ceil((endpoint.ms / 1000) * perSecond)))
  }

  return {
    rests: (id) => (endpoints.get(id)?.restUntil ?? 0) > now(),
    room(id) {
      const endpoint = endpoints.get(id)
      if (!endpoint) return minInFlight
      return endpoint.restUntil > now() ? 0 : Math.max(0, limitOf(endpoint) - endpoint.inFlight)
    },
    free: () => Math.max(0, Math.min(slots - (inFlight - lingering), maxInFlight - inFlight)),
    inFlight: () => inFlight,
    begin(id) {
      const endpoint = endpoints.get(id) ?? { inFlight: 0, lingering: 0, failures: 0, restUntil: 0, ms: 0 }
      endpoints.set(id, endpoint)
      endpoint.inFlight++
      inFlight++
      const before = endpoint.failures
      const begun = now()
      let lingers = false
      const timer = setTimeout(() => {
        lingers = true
        endpoint.lingering++
        lingering++
      }, lingersAfterMs)
      timer.unref()
      return {
        answered({ ok, restMs = 0 }) {
          if (!ok && endpoint.failures !== before) return
          endpoint.failures = ok ? 0 : before + 1
          const growing = endpoint.failures < patience ? 0 : 1000 * 2 ** Math.min(endpoint.failures - patience, 10)
          const rest = Math.min(Math.max(growing, restMs), maxRestMs)
          if (ok) endpoint.restUntil = 0
          else if (rest > 0) endpoint.restUntil = now() + rest
        },
        end() {
          clearTimeout(timer)
          // How long it takes to fail says nothing about how far away it is.
          if (endpoint.failures === 0) endpoint.ms = endpoint.ms * 0.9 + (now() - begun) * 0.1
          endpoint.inFlight--
          inFlight--
          if (lingers) {
            endpoint.lingering--
            lingering--
          }
          if (endpoint.inFlight === 0 && endpoint.failures === 0 && endpoints.size > maxRemembered) endpoints.delete(id)
        },
      }
    },
  }
}
