import { parseArgs } from 'node:util'
import { simulate, type World } from './simulate.ts'

/**
 * node bench/growth/index.ts [--integrations N] [--workers N] …: what so many integrations would wait, with so many
 * workers. docs/guides/scaling.md says what to put in.
 */
const usual: World = {
  integrations: 10_000,
  apps: 100,
  everyMinutes: 15,
  intervals: 2,
  workers: 1,
  slots: 12,
  cores: 1,
  shopSeconds: 0.4,
  cpuSeconds: 0.016,
  dispatchedPerSecond: 100,
}

const { values } = parseArgs({
  options: Object.fromEntries(Object.keys(usual).map((name) => [name, { type: 'string' as const }])),
})
const world = { ...usual }
for (const [name, text] of Object.entries(values)) {
  const number = Number(text)
  if (!(number > 0)) throw new Error(`--${name} must be a number above 0, not "${text}".`)
  Object.assign(world, { [name]: number })
}
const { runs, lag, longestQueue, slotsUsed, coresUsed, catchingUp } = simulate(world)
const lines = [
  ...Object.entries(world).map(([name, value]) => `${name.padEnd(20)} ${value}`),
  '',
  `${runs} runs; started ${lag.p50.toFixed(1)} s (p50), ${lag.p95.toFixed(1)} s (p95), ${lag.longest.toFixed(1)} s (longest) after they were due`,
  `at most ${longestQueue} waited; ${(slotsUsed * 100).toFixed(0)} % of slots and ${(coresUsed * 100).toFixed(0)} % of cores in use`,
  catchingUp > 1
    ? `${catchingUp.toFixed(0)} s behind at the end: this is too few workers`
    : 'everything was done in its time',
]
process.stdout.write(`${lines.join('\n')}\n`)
