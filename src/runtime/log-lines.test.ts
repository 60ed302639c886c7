import { execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createLog } from './log.ts'
import { gatherLines } from './log-lines.ts'

test('lines of one turn are written together, and what has gone wrong at once with all that came before it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'entrepot-log-'))
  const file = join(folder, 'log')
  const log = createLog('info', gatherLines(openSync(file, 'a')))
  const written = async () =>
    (await readFile(file, 'utf8')).split('\n').flatMap((line) => (line ? [JSON.parse(line).msg] : []))
  log.info('one')
  log.warn('two')
  expect(readFileSync(file, 'utf8')).toBe('')
  await nextTurn()
  expect(await written()).toEqual(['one', 'two'])
  log.info('three')
  log.error('four')
  expect(readFileSync(file, 'utf8')).toContain('four')
  expect(await written()).toEqual(['one', 'two', 'three', 'four'])
  await rm(folder, { recursive: true })
})

/** Writes a line every few milliseconds, and says on its other way out how many it has written. */
const program = `
  import { createLog } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))}
  const log = createLog('info')
  let n = 0
  setInterval(() => {
    for (let more = 0; more < 20; more++) log.error({ filler: 'x'.repeat(2000) }, String(++n))
    process.stderr.write(n + '\\n')
  }, 5)
  process.on('SIGTERM', () => process.exit(0))`

/** With a pipe for its log, as a container or a shell has it. */
async function start() {
  const folder = await mkdtemp(join(tmpdir(), 'entrepot-log-'))
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(pipe, constants.O_WRONLY)
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', writer, 'pipe'] })
  closeSync(writer)
  await rm(folder, { recursive: true })
  let written = 0
  child.stderr?.on('data', (text) => {
    written = Number(String(text).trim().split('\n').at(-1))
  })
  return { child, reader, written: () => written }
}

const ended = (child: ReturnType<typeof spawn>) => new Promise((resolve) => child.once('exit', resolve))

describe('nobody waits for a log', () => {
  test('a process whose reader has gone goes on, and ends when it is told to', async () => {
    const { child, reader, written } = await start()
    await expect.poll(written).toBeGreaterThan(0)
    closeSync(reader)
    const before = written()
    await expect.poll(written).toBeGreaterThan(before + 1000)
    child.kill('SIGTERM')
    expect(await ended(child)).toBe(0)
  })

  test('a reader who stops for a while is told how many lines were lost when it goes on', async () => {
    const { child, reader, written } = await start()
    // More than waits for anybody.
    await expect.poll(written).toBeGreaterThan(6000)
    let text = ''
    new Socket({ fd: reader }).on('data', (more) => {
      text += String(more)
    })
    await expect.poll(() => text.includes('were lost')).toBe(true)
    child.kill('SIGTERM')
    await ended(child)
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const numbers = lines.flatMap(({ msg }) => (/^\d+$/.test(msg) ? [Number(msg)] : []))
    const lost = lines.reduce((sum, line) => sum + (line.lines ?? 0), 0)
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(numbers.length + lost).toBe(numbers.at(-1))
  })

  test('a full disk takes nothing, and stops nobody', async () => {
    const log = createLog('info', gatherLines(openSync('/dev/full', 'w')))
    log.error('one')
    log.info('two')
    await nextTurn()
    log.error('three')
  })
})
