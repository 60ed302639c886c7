import { expect, test } from 'vitest'
import { collect } from '../../../test/support/collect.ts'
import { readBytes } from './read-answer.ts'

test('the pieces of a large body are not held until all of it is there', async () => {
  const pieces: WeakRef<Buffer>[] = []
  let held = Number.NaN
  async function* body() {
    for (let n = 0; n < 40; n++) {
      const piece = Buffer.alloc(65_536, n)
      pieces.push(new WeakRef(piece))
      yield piece
    }
    await collect()
    held = pieces.filter((piece) => piece.deref()).length
  }
  const bytes = await readBytes(body(), undefined, { maxBytes: 10_000_000 })
  expect([bytes.length, bytes[0], bytes.at(-1)]).toEqual([40 * 65_536, 0, 39])
  // The last ones may still be in somebody’s hands.
  expect(held).toBeLessThan(5)
})
