import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { answerCall } from './answer-call.ts'
import { readCall } from './http/call.ts'
import { type Answer, answer, type Call } from './http/route.ts'
import { pause, send } from './http/send.ts'
import type { Platform } from './platform.ts'
import type { World } from './world.ts'

export interface Served {
  world: World
  platform: Platform
  /** What whoever runs the shop may see and do; null for what is no control. */
  control(call: Call): Answer | null
}

/** The HTTP side: control for whoever runs the shop, the platform for everybody else. */
export function createShopServer(served: () => Served): Server {
  const server = createServer((request, response) => {
    respond(served(), request, response).catch((error: unknown) => {
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
  { world, platform, control }: Served,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const weather = () => world.weather.now()
  const call = await readCall(request)
  if (!call) return send(response, answer(413), 'plain', weather())
  if (call.path.startsWith('/_')) {
    return send(response, control(call) ?? answer(404, { error: 'No such control.' }), 'plain', weather())
  }
  const reply = await answerCall(world, platform, call)
  if (reply) return await send(response, reply.answer, reply.manner, weather())
  await pause(weather().hold_ms)
  response.destroy()
}
