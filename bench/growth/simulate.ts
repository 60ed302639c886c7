import { rushSeconds, spreadOf } from '../../src/domain/schedules/spread.ts'
import { createShares, roomIn, type Shares } from '../../src/domain/shop/shares/share.ts'
import { createHeap } from './heap.ts'

/** What there is to do, and whom there is to do it. Times are seconds. */
export interface World {
  integrations: number
  /** Tenants that share them evenly. */
  apps: number
  /** Minutes between two runs of each; all of them name the same minutes. */
  everyMinutes: number
  /** How long they are watched, in such intervals. */
  intervals: number
  workers: number
  /** Runs at once in each, and cores that each has. */
  slots: number
  cores: number
  /** What a run waits for its shop, and what it takes of a core. */
  shopSeconds: number
  cpuSeconds: number
  /** Runs that all dispatchers together begin in a second. */
  dispatchedPerSecond: number
}

export interface Outlook {
  runs: number
  /** From when a run was due, its spread included, to its start. */
  lag: { p50: number; p95: number; longest: number }
  longestQueue: number
  /** Of all slots, and of all cores, from the first run to the end of the last. */
  slotsUsed: number
  coresUsed: number
  /** From the first appointment until everything was done. */
  end: number
  /** After the last appointment, until everything was done. */
  catchingUp: number
}

interface Run {
  app: number
  integration: number
  due: number
  turn: number
}

interface Worker {
  running: number
  /** When each core is free. */
  cores: number[]
  shares: Shares
}

const lookEvery = 2

/**
 * A day in a second: appointments, spread, dispatching, turns of tenants, slots, shares and cores, one event after the other. Spread
 * and shares are the program's own; the rest is as decision 14 has it. It knows neither failures nor slow databases.
 */
export function simulate(world: World): Outlook {
  const clock = { now: 0 }
  const events = createHeap<{ at: number; happen(): void }>((a, b) => a.at - b.at)
  const waiting = createHeap<Run>((a, b) => a.turn - b.turn || a.due - b.due)
  const workers = Array.from(
    { length: world.workers },
    (): Worker => ({
      running: 0,
      cores: Array(world.cores).fill(0),
      shares: createShares(roomIn(world.slots), () => clock.now * 1000),
    }),
  )
  const turns = new Map<number, number>()
  let furthest = 0
  const lags: number[] = []
  const busy = { slots: 0, cores: 0 }
  let longestQueue = 0
  let end = 0

  const at = (time: number, happen: () => void) => events.push({ at: time, happen })

  function enqueue(run: Run): void {
    const reached = waiting.peek()?.turn ?? furthest
    const turn = Math.max((turns.get(run.app) ?? -1) + 1, reached)
    turns.set(run.app, turn)
    furthest = Math.max(furthest, turn)
    waiting.push({ ...run, turn })
    longestQueue = Math.max(longestQueue, waiting.size)
    fill()
  }

  function fill(): void {
    for (const worker of workers) {
      while (worker.running < world.slots && waiting.size > 0) {
        const run = waiting.pop()
        if (!run) return
        const share = worker.shares.take(String(run.app), run.integration)
        if ('againInSeconds' in share) at(clock.now + share.againInSeconds, () => again(run))
        else work(worker, run, share.release)
      }
    }
  }

  /** Who had no share keeps the turn that the queue has reached. */
  function again(run: Run): void {
    waiting.push({ ...run, turn: waiting.peek()?.turn ?? run.turn })
    fill()
  }

  function work(worker: Worker, { due }: Run, release: () => void): void {
    worker.running++
    lags.push(clock.now - due)
    const began = clock.now
    at(clock.now + world.shopSeconds, () => {
      const core = worker.cores.indexOf(Math.min(...worker.cores))
      const free = Math.max(clock.now, worker.cores[core] ?? 0) + world.cpuSeconds
      worker.cores[core] = free
      busy.cores += world.cpuSeconds
      at(free, () => {
        worker.running--
        busy.slots += clock.now - began
        end = clock.now
        release()
        fill()
      })
    })
  }

  let dispatched = 0
  for (const { due, integration } of appointments(world)) {
    const looked = Math.ceil(due / lookEvery) * lookEvery
    dispatched = Math.max(looked, dispatched) + 1 / world.dispatchedPerSecond
    at(dispatched, () => enqueue({ app: integration % world.apps, integration, due, turn: 0 }))
  }
  for (let event = events.pop(); event; event = events.pop()) {
    clock.now = event.at
    event.happen()
  }
  lags.sort((a, b) => a - b)
  const share = (of: number) => lags[Math.max(0, Math.ceil(lags.length * of) - 1)] ?? 0
  return {
    runs: lags.length,
    lag: { p50: share(0.5), p95: share(0.95), longest: lags.at(-1) ?? 0 },
    longestQueue,
    slotsUsed: busy.slots / (end * world.workers * world.slots),
    coresUsed: busy.cores / (end * world.workers * world.cores),
    end,
    catchingUp: Math.max(0, end - world.intervals * world.everyMinutes * 60),
  }
}

function appointments({ integrations, everyMinutes, intervals }: World): { due: number; integration: number }[] {
  const cron = `*/${everyMinutes} * * * *`
  const minute = '2026-01-01T00:00:00.000000Z'
  const rush = rushSeconds(integrations)
  const spreads = Array.from(
    { length: integrations },
    (_, id) => spreadOf({ id, cron, timezone: 'UTC' }, minute, rush) ?? id % 30,
  )
  const all = Array.from({ length: intervals }, (_, n) =>
    spreads.map((spread, integration) => ({ due: n * everyMinutes * 60 + spread, integration })),
  ).flat()
  return all.sort((a, b) => a.due - b.due)
}
