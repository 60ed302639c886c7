import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { firstLogin } from '../../src/cli/first-login.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { createTestContext, type TestContext } from '../support/context.ts'

let opened: TestContext
let dataDir: string
let config: Config
const terminal = Object.getOwnPropertyDescriptor(process.stdout, 'isTTY')
beforeEach(async () => {
  opened = await createTestContext('nobody')
  dataDir = await mkdtemp(join(tmpdir(), 'entrepot-first-login-'))
  config = readConfig({ ENTREPOT_DATA_DIR: dataDir, NODE_ENV: 'development' })
})
afterEach(async () => {
  if (terminal) Object.defineProperty(process.stdout, 'isTTY', terminal)
  else Reflect.deleteProperty(process.stdout, 'isTTY')
  await opened.close()
  await rm(dataDir, { recursive: true })
})

const printTo = (isTTY: boolean) => Object.defineProperty(process.stdout, 'isTTY', { value: isTTY, configurable: true })

async function madePassword(): Promise<string> {
  const path = join(dataDir, 'first-steps.env')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const [, password = ''] = /ENTREPOT_PASSWORD='(.+)'/.exec(await readFile(path, 'utf8')) ?? []
  expect(password.length).toBeGreaterThanOrEqual(20)
  return password
}

test('the first password is shown on a terminal, once', async () => {
  printTo(true)
  const said = await firstLogin(opened.context, config)
  expect(said).toContain(await madePassword())
  expect(await firstLogin(opened.context, config)).not.toContain(await madePassword())
})

test('what is no terminal is told where the password is, and not what it is', async () => {
  printTo(false)
  const said = await firstLogin(opened.context, config)
  expect(said).toContain(dataDir)
  expect(said).not.toContain(await madePassword())
})
