import { answerCall } from './answer-call.ts'
import { createControl, createControls } from './control.ts'
import { callOf, type WireRequest } from './http/call.ts'
import { bytesOf, headersOf } from './http/send.ts'
import type { SimulatorOptions } from './options.ts'
import type { PlatformDefinition } from './platform.ts'
import { createWorld } from './world.ts'

/** A simulator that is asked in memory: the very answers that go over sockets elsewhere. */
export type MemorySimulator = ReturnType<typeof inMemory>

export type OpenedShop = ReturnType<typeof openShop>

/** Everything but the wire, and nothing of other platforms: whoever needs one does not wait for all of them. */
export function openShop(name: string, definition: PlatformDefinition, options: SimulatorOptions, origin?: string) {
  const world = createWorld(options, name, definition, origin)
  const platform = definition.open(world)
  const simulator = createControls(world, platform)
  return { world, platform, simulator, control: createControl(world, platform, simulator) }
}

/** One shop of a platform, asked without a socket. Its messages go out all the same. */
export function inMemory({ world, platform, simulator }: OpenedShop) {
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
