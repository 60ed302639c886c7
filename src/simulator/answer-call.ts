import { isHostile, spoil } from './hostile.ts'
import { operationKeyOf, recorderOf } from './http/call.ts'
import { type Answer, answer, type Call, type Route } from './http/route.ts'
import type { Manner } from './http/send.ts'
import type { Platform } from './platform.ts'
import type { RequestFault } from './weather.ts'
import type { World } from './world.ts'

/** What a call gets, and how badly it is sent. */
export interface Reply {
  answer: Answer
  manner: Manner
}

/** The whole way of a call through the platform: weather, ledger, effects. Null is no answer at all. */
export async function answerCall(world: World, platform: Platform, call: Call): Promise<Reply | null> {
  const route = platform.route(call)
  const fault = faultFor(world, route)
  const { method, path, query } = call
  const entry = world.ledger.request({
    method,
    path: query.size > 0 ? `${path}?${redact(query)}` : path,
    operation: route.operation,
    status: null,
    as: null,
    fault,
    key: operationKeyOf(call),
    effects: [],
  })
  const run = async () => route.run(recorderOf(call, entry, world.ledger))
  if (fault === 'expired_token') platform.expire?.(call)
  const made = await underWeather(world, platform, route, fault, run)
  entry.status = made?.status ?? 0
  return made && { answer: isHostile(fault) ? spoil(fault, made) : made, manner: mannerOf(fault) }
}

function faultFor({ weather }: World, route: Route): RequestFault | null {
  const fault = route.sheltered ? null : weather.forRequest()
  return route.careful && (fault === 'truncated_body' || isHostile(fault)) ? null : fault
}

const mannerOf = (fault: RequestFault | null): Manner =>
  fault === 'slow_body' || fault === 'truncated_body' || fault === 'huge_body' ? fault : 'plain'

/** Where an answer is lost, half of the writes have been done all the same. */
async function underWeather(
  { weather }: World,
  { errorBody }: Platform,
  route: Route,
  fault: RequestFault | null,
  run: () => Promise<Answer>,
): Promise<Answer | null> {
  const halfDone = async () => {
    if (route.writes && !route.careful && weather.dice.chance(0.5)) await run()
  }
  switch (fault) {
    case 'throttled':
      return answer(429, errorBody(429), { 'retry-after': String(weather.now().retry_after_seconds) })
    case 'throttled_bare':
      return answer(429, errorBody(429))
    case 'error_500':
    case 'error_502':
    case 'error_503': {
      const status = Number(fault.slice(-3))
      await halfDone()
      return status === 500
        ? answer(500, errorBody(500))
        : answer(status, `<html><body><h1>${status}</h1></body></html>`)
    }
    case 'timeout':
      await halfDone()
      return null
    case 'html_200':
      if (!route.careful) await run()
      return answer(200, '<!doctype html><html><body>The shop is being tidied up. 🧹</body></html>')
    default: {
      const made = await run()
      return route.careful && made.status === 200 && weather.chance('lost_token_answers') ? null : made
    }
  }
}

/** Secrets may stand in a query; a ledger is read by many. */
function redact(query: URLSearchParams): string {
  const shown = new URLSearchParams(query)
  for (const name of shown.keys())
    if (/secret|token$|^code$|consumer_key|signature/i.test(name) && name !== 'nextToken') shown.set(name, '…')
  return shown.toString()
}
