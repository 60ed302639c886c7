import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isHostile, spoil } from './hostile.ts'
import type { Answer, Call, Route } from './http/call.ts'
import { deedsOf, markOf, readCall } from './http/call.ts'
import { type Manner, pause, send } from './http/send.ts'
import type { RequestFault } from './weather.ts'
import { answer, type Dialect, type World } from './world.ts'

type Control = (call: Call) => Answer | null

/** The HTTP side: control for whoever runs the shop, the dialect for everybody else, and weather over the latter. */
export function createShopServer(world: World, dialect: Dialect, control: Control): Server {
  const server = createServer((request, response) => {
    respond(world, dialect, control, request, response).catch((error: unknown) => {
      // A bug of the simulator must look like one, not like weather.
      process.stderr.write(`simulator: ${error instanceof Error ? error.stack : String(error)}\n`)
      if (!response.headersSent) response.writeHead(500).end()
      else response.destroy()
    })
  })
  server.keepAliveTimeout = 30_000
  return server
}

async function respond(
  world: World,
  dialect: Dialect,
  control: Control,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call = await readCall(request)
  if (!call) return send(response, answer(413), 'plain', world.sky.now())
  if (call.path.startsWith('/_')) {
    return send(response, control(call) ?? answer(404, { error: 'No such control.' }), 'plain', world.sky.now())
  }
  const route = dialect.route(call)
  const fault = faultFor(world, route)
  const { method, path, query } = call
  const entry = world.ledger.request({
    method,
    path: query.size > 0 ? `${path}?${redact(query)}` : path,
    operation: route.operation,
    status: null,
    as: null,
    fault,
    key: markOf(call),
    effects: [],
  })
  const run = async () => route.run(deedsOf(call, entry, world.ledger))
  const made = await underWeather(world, dialect, call, route, fault, run)
  if (!made) {
    entry.status = 0
    await pause(world.sky.now().hold_ms)
    response.destroy()
    return
  }
  entry.status = made.status
  await send(response, isHostile(fault) ? spoil(fault, made) : made, mannerOf(fault), world.sky.now())
}

function faultFor({ sky }: World, route: Route): RequestFault | null {
  const fault = route.sheltered ? null : sky.forRequest()
  return route.careful && (fault === 'truncated_body' || isHostile(fault)) ? null : fault
}

const mannerOf = (fault: RequestFault | null): Manner =>
  fault === 'slow_body' || fault === 'truncated_body' || fault === 'huge_body' ? fault : 'plain'

/** The answer, or null for none. Where an answer is lost, half of the writes have been done all the same. */
async function underWeather(
  { sky }: World,
  dialect: Dialect,
  call: Call,
  route: Route,
  fault: RequestFault | null,
  run: () => Promise<Answer>,
): Promise<Answer | null> {
  const halfDone = async () => {
    if (route.writes && !route.careful && sky.dice.chance(0.5)) await run()
  }
  switch (fault) {
    case 'throttled':
      return answer(429, dialect.trouble(429), { 'retry-after': String(sky.now().retry_after_seconds) })
    case 'throttled_bare':
      return answer(429, dialect.trouble(429))
    case 'error_500':
    case 'error_502':
    case 'error_503': {
      const status = Number(fault.slice(-3))
      await halfDone()
      return status === 500
        ? answer(500, dialect.trouble(500))
        : answer(status, `<html><body><h1>${status}</h1></body></html>`)
    }
    case 'timeout':
      await halfDone()
      return null
    case 'html_200':
      if (!route.careful) await run()
      return answer(200, '<!doctype html><html><body>The shop is being tidied up. 🧹</body></html>')
    case 'expired_token':
      dialect.expire(call)
      return run()
    default: {
      const made = await run()
      return route.careful && made.status === 200 && sky.chance('lost_token_answers') ? null : made
    }
  }
}

/** Secrets may stand in a query; a ledger is read by many. */
function redact(query: URLSearchParams): string {
  const shown = new URLSearchParams(query)
  for (const name of shown.keys())
    if (/secret|token$|^code$|consumer_key/i.test(name) && name !== 'nextToken') shown.set(name, '…')
  return shown.toString()
}
