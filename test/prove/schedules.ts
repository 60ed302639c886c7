import { connectors } from '../../src/connectors/index.ts'
import type { Context } from '../../src/domain/context.ts'
import { createSchedule } from '../../src/domain/schedules/create-schedules.ts'
import { dispatchBatch } from '../../src/domain/schedules/dispatch-due.ts'
import { type Database, openDatabase } from '../../src/runtime/db/connection.ts'
import { createLog } from '../../src/runtime/log.ts'
import { makeIntegration } from '../support/gateway.ts'
import { proof } from './support/proof.ts'
import { installClock } from './support/virtual-clock.ts'

const minuteMs = 60_000
/** Slots are at full minutes; a minute later also those that are spread over half a minute are due. */
const tickMinutes = 3

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC']
/** By night, in the hour that some days have twice and others not at all; and four times an hour. */
const kinds = ['30 2 * * *', '45 1 * * *', '*/15 * * * *'] as const

/** Both changes of the clocks in both hemispheres lie in these days. */
const periods = [
  ['2027-03-12T00:01:00Z', '2027-04-06T00:00:00Z'],
  ['2027-10-01T00:01:00Z', '2027-11-10T00:00:00Z'],
] as const

/** Whatever clocks do and whoever is away: a slot is a run, and slots that were missed are one. */
export const schedules = proof({
  name: 'schedules',
  asked:
    'two schedulers over more than 10,000 ticks, all changes of the clocks of a year, ten outages of 3 h, the clock set back by 2 h: 0 double runs, 0 lost, missed slots come to one run',
  full: { ticks: 12_000, outages: 10 },
  quick: { ticks: 150, outages: 2 },
  async run({ ticks: maxTicks, outages }, lab) {
    const url = await lab.database('migrated')
    const clock = await installClock(url)
    const open = (name: string) => openDatabase({ url, log: createLog('silent'), max: 4, applicationName: name })
    const databases = [open('scheduler one'), open('scheduler two')]
    const [first] = databases
    if (!first) throw new Error('There is no database.')
    try {
      const times = ticksOf(maxTicks, outages)
      await clock.set(new Date(times[0]?.at ?? 0))
      const planned = await plan(contextOf(first))
      const counts = { runs: 0, double: 0, lost: 0, early: 0 }
      let before = times[0]?.at ?? 0
      for (const [n, { at, back }] of times.entries()) {
        await clock.set(new Date(at))
        const dispatched = await Promise.all(databases.map((database) => dispatchAll(contextOf(database))))
        const ran = dispatched.some((count) => count > 0) ? await takeRuns(first) : new Map<number, number>()
        for (const { id, slots } of planned) {
          const runs = ran.get(id) ?? 0
          const due = !back && slots.some((slot) => slot > before && slot <= at) ? 1 : 0
          counts.runs += runs
          counts.double += Math.max(0, runs - 1)
          if (runs < due) counts.lost++
          if (runs > due && due === 0) counts.early++
        }
        if (!back) before = at
        if (n % 100 === 0) lab.progress('ticks', n, times.length)
      }
      const { runs, double, lost, early } = counts
      return {
        measured: `${times.length} ticks by two schedulers, ${planned.length} schedules in ${zones.length} time zones, ${outages} outages: ${runs} runs, ${double} double, ${lost} lost, ${early} out of turn`,
        pass: runs > 0 && double + lost + early === 0,
      }
    } finally {
      for (const database of databases) await database.close()
      await clock.close()
    }
  },
})

const contextOf = (database: Database): Context => ({
  db: database.db,
  reader: database.pool,
  transaction: database.transaction,
  enqueue: async () => undefined,
  record: async () => undefined,
  keys: [{ id: 'proof', key: Buffer.alloc(32) }],
  connectors,
  transport: () => Promise.reject(new Error('Nobody is asked.')),
  webhookAllow: [],
  callOut: () => Promise.reject(new Error('Nothing leaves from here.')),
  identify: () => null,
  log: createLog('silent'),
  publicUrl: 'https://entrepot.test',
})

