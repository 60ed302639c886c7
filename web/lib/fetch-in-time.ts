/** So long an answer is waited for, with all that it holds. */
const patienceMs = 60_000

/**
 * What is only looked at is given up when no answer comes: a page asks again by the clock once it has one, and would show for as long as the browser
 * waits what is no longer so. Of what changes something nobody knows by then whether it was done, and it is waited for.
 */
export async function fetchInTime(request: Request): Promise<Response> {
  if (request.method !== 'GET') return await fetch(request)
  const late = new AbortController()
  setTimeout(() => late.abort(), patienceMs)
  return await fetch(request, { signal: late.signal })
}
