import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const script = join(import.meta.dirname, '../../../test/support/turns-alone.ts')

test('heavy work rests beside others, and goes on at once where it is alone', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script])
  const { alone, beside, afterwards } = JSON.parse(stdout)
  expect(alone).toBeLessThanOrEqual(2)
  expect(beside).toBeGreaterThan(10)
  expect(afterwards).toBeGreaterThan(10)
})
