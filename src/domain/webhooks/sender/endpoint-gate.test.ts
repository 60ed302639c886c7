import { describe, expect, test, vi } from 'vitest'
import { createGate } from './endpoint-gate.ts'

const ok = { ok: true }
const failed = { ok: false }

function begin(gate: ReturnType<typeof createGate>, endpoint: number, times: number) {
  return Array.from({ length: times }, () => gate.begin(endpoint))
}

describe('an endpoint', () => {
  test('gets so much at once and no more, until something is answered', () => {
    const gate = createGate()
    const flights = begin(gate, 1, gate.room(1))
    expect(flights).toHaveLength(8)
    expect(gate.room(1)).toBe(0)
    expect(gate.room(2)).toBe(8)
    flights[0]?.answered(ok)
    expect(gate.room(1)).toBe(1)
    flights[0]?.end()
    expect(gate.room(1)).toBe(1)
    flights[1]?.end()
    expect(gate.room(1)).toBe(2)
  })

  test('has only so much that is sent and not written down', () => {
    const gate = createGate({ now: () => 0 })
    const flights = []
    while (gate.room(1) > 0) {
      const flight = gate.begin(1)
      flight.answered(ok)
      flights.push(flight)
    }
    expect(flights).toHaveLength(64)
    flights[0]?.end()
    expect(gate.room(1)).toBe(1)
  })

  test('has more lying ready once it has answered quickly, and nothing while that is in doubt', () => {
    vi.useFakeTimers()
    try {
      let time = 0
      const gate = createGate({ lingersAfterMs: 1000, now: () => time })
      const visit = (ms: number, outcome: { ok: boolean; restMs?: number }) => {
        const flight = gate.begin(1)
        time += ms
        flight.answered(outcome)
        flight.end()
      }
      expect(gate.ahead(1)).toBe(0)
      visit(10, ok)
      expect(gate.ahead(1)).toBe(100)
      visit(10, failed)
      expect(gate.ahead(1)).toBe(0)
      visit(10, ok)
      visit(10, { ok: false, restMs: 5000 })
      time += 5001
      visit(10, ok)
      expect(gate.ahead(1)).toBe(100)
      gate.begin(1)
      vi.advanceTimersByTime(1001)
      expect(gate.ahead(1)).toBe(0)
      // What takes long lies ready for as short a time.
      for (let n = 0; n < 60; n++) {
        const flight = gate.begin(2)
        time += 900
        flight.answered(ok)
        flight.end()
      }
      expect(gate.ahead(2)).toBe(18)
    } finally {
      vi.useRealTimers()
    }
  })

  test('gets more at once if it is far away', () => {
    let time = 0
    const gate = createGate({ now: () => time })
    const rooms: number[] = []
    for (let n = 0; n < 100; n++) {
      const flight = gate.begin(1)
      time += n < 50 ? 60 : 2
      flight.answered(ok)
      flight.end()
      rooms.push(gate.room(1))
    }
    expect([rooms[0], rooms[49], rooms[99]]).toEqual([8, 24, 8])
  })

  test('that fails again and again is tried with one request, at growing intervals', () => {
    let time = 0
    const gate = createGate({ now: () => time })
    const rests: number[] = []
    for (let n = 0; n < 12; n++) {
      const flight = gate.begin(1)
      flight.answered(failed)
      flight.end()
      const begun = time
      while (gate.room(1) === 0) time += 500
      rests.push(time - begun)
    }
    expect(rests).toEqual([0, 0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000, 30_000])
    expect(gate.room(1)).toBe(1)
    const flight = gate.begin(1)
    flight.answered(ok)
    flight.end()
    expect(gate.room(1)).toBe(8)
  })

  test('is not judged better by a failure that comes late', () => {
    let time = 0
    const gate = createGate({ now: () => time })
    const slow = gate.begin(1)
    for (let n = 0; n < 3; n++) {
      const flight = gate.begin(1)
      flight.answered(failed)
      flight.end()
    }
    slow.answered(failed)
    slow.end()
    expect(gate.rests(1)).toBe(true)
    time += 1001
    expect([gate.rests(1), gate.room(1)]).toEqual([false, 1])
  })

  test('that answers again is no longer left alone', () => {
    const gate = createGate({ now: () => 0 })
    const [first, second] = begin(gate, 1, 2)
    first?.answered({ ok: false, restMs: 20_000 })
    expect([gate.rests(1), gate.room(1), gate.rests(2)]).toEqual([true, 0, false])
    second?.answered(ok)
    expect([gate.rests(1), gate.room(1)]).toEqual([false, 8])
  })

  test('whose requests fail together has failed once', () => {
    const gate = createGate()
    for (const flight of begin(gate, 1, 8)) {
      flight.answered(failed)
      flight.end()
    }
    expect(gate.room(1)).toBe(4)
    expect(gate.rests(1)).toBe(false)
  })

  test('that failed once is asked again at once, and then gets little', () => {
    const gate = createGate({ now: () => 50 })
    const flight = gate.begin(1)
    flight.answered(failed)
    flight.end()
    expect([gate.rests(1), gate.room(1)]).toEqual([false, 4])
  })

  test('is not taken for far away because it fails slowly', () => {
    let time = 0
    const gate = createGate({ now: () => time })
    const slow = gate.begin(1)
    time += 60_000
    slow.answered(failed)
    slow.end()
    const quick = gate.begin(1)
    quick.answered(ok)
    quick.end()
    expect(gate.room(1)).toBe(8)
  })

  test('that asks to be left alone is', () => {
    let time = 0
    const gate = createGate({ now: () => time })
    const flight = gate.begin(1)
    flight.answered({ ...failed, restMs: 10_000 })
    flight.end()
    time = 9999
    expect(gate.room(1)).toBe(0)
    time = 10_001
    expect(gate.room(1)).toBe(4)
  })
})

