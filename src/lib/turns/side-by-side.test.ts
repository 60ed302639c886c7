import { expect, test } from 'vitest'
import { sideBySide } from './side-by-side.ts'

test('one that takes for ever keeps nobody waiting, and so many are worked on at a time', async () => {
  const done: number[] = []
  let most = 0
  let now = 0
  let letGo = () => undefined as unknown
  const stuck = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const over = sideBySide([1, 2, 3, 4, 5], 2, async (one) => {
    most = Math.max(most, ++now)
    await (one === 1 ? stuck : Promise.resolve())
    now--
    done.push(one)
    if (one === 5) letGo()
  })
  await over
  expect({ done, most }).toEqual({ done: [2, 3, 4, 5, 1], most: 2 })
  await sideBySide([], 2, () => Promise.reject(new Error('There is none.')))
})
