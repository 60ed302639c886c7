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
  /** How many more may lie ready for it: as many as it takes in a moment, and none as long as that is in doubt. */
  ahead(endpoint: number): number
  begin(endpoint: number): Flight
  inFlight(): number
}

export interface Flight {
  /** What the endpoint answered, whose slot is free with that; `restMs` if it asked to be left alone. */
  answered(outcome: { ok: boolean; restMs?: number | undefined }): void
  /** Everything about it is written down. */
  end(): void
}

interface Endpoint {
  inFlight: number
  lingering: number
  /** Answered, and not yet written down. */
  unwritten: number
  /** In a row. What was on its way together fails together, and counts once. */
  failures: number
  restUntil: number
  /** From a request that got through to its answer, smoothed; null before the first. */
  ms: number | null
}

export interface GateOptions {
  slots?: number
  maxInFlight?: number
  lingersAfterMs?: number
  now?: () => number
}

const minInFlight = 8
const maxPerEndpoint = 32
/** Sent, and not written down: what is sent again should the process die now. */
const maxUnwritten = 64
const maxAhead = 100
const aheadMs = 500
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
    return Math.min(maxPerEndpoint, Math.max(minInFlight, Math.ceil(((endpoint.ms ?? 0) / 1000) * perSecond)))
  }
  const isDoubtful = ({ failures, lingering, restUntil }: Endpoint) =>
    failures > 0 || lingering > 0 || restUntil > now()

  return {
    rests: (id) => (endpoints.get(id)?.restUntil ?? 0) > now(),
    room(id) {
      const endpoint = endpoints.get(id)
      if (!endpoint) return minInFlight
      if (endpoint.restUntil > now()) return 0
      const unwritten = maxUnwritten - endpoint.inFlight - endpoint.unwritten
      return Math.max(0, Math.min(limitOf(endpoint) - endpoint.inFlight, unwritten))
    },
    ahead(id) {
      const endpoint = endpoints.get(id)
      if (!endpoint || endpoint.ms === null || isDoubtful(endpoint)) return 0
      return Math.min(maxAhead, Math.ceil((limitOf(endpoint) * aheadMs) / Math.max(1, endpoint.ms)))
    },
    free: () => Math.max(0, Math.min(slots - (inFlight - lingering), maxInFlight - inFlight)),
    inFlight: () => inFlight,
    begin(id) {
      const endpoint = endpoints.get(id) ?? { ...unknown }
      endpoints.set(id, endpoint)
      endpoint.inFlight++
      inFlight++
      const before = endpoint.failures
      const begun = now()
      let lingers = false
      let isAnswered = false
      const timer = setTimeout(() => {
        lingers = true
        endpoint.lingering++
        lingering++
      }, lingersAfterMs)
      timer.unref()
      const land = () => {
        clearTimeout(timer)
        endpoint.inFlight--
        inFlight--
        if (!lingers) return
        endpoint.lingering--
        lingering--
      }
      return {
        answered({ ok, restMs = 0 }) {
          isAnswered = true
          land()
          endpoint.unwritten++
          // How long it takes to fail says nothing about how far away it is.
          if (ok) endpoint.ms = smoothed(endpoint.ms, now() - begun)
          if (!ok && endpoint.failures !== before) return
          endpoint.failures = ok ? 0 : before + 1
          const growing = endpoint.failures < patience ? 0 : 1000 * 2 ** Math.min(endpoint.failures - patience, 10)
          const rest = Math.min(Math.max(growing, restMs), maxRestMs)
          if (ok) endpoint.restUntil = 0
          else if (rest > 0) endpoint.restUntil = now() + rest
        },
        end() {
          if (isAnswered) endpoint.unwritten--
          else land()
          const isIdle = endpoint.inFlight + endpoint.unwritten === 0
          if (isIdle && endpoint.failures === 0 && endpoints.size > maxRemembered) endpoints.delete(id)
        },
      }
    },
  }
}

const unknown: Readonly<Endpoint> = { inFlight: 0, lingering: 0, unwritten: 0, failures: 0, restUntil: 0, ms: null }

const smoothed = (before: number | null, ms: number): number => (before ?? 0) * 0.9 + ms * 0.1
