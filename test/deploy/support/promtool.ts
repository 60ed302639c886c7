import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Prometheus' own checker: one that is there, or Debian's, taken out of its package once, so that no daemon is installed. */

const cache = join(import.meta.dirname, '../../../node_modules/.cache/prometheus')
const places = [
  process.env['PROMTOOL_PATH'],
  '/usr/bin/promtool',
  '/usr/local/bin/promtool',
  join(cache, 'usr/bin/promtool'),
]

const findPromtool = () => places.find((path) => path !== undefined && existsSync(path))

export function promtool(): string {
  const found = findPromtool() ?? fetchPromtool()
  if (found) return found
  throw new Error('The tests of alerts need promtool: install Prometheus, or name it in PROMTOOL_PATH.')
}

function fetchPromtool(): string | undefined {
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg-deb')) return undefined
  rmSync(cache, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true })
  execFileSync('apt-get', ['download', 'prometheus'], { cwd: cache, stdio: 'pipe' })
  const file = readdirSync(cache).find((name) => name.endsWith('.deb')) ?? ''
  execFileSync('dpkg-deb', ['--extract', file, '.'], { cwd: cache, stdio: 'pipe' })
  rmSync(join(cache, file))
  return findPromtool()
}
