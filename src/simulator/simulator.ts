import { answerCall } from './answer-call.ts'
import { createControl, createControls } from './control.ts'
import { callOf, type WireRequest } from './http/call.ts'
import { bytesOf, headersOf } from './http/send.ts'
import type { SimulatorOptions } from './options.ts'
import { platforms } from './platforms/index.ts'
import { createWorld } from './world.ts'

/** A simulator that is asked in memory: the very answers that go over sockets elsewhere. */
export type MemorySimulator = ReturnType<typeof openSimulator>

export type OpenedShop = ReturnType<typeof openShopOn>

/** Everything but the wire. */
export function openShopOn(options: SimulatorOptions, origin?: string) {
  const name = options.platform ?? 'sandbox'
  const definition = platforms[name]
  if (!definition) throw new RangeError(`There is no platform "${name}".`)
  const world = createWorld(options, name, definition, origin)
  const platform = definition.open(world)
  const simulator = createControls(world, platform)
  return { world, platform, simulator, control: createControl(world, platform, simulator) }
}

/** One shop of a platform, asked without a socket. Its messages go out all the same. */
export function openSimulator(options: SimulatorOptions) {
  const { world, platform, simulator } = openShopOn(options)
  const { counts } = platform
  return {
    ...simulator,
    world,
    /** What the connector would keep of it. */
    kept: simulator.keep(),
    wrong: platform.wrong,
    /** How many of each kind the platform lists. */
    counts: () => ({
      orders: world.shop.book.count(),
      products: counts?.products?.() ?? simulator.truthOfProducts().length,
      inventory: counts?.inventory?.() ?? simulator.truthOfInventory().length,
    }),
    messages: (secret: string) => platform.messages?.(secret) ?? [],
    async answer(request: WireRequest) {
      const call = callOf(request)
      const reply = call && (await answerCall(world, platform, call))
      if (!reply) throw new Error('The shop does not answer.')
      const bytes = bytesOf(reply.answer.body)
      return { status: reply.answer.status, headers: headersOf(reply.answer, bytes), bytes }
    },
  }
}
