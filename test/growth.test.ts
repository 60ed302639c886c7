import { expect, test } from 'vitest'
import { simulate, type World } from '../bench/growth/simulate.ts'

const world: World = {
  integrations: 2000,
  apps: 100,
  everyMinutes: 15,
  intervals: 2,
  workers: 1,
  slots: 12,
  cores: 1,
  shopSeconds: 0.5,
  cpuSeconds: 0.02,
  dispatchedPerSecond: 100,
}

test('each appointment is one run, and with room to spare they start as soon as somebody looks', () => {
  const { runs, lag, catchingUp } = simulate({ ...world, integrations: 500 })
  expect(runs).toBe(1000)
  expect(lag.longest).toBeLessThan(60)
  expect(lag.p50).toBeLessThan(20)
  expect(catchingUp).toBe(0)
})

test('what slots can do in a second is slots by the time of a run; what is more stays behind', () => {
  const { slotsUsed, catchingUp } = simulate({ ...world, integrations: 3000, slots: 1 })
  expect(slotsUsed).toBeGreaterThan(0.9)
  const perSecond = 1 / (world.shopSeconds + world.cpuSeconds)
  expect(catchingUp).toBeGreaterThan(6000 / perSecond - 1800 - 60)
})

test('a core does no more than a second of work in a second', () => {
  const { coresUsed, catchingUp } = simulate({ ...world, integrations: 3000, slots: 60, cpuSeconds: 0.35 })
  expect(coresUsed).toBeGreaterThan(0.9)
  expect(catchingUp).toBeGreaterThan(6000 * 0.35 - 1800 - 60)
})

test('where one worker stays behind, three do not', () => {
  const behind = (workers: number) => simulate({ ...world, integrations: 3000, slots: 1, workers }).catchingUp
  expect(behind(1)).toBeGreaterThan(600)
  expect(behind(3)).toBeLessThan(60)
})
