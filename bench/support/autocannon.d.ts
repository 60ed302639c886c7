/** What we use of autocannon, which comes without types. */
declare module 'autocannon' {
  interface Options {
    url: string
    connections: number
    pipelining: number
    duration: number
    headers?: Record<string, string>
    /** Called before each request. */
    requests?: readonly { setupRequest(request: Request): Request }[]
  }
  interface Request {
    method?: string
    headers?: Record<string, string>
    body?: string
  }
  interface Result {
    /** Seconds. */
    duration: number
    '2xx': number
    non2xx: number
    errors: number
    timeouts: number
    latency: { p50: number; p99: number }
  }
  export default function autocannon(options: Options): Promise<Result>
}
