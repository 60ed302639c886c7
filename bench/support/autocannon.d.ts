/** What we use of autocannon, which comes without types. */
declare module 'autocannon' {
  interface Options {
    url: string
    connections: number
    pipelining: number
    duration?: number
    /** So many requests in the place of a time. */
    amount?: number
    /** Seconds. */
    timeout?: number
    headers?: Record<string, string>
    /** Called before each request. */
    requests?: readonly { setupRequest(request: Request): Request }[]
  }
  interface Request {
    method?: string
    path?: string
    headers?: Record<string, string>
    body?: string
  }
  interface Result {
    /** Seconds. */
    duration: number
    '2xx': number
    non2xx: number
    statusCodeStats: Readonly<Record<string, { count: number }>>
    errors: number
    timeouts: number
    latency: { p50: number; p99: number }
  }
  interface Run extends Promise<Result> {
    on(event: 'response', heard: () => void): void
  }
  export default function autocannon(options: Options): Run
}