/** Few at a time, so that the two get into each other's way. */
async function dispatchAll(context: Context): Promise<number> {
  let all = 0
  for (let count = 1; count > 0; all += count) count = await dispatchBatch(context, 4)
  return all
}

interface Tick {
  at: number
  /** The clock was set back: nothing is due that was not before. */
  back: boolean
}

/** Every three minutes of all periods, with holes; in the middle the clock is two hours behind for a while. */
function ticksOf(maxTicks: number, outages: number): Tick[] {
  const ticks: Tick[] = []
  const share = Math.ceil(maxTicks / periods.length)
  for (const [from, to] of periods) {
    // So that few ticks see the changes of the clocks as well.
    const length = Date.parse(to) - Date.parse(from)
    const step = Math.max(tickMinutes, Math.round(length / minuteMs / share / tickMinutes) * tickMinutes) * minuteMs
    const hole = Math.ceil(share / Math.max(1, outages / periods.length))
    let at = Date.parse(from)
    for (let n = 0; at < Date.parse(to) && n < share; n++, at += step) {
      if (n % hole === hole - 1) at += 180 * minuteMs
      ticks.push({ at, back: false })
      if (n === share >> 1)
        for (let m = 0; m < 5; m++) ticks.push({ at: at - 120 * minuteMs + m * minuteMs, back: true })
    }
  }
  return ticks
}

interface Planned {
  id: number
  slots: readonly number[]
}

/** Each on an integration of its own, since one waits for another that does the same. */
async function plan(context: Context): Promise<Planned[]> {
  const planned: Planned[] = []
  for (const timezone of zones) {
    for (const cron of kinds) {
      const { integration } = await makeIntegration(context, { appId: null })
      const { id } = await createSchedule(context, integration, { resource: 'sync_orders', cron, timezone })
      const slots = periods.flatMap(([from, to], n) => [
        // Between the periods lie months, in which everything is missed.
        ...(n > 0 ? [Date.parse(from)] : []),
        ...slotsOf(cron, timezone, Date.parse(from), Date.parse(to)),
      ])
      planned.push({ id, slots })
    }
  }
  return planned
}

/**
 * Reckoned in another way than the program does, minute by minute on the wall: a daily time comes at the first minute of
 * the day that is not before it, a quarter of an hour is a quarter of an hour.
 */
function slotsOf(cron: (typeof kinds)[number], timezone: string, from: number, to: number): number[] {
  const slots: number[] = []
  const [minute = '', hour = ''] = cron.split(' ')
  const wanted = `${hour.padStart(2, '0')}:${minute}`
  const wall = new Intl.DateTimeFormat('en-CA', {
    ...({ timeZone: timezone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' } as const),
    ...({ hour: '2-digit', minute: '2-digit' } as const),
  })
  const begin = Math.ceil(from / minuteMs) * minuteMs
  let done = ''
  for (let at = begin - 86_400_000; at < to; at += 15 * minuteMs) {
    if (hour === '*') {
      if (at >= from) slots.push(Math.ceil(at / (15 * minuteMs)) * 15 * minuteMs)
      continue
    }
    const aligned = Math.ceil(at / (15 * minuteMs)) * 15 * minuteMs
    const [day = '', time = ''] = wall.format(aligned).split(', ')
    if (day === done || time < wanted) continue
    done = day
    if (aligned > from) slots.push(aligned)
  }
  return slots
}

/** How often each schedule ran since the last time; the runs are over then. */
async function takeRuns({ query }: Database): Promise<Map<number, number>> {
  const rows = await query<{ id: number; n: number }>(
    `with over as (update runs set status = 'completed' where status = 'queued' returning schedule_id)
     select schedule_id as id, count(*) as n from over group by schedule_id`,
    [],
  )
  return new Map(rows.map(({ id, n }) => [Number(id), Number(n)]))
}
