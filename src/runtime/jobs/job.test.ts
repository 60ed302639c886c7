import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { type Enqueue, every, job } from './job.ts'

interface Context {
  seen: number[]
}

const remember = job({
  name: 'remember',
  input: Type.Object({ id: Type.Integer() }),
  retry: { attempts: 2 },
  oneAtATime: ({ id }) => `thing:${id}`,
  run: async (context: Context, { id }, { attempt }) => {
    context.seen.push(id, attempt)
  },
})
const running = { signal: new AbortController().signal, attempt: 1 }

test('a job runs with the input of the queue', async () => {
  const context: Context = { seen: [] }
  await remember.perform(context, { id: 7 }, running)
  expect(context.seen).toEqual([7, 1])
})

test('input that does not fit the schema is refused as malformed', async () => {
  await expect(remember.perform({ seen: [] }, { id: 'seven' }, running)).rejects.toMatchObject({ kind: 'malformed' })
})

test('what a job does not say about its retries is standard', () => {
  expect(remember.retry).toEqual({ attempts: 2, delaySeconds: 5, maxDelaySeconds: 3600 })
})

test('the input of a job is checked where it is enqueued', () => {
  const wrong = async (enqueue: Enqueue, trx: Parameters<Enqueue>[0]) => {
    await enqueue(trx, remember, { id: 1 })
    // @ts-expect-error -- the id is a number
    await enqueue(trx, remember, { id: 'one' })
    // @ts-expect-error -- the id is a number
    every('5 seconds', remember, { id: 'one' })
  }
  expect(wrong).toBeTypeOf('function')
})

test('an interval is words or a cron expression', () => {
  const empty = job({ name: 'empty', input: Type.Object({}), run: async () => undefined })
  expect(every('5 seconds', empty)).toMatchObject({ interval: 5, input: {}, key: 'empty' })
  expect(every('1 hour', remember, { id: 3 })).toMatchObject({ interval: 3600, key: 'thing:3' })
  expect(every('0 3 * * *', empty)).toMatchObject({ interval: '0 3 * * *' })
  // @ts-expect-error -- this job needs an id
  const wrong = () => every('1 hour', remember)
  expect(wrong).toBeTypeOf('function')
})
