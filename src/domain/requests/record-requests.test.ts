import { afterEach, expect, test } from 'vitest'
import { createLog } from '../../runtime/log.ts'
import type { ApiRequest, RequestMinute } from './api-request.ts'
import { createRequestRecorder, type RequestRecorder } from './record-requests.ts'

const begun = Date.parse('2026-11-16T12:00:00Z')

function createWorld(room = {}) {
  let at = begun
  let isAway = false
  const written: ApiRequest[] = []
  const minutes: RequestMinute[] = []
  const outcomes = { written: 0, left_out: 0, lost: 0 }
  const orAway = () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve())
  const recorder = createRequestRecorder({
    write: (requests) => orAway().then(() => void written.push(...requests)),
    addMinutes: (counted) => orAway().then(() => void minutes.push(...counted.map((one) => ({ ...one })))),
    onOutcome: (outcome, calls) => {
      outcomes[outcome] += calls
    },
    log: createLog('silent'),
    room,
    now: () => at,
  })
  recorders.push(recorder)
  return {
    ...{ recorder, written, minutes, outcomes },
    pass: (ms: number) => {
      at += ms
    },
    setAway: (away: boolean) => {
      isAway = away
    },
    call(appId: number, status = 200, used = 1) {
      const of = { caller: 'client', clientId: 5 } as const
      if (recorder.count({ appId, of, status, used, allowed: 100 })) recorder.keep(entry(appId, status, at))
    },
  }
}

const entry = (appId: number, status: number, at: number): ApiRequest => ({
  ...{ app_id: appId, at: new Date(at).toISOString(), id: crypto.randomUUID(), source: 'api', caller: 'client' },
  ...{ client_id: 5, account_id: null, user_id: null, integration_id: null, method: 'GET', route: '/', path: '/' },
  ...{ query: '', status, ms: 1, address: '', request_bytes: 0, response_bytes: 0 },
  detail: { agent: null, content_type: null, has_idempotency_key: false },
})

const recorders: RequestRecorder[] = []
afterEach(async () => {
  for (const recorder of recorders.splice(0)) await recorder.close()
})

const times = (n: number, work: () => void) => Array.from({ length: n }).forEach(work)

test('calls are written together, and counted by the minute', async () => {
  const world = createWorld()
  times(3, () => world.call(1, 200, 7))
  world.call(1, 429, 100)
  await world.recorder.flush()
  expect(world.written.length).toBe(4)
  expect(world.minutes).toMatchObject([
    {
      app_id: 1,
      minute: '2026-11-16T12:00:00.000Z',
      calls: 4,
      failed: 1,
      limited: 1,
      left_out: 0,
      most: 100,
      allowed: 100,
    },
  ])
})

test('a burst is kept, of too many the rest is left out and counted, and room comes back with time', async () => {
  const world = createWorld({ calls: 10, callsOfApp: 10 })
  times(25, () => world.call(1))
  world.pass(5000)
  times(7, () => world.call(1))
  world.pass(60_000)
  times(11, () => world.call(1))
  await world.recorder.flush()
  expect(world.written.length).toBe(10 + 5 + 10)
  expect(world.minutes).toMatchObject([
    { calls: 32, left_out: 17 },
    { calls: 11, left_out: 1 },
  ])
  expect(world.outcomes).toEqual({ written: 25, left_out: 18, lost: 0 })
})

test('of calls without end a sample is kept, and of fewer all there is room for', async () => {
  const world = createWorld({ calls: 100, callsOfApp: 10 })
  const during = async (seconds: number, perSecond: number) => {
    const before = world.written.length
    for (let n = 0; n < seconds; n++) {
      times(perSecond, () => world.call(1))
      world.pass(1000)
    }
    await world.recorder.flush()
    return world.written.length - before
  }
  expect(await during(10, 100)).toBe(10 + 9)
  // A hundred times as many as there is room for: a fifth of what else there would be room for.
  expect(await during(50, 100)).toBe(10)
  expect(await during(20, 1)).toBeGreaterThanOrEqual(10)
  expect(await during(50, 1)).toBe(50)
})

test('a clock that is set back gives no room and takes none', async () => {
  const world = createWorld({ calls: 10, callsOfApp: 10 })
  times(10, () => world.call(1))
  world.pass(-3_600_000)
  world.call(1)
  world.pass(1000)
  times(2, () => world.call(1))
  await world.recorder.flush()
  expect(world.written.length).toBe(11)
})

test('one app leaves room to the others, and successes leave room to failures', async () => {
  const world = createWorld({ calls: 10, callsOfApp: 6, failures: 4, failuresOfApp: 2 })
  times(100, () => world.call(1))
  times(100, () => world.call(2))
  times(100, () => world.call(1, 500))
  await world.recorder.flush()
  const kept = (app: number, status: number) =>
    world.written.filter((one) => one.app_id === app && one.status === status)
  expect([kept(1, 200).length, kept(2, 200).length, kept(1, 500).length]).toEqual([6, 4, 2])
})

test('what cannot be written is lost and counted as left out, once the counts can be written', async () => {
  const world = createWorld()
  world.setAway(true)
  times(4, () => world.call(1))
  await world.recorder.flush()
  times(2, () => world.call(1))
  await world.recorder.flush()
  expect(world.outcomes).toEqual({ written: 0, left_out: 0, lost: 6 })
  world.setAway(false)
  world.call(1)
  await world.recorder.flush()
  expect(world.written.length).toBe(1)
  expect(world.minutes).toMatchObject([{ calls: 7, left_out: 6 }])
})

test('no more than the room for those that wait is ever held', async () => {
  const world = createWorld({ waiting: 5 })
  times(9, () => world.call(1))
  await world.recorder.flush()
  expect(world.written.length).toBe(5)
  expect(world.minutes).toMatchObject([{ left_out: 4 }])
})

test('closing writes the rest', async () => {
  const world = createWorld()
  world.call(1)
  await world.recorder.close()
  expect(world.written.length).toBe(1)
})
