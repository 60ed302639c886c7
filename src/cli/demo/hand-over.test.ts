import { rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeDataFolder } from '../../../test/support/data-folder.ts'
import { answerDemos, askForDemo } from './hand-over.ts'
import type { MadeDemo } from './make-demo.ts'

let dataDir: string
let place: { dataDir: string; databaseUrl: string | null }
const closing: (() => Promise<void>)[] = []
beforeEach(async () => {
  dataDir = await makeDataFolder()
  place = { dataDir, databaseUrl: null }
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await rm(dataDir, { recursive: true, force: true })
})

const madeOf = (seed: string) => ({ seed }) as MadeDemo
async function answer(make = async (seed: string) => madeOf(seed)) {
  const close = await answerDemos(place, make)
  closing.push(close)
  return close
}

test('the service that runs is asked, by nobody but its owner', async () => {
  await answer()
  expect(await askForDemo(place, 'abc')).toEqual({ seed: 'abc' })
  expect((await stat(join(dataDir, 'demo.sock'))).mode & 0o777).toBe(0o600)
})

test('where none runs, or one that was killed, nobody answers', async () => {
  expect(await askForDemo(place, 'abc')).toBeNull()
  await writeFile(join(dataDir, 'demo.sock'), '')
  expect(await askForDemo(place, 'abc')).toBeNull()
  await answer()
  expect(await askForDemo(place, 'abc')).toEqual({ seed: 'abc' })
})

test('a data folder that is not there yet is made', async () => {
  place = { dataDir: join(dataDir, 'new', 'folder'), databaseUrl: null }
  await answer()
  expect(await askForDemo(place, 'abc')).toEqual({ seed: 'abc' })
})

test('a service with another database is not the one that is meant', async () => {
  let made = 0
  await answer(async (seed) => {
    made++
    return madeOf(seed)
  })
  expect(await askForDemo({ dataDir, databaseUrl: 'postgres://elsewhere/db' }, 'abc')).toBeNull()
  expect(made).toBe(0)
})

test('what goes wrong there is said here', async () => {
  await answer(async () => {
    throw new Error('No room for more shops.')
  })
  await expect(askForDemo(place, 'abc')).rejects.toThrow('No room for more shops.')
})

test('nonsense is refused, and whoever hangs up harms nobody', async () => {
  await answer()
  const say = async (words: string) => {
    const socket = connect(join(dataDir, 'demo.sock'))
    socket.end(words)
    return await text(socket)
  }
  expect(await say('nonsense\n')).toContain('refused')
  expect(await say('x'.repeat(2000))).toContain('That is no question for a demo.')
  connect(join(dataDir, 'demo.sock')).destroy()
  expect(await askForDemo(place, 'abc')).toEqual({ seed: 'abc' })
})

test('what is being made is finished before the service goes', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: go, resolve: finish } = Promise.withResolvers<void>()
  const close = await answer(async (seed) => {
    begin()
    await go
    return madeOf(seed)
  })
  const asked = askForDemo(place, 'abc')
  await begun
  let isClosed = false
  const closed = close().then(() => {
    isClosed = true
  })
  expect(isClosed).toBe(false)
  finish()
  expect(await asked).toEqual({ seed: 'abc' })
  await closed
  expect(await askForDemo(place, 'abc')).toBeNull()
})
