import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { chooseUser } from './embedded-user.ts'

let closed: string
let file: string
beforeEach(() => {
  closed = mkdtempSync(join(tmpdir(), 'entrepot-closed-'))
  file = join(closed, 'given')
  writeFileSync(file, 'given', { mode: 0o600 })
})
afterEach(() => rmSync(closed, { recursive: true, force: true }))

/** As whom a program runs, what it may do beyond that, and how it ended. */
function run(path: string, script: string) {
  const { program, args, options } = chooseUser([path]).command('sh', ['-c', script])
  const { status, stdout } = spawnSync(program, [...args], { ...options, encoding: 'utf8' })
  return { status, text: String(stdout).trim() }
}

const rights = "grep -E '^(Uid|CapEff)' /proc/self/status | tr -s '[:space:]' ' '"

describe.skipIf(process.getuid?.() !== 0)('root', () => {
  test('lends PostgreSQL a user without any right of its own', () => {
    chmodSync(closed, 0o755)
    expect(run(file, rights).text).toMatch(/^Uid: ([1-9]\d*) \1 \1 \1 CapEff: 0{16}$/)
    expect(run(file, `cat ${file}`).status).not.toBe(0)
  })

  test('lets that user pass closed folders, and do nothing else there', () => {
    expect(run(file, rights).text).toMatch(/^Uid: ([1-9]\d*) \1 \1 \1 CapEff: 0{15}4$/)
    expect(run(file, `ls ${closed}`)).toEqual({ status: 0, text: 'given' })
    for (const script of [`echo more >> ${file}`, `touch ${closed}/new`, `rm ${file}`, 'kill -0 1']) {
      expect(run(file, script).status, script).not.toBe(0)
    }
  })
})
