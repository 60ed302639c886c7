#!/usr/bin/env node
// The one JavaScript file: it finds a Node that can run TypeScript directly, then hands over.
// A machine may come with an older Node; the `node` package among our development dependencies brings the right one.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

// What threads have freed stays with each of them (30 MB), and after the first large answer of a shop the C library would
// keep such pieces for itself, in a heap that is full of holes (50 MB). One heap, and large pieces go back when they are freed.
const memory = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '262144' }

// Whoever stops npm means us. It hands signals on to its child only, which is a shell where somebody else's script names
// us, and nothing at all when it is killed: so what npm, or the launcher below, has started ends when that is gone.
if (process.env.npm_lifecycle_event || process.env.ENTREPOT_LAUNCHED) endWithParents()

if (major > 22 || (major === 22 && minor >= 18)) {
  const args = process.argv.slice(2)
  // How much room young objects may have, and how the C library keeps memory, can only be said before a process begins.
  // Pages of a shop would fill all that there is, three times 16 MB; so a service or a worker that was started without a
  // word about it begins again in its own place.
  const room = '--max-semi-space-size'
  const isTold = Object.keys(memory).every((name) => process.env[name])
  const isSaid = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].some((option) => option.includes(room))
  if (['start', 'worker'].includes(args[0]) && !(isSaid && isTold) && process.execve) {
    const flags = isSaid ? process.execArgv : [`${room}=4`, ...process.execArgv]
    const command = [process.execPath, ...flags, ...process.argv.slice(1)]
    process.execve(process.execPath, command, { ...memory, ...process.env })
  }
  // An installed package holds what is left when types are taken away: Node does not do that below node_modules.
  const isInstalled = !existsSync(here('../src/main.ts'))
  const bundle = isInstalled ? null : currentBundle()
  const cache = here('../node_modules/.cache/entrepot')
  // Types are stripped and code is compiled once and kept. The first time in a process of its own, because the stripper
  // takes 30 MB that a long-lived process would never give back.
  const isFirst = !isInstalled && !bundle && !existsSync(cache) && !process.env.ENTREPOT_COMPILES
  if (isFirst) {
    const env = { ...process.env, ENTREPOT_COMPILES: '1' }
    spawnSync(process.execPath, [here('entrepot.js'), 'help'], { stdio: 'ignore', env })
  }
  module.enableCompileCache(cache)
  if (process.env.ENTREPOT_COMPILES) {
    await Promise.all(['../src/compose.ts', '../src/cli/start-primary.ts'].map((path) => import(path)))
  }
  // Objects of a query that were long under way once would from then on all be made in the old generation, where each
  // keeps its rows alive until the next full collection.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // What loading leaves behind must not make room for itself; `start` lets the young generation grow once it serves.
  setFlagsFromString('--semi-space-growth-factor=1')
  await import(bundle ?? (isInstalled ? '../dist/main.js' : '../src/main.ts'))
  // What was stripped and compiled is kept now and not only on the way out, which a process that is killed never takes.
  module.flushCompileCache?.()
} else {
  const node = here('../node_modules/node/bin/node')
  if (!existsSync(node)) {
    process.stderr.write(`Entrepot needs Node 22.18 or newer; this is ${process.versions.node}.\n`)
    process.exit(1)
  }
  const child = spawn(node, ['--max-semi-space-size=4', here('entrepot.js'), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...memory, ...process.env, ENTREPOT_LAUNCHED: '1' },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

/** What npm has just made of the sources (scripts/build-program.ts): it loads in half of the time, and takes a third less memory. */
function currentBundle() {
  if (process.env.npm_lifecycle_event !== 'start' || process.env.npm_package_name !== 'entrepot') return null
  const folder = here('../node_modules/.cache/entrepot-program')
  try {
    const main = `${folder}/${readFileSync(`${folder}/current`, 'utf8')}/dist/main.js`
    return existsSync(main) ? pathToFileURL(main).href : null
  } catch {
    return null
  }
}

function endWithParents() {
  const parents = parentsUpToNpm()
  const watch = setInterval(() => {
    if (parentsUpToNpm() === parents) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGHUP')
  }, 500)
  watch.unref()
}

/** The parent, and where that is a shell the one who started it, which only Linux says without a further process. */
function parentsUpToNpm() {
  const parent = process.ppid
  try {
    const [, name, grandparent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${parent}/stat`, 'utf8')) ?? []
    return /^(?:da|ba)?sh$/.test(name) ? `${parent} ${grandparent}` : `${parent}`
  } catch {
    return `${parent}`
  }
}
