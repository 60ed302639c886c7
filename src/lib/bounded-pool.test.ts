import { expect, test } from 'vitest'
import { boundedPool } from './bounded-pool.ts'

function tasks() {
  const begun: number[] = []
  const ends = new Map<number, PromiseWithResolvers<void>>()
  const task = (n: number) => async () => {
    begun.push(n)
    const end = Promise.withResolvers<void>()
    ends.set(n, end)
    await end.promise
    return n
  }
  return {
    begun,
    task,
    end: (n: number) => ends.get(n)?.resolve(),
    fail: (n: number) => ends.get(n)?.reject(new Error('No.')),
  }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('so many run, so many wait, and who comes after that has to come back', async () => {
  const pool = boundedPool({ running: 2, waiting: 1 })
  const { begun, task, end } = tasks()
  const running = [1, 2, 3].map((n) => pool(task(n)))
  await settled()
  expect(begun).toEqual([1, 2])
  await expect(pool(task(4))).rejects.toMatchObject({
    kind: 'unavailable',
    retryAfterSeconds: 2,
    message: 'Service Unavailable',
  })
  end(1)
  await settled()
  expect(begun).toEqual([1, 2, 3])
  const fifth = pool(task(5))
  end(2)
  await settled()
  expect(begun).toEqual([1, 2, 3, 5])
  end(3)
  end(5)
  expect(await Promise.all([...running, fifth])).toEqual([1, 2, 3, 5])
})

test('a task that fails makes room as well, and all of it is free in the end', async () => {
  const pool = boundedPool({ running: 1, waiting: 5 })
  const { begun, task, end, fail } = tasks()
  const first = pool(task(1))
  const second = pool(task(2))
  await settled()
  fail(1)
  await expect(first).rejects.toThrow('No.')
  await settled()
  end(2)
  expect(await second).toBe(2)
  const third = pool(task(3))
  await settled()
  expect(begun).toEqual([1, 2, 3])
  end(3)
  expect(await third).toBe(3)
})
