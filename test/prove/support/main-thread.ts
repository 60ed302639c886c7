import { constants, monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks'
import { mark } from './main-thread-of.ts'

/**
 * Preloaded by a server: how long its main thread was at one thing. On a machine with much else to do an answer may be late although
 * nobody held the thread, so both clocks are read: that on the wall, and the thread's own, which stands still while it is not on
 * a processor. Signalled, it prints what it saw since the last time.
 */
const everyMs = 10
const delays = monitorEventLoopDelay({ resolution: everyMs })
delays.enable()

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

let asked = 0
const nothing = { cpuMs: 0, wallMs: 0, collectedMs: 0, collectedWhole: 0, memory: { rss: 0 } }
let longest = { ...nothing }
let before = { wall: performance.now(), cpu: cpuMs() }

const timer = setInterval(() => {
  const now = { wall: performance.now(), cpu: cpuMs() }
  const memory = process.memoryUsage()
  longest = {
    ...longest,
    cpuMs: Math.max(longest.cpuMs, now.cpu - before.cpu),
    wallMs: Math.max(longest.wallMs, now.wall - before.wall - everyMs),
    memory: memory.rss > longest.memory.rss ? memory : longest.memory,
  }
  before = now
}, everyMs)
timer.unref()

new PerformanceObserver((list) => {
  const collections: readonly { duration: number; detail?: { kind?: number } }[] = list.getEntries()
  for (const { duration, detail } of collections) {
    longest.collectedMs = Math.max(longest.collectedMs, duration)
    if (detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR) longest.collectedWhole++
  }
}).observe({ entryTypes: ['gc'] })

process.on('SIGUSR2', () => {
  const seen = { n: ++asked, ...longest, p99Ms: delays.percentile(99) / 1e6 }
  process.stderr.write(`${mark}${JSON.stringify(seen)}\n`)
  longest = { ...nothing }
  delays.reset()
})
