import { AsyncLocalStorage, createHook } from 'node:async_hooks'

/**
 * How many hashes of passwords are computed, in the place of a clock. Each is a piece of native work in a thread, which Node
 * announces without a name; nothing else that a sign-in does is.
 */
export function countHashes() {
  const counting = new AsyncLocalStorage<{ hashes: number }>()
  const hook = createHook({
    init(_id, type) {
      const count = type === 'undefined' ? counting.getStore() : undefined
      if (count) count.hashes++
    },
  }).enable()
  return {
    async during(work: () => Promise<unknown>): Promise<number> {
      const count = { hashes: 0 }
      await counting.run(count, work)
      return count.hashes
    },
    stop: () => hook.disable(),
  }
}
