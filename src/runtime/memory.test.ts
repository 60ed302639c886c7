import { describe, expect, test } from 'vitest'
import { createCollector } from './memory.ts'

describe('a collector', () => {
  test('lets go of what nobody holds any longer, and looks again only after a while', async () => {
    const collect = createCollector()
    const held = () => new WeakRef({ orders: Array.from({ length: 1000 }, (_, id) => ({ id })) })
    const [first] = [held()]
    // What was just made is held until the turn is over.
    await new Promise(setImmediate)
    collect()
    expect(first.deref()).toBeUndefined()
    const second = held()
    await new Promise(setImmediate)
    collect()
    expect(second.deref()).toBeDefined()
  })
})
