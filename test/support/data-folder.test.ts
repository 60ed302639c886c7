import { spawnSync } from 'node:child_process'
import { mkdir, rm, stat } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive, makeDataFolder, removeAbandoned } from './data-folder.ts'

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

test('what a run that was killed has left in memory goes with the next one, what lives stays', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  expect([isAlive(pid), isAlive(process.pid)]).toEqual([false, true])
  const mine = await makeDataFolder()
  onTestFinished(() => rm(mine, { recursive: true }))
  const left = mine.replace(`-${process.pid}-`, `-${pid}-`)
  await mkdir(left)
  onTestFinished(() => rm(left, { recursive: true, force: true }))
  await removeAbandoned()
  // Temporary files on a disk are the machine's to clear.
  expect([await exists(mine), await exists(left)]).toEqual([true, !left.startsWith('/dev/shm/')])
})