describe('slots', () => {
  test('are few, and free again once a request lingers; its endpoint then gets little', () => {
    vi.useFakeTimers()
    try {
      const gate = createGate({ slots: 10, lingersAfterMs: 1000 })
      const flights = begin(gate, 1, 8)
      expect(gate.free()).toBe(2)
      vi.advanceTimersByTime(1001)
      expect(gate.free()).toBe(10)
      expect(gate.room(1)).toBe(0)
      for (const flight of flights.slice(0, 5)) flight.end()
      expect(gate.room(1)).toBe(1)
      for (const flight of flights.slice(5)) flight.end()
      expect([gate.free(), gate.inFlight()]).toEqual([10, 0])
    } finally {
      vi.useRealTimers()
    }
  })

  test('are taken until a request is answered, and not a moment longer', () => {
    vi.useFakeTimers()
    try {
      const gate = createGate({ slots: 10, lingersAfterMs: 1000 })
      const flight = gate.begin(1)
      expect([gate.free(), gate.room(1)]).toEqual([9, 7])
      flight.answered(ok)
      expect([gate.free(), gate.room(1), vi.getTimerCount()]).toEqual([10, 8, 0])
      flight.end()
      expect([gate.free(), gate.room(1)]).toEqual([10, 8])
      vi.advanceTimersByTime(5000)
      expect([gate.free(), gate.room(1)]).toEqual([10, 8])
    } finally {
      vi.useRealTimers()
    }
  })

  test('are the endpoint’s own again once nothing of it lingers', () => {
    vi.useFakeTimers()
    try {
      const gate = createGate({ lingersAfterMs: 1000, now: () => 0 })
      const slow = gate.begin(1)
      vi.advanceTimersByTime(1001)
      expect(gate.room(1)).toBe(3)
      slow.answered(ok)
      slow.end()
      expect(gate.room(1)).toBe(8)
    } finally {
      vi.useRealTimers()
    }
  })

  test('there is an end to what may be on its way', () => {
    const gate = createGate({ slots: 10, maxInFlight: 5 })
    begin(gate, 1, 3)
    expect(gate.free()).toBe(2)
  })
})

test('of many endpoints, those that are well are forgotten, and those that are not are remembered', () => {
  let time = 0
  const gate = createGate({ now: () => time })
  const visit = (endpoint: number, outcome: { ok: boolean }) => {
    const flight = gate.begin(endpoint)
    time += 100
    flight.answered(outcome)
    flight.end()
  }
  // Far away: that is remembered as long as there are not too many.
  for (let n = 0; n < 20; n++) visit(1, ok)
  const far = gate.room(1)
  expect(far).toBeGreaterThan(8)
  const others = Array.from({ length: 9999 }, (_, n) => gate.begin(n + 2))
  visit(1, ok)
  expect(gate.room(1)).toBeGreaterThanOrEqual(far)
  others.push(gate.begin(10_001))
  const [one, two] = begin(gate, 1, 2)
  one?.end()
  expect(gate.room(1)).toBeGreaterThan(8)
  two?.end()
  expect(gate.room(1)).toBe(8)
  visit(1, failed)
  expect(gate.room(1)).toBe(4)
  for (const flight of others) flight.end()
  expect(gate.inFlight()).toBe(0)
})
