import autocannon from 'autocannon'

export interface Load {
  url: string
  headers?: Record<string, string>
  /** What is posted, another one each time; asked for otherwise. */
  post?: () => { headers: Record<string, string>; body: string }
  connections: number
  seconds: number
}

export interface Throughput {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
}

/** A closed loop over keep-alive connections, one request at a time on each. Any answer but a 2xx spoils the figure. */
export async function load({ url, headers, post, connections, seconds }: Load): Promise<Throughput> {
  const result = await autocannon({
    ...{ url, connections, pipelining: 1, duration: seconds },
    ...(headers && { headers }),
    ...(post && { requests: [{ setupRequest: (request) => ({ ...request, method: 'POST', ...post() }) }] }),
  })
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0) throw new Error(`${failed} requests to ${new URL(url).pathname} went wrong.`)
  return { perSecond: result['2xx'] / result.duration, p50: result.latency.p50, p99: result.latency.p99 }
}
