import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDataFolder } from '../support/data-folder.ts'
import { freePort, printed, runEntrepot, runShell, startEntrepot, stop } from '../support/process.ts'

/** What somebody does who has just cloned the project. */
describe('first steps', () => {
  let folder: string
  let env: Record<string, string>

  beforeAll(async () => {
    folder = await makeDataFolder()
    env = { PORT: String(await freePort()), LOG_LEVEL: 'warn' }
  })
  /** Asks without a pause, so that nothing comes in between. */
  async function fileWhenReady(): Promise<string> {
    const isReady = () =>
      fetch(`http://127.0.0.1:${env['PORT']}/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isReady()));
    return await readFile(join(folder, '.data', 'first-steps.env'), 'utf8').catch(() => 'not there')
  }
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('start, the calls of the README, stop, and start again', async () => {
    const first = startEntrepot(['start'], { env, cwd: folder })
    const [welcome, atReady] = await Promise.all([printed(first, 'Stop with Ctrl-C'), fileWhenReady()])
    // Whoever waits until it is ready can sign in.
    expect(atReady).toContain('ENTREPOT_CLIENT_SECRET=')
    expect(welcome).toContain(`Entrepot runs at http://127.0.0.1:${env['PORT']}`)
    // What is printed elsewhere than on a terminal is kept by somebody: the password is in the file alone.
    expect(welcome).toContain('first-steps.env')
    const kept = await readFile(join(folder, '.data', 'first-steps.env'), 'utf8')
    expect(welcome).not.toContain(/ENTREPOT_PASSWORD='(.+)'/.exec(kept)?.[1])

    const { stdout, stderr, code } = await runShell(await readmeCalls(), { cwd: folder })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [me, app] = stdout
      .trim()
      .split(/(?<=\})(?=\{)/)
      .map((text) => JSON.parse(text))
    expect(me.data).toMatchObject({ email: 'admin@entrepot.local', roles: ['admin'] })
    expect(app.data).toMatchObject({ name: 'My order manager', active: true })

    // The command line works beside a running server, on the same embedded database.
    const beside = await runEntrepot(['create-user', '--email', 'eve@example.com', '--json'], { env, cwd: folder })
    expect(beside.code).toBe(0)

    expect(await stop(first)).toBe(0)
    const second = startEntrepot(['start'], { env, cwd: folder })
    expect(await printed(second, 'Stop with Ctrl-C')).toContain('first-steps.env')
    const again = await runShell(await readmeCalls(), { cwd: folder })
    expect(again.code).toBe(0)
    expect(await stop(second)).toBe(0)

    // And while it is stopped.
    const stopped = await runEntrepot(['create-user', '--email', 'mallory@example.com', '--json'], { env, cwd: folder })
    expect(stopped.code).toBe(0)
  })
})

async function readmeCalls(): Promise<string> {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const block = /```sh\n(\. \.\/\.data\/first-steps\.env[\s\S]*?)```/.exec(readme)
  if (!block?.[1]) throw new Error('The README shows no first calls.')
  return block[1]
}
