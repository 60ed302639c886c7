import { execFileSync, spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { compareApis } from '../../scripts/api-changes/compare.ts'
import { comesAfter, notesOf, released } from '../../scripts/changelog.ts'
import { version } from '../../src/version.ts'
import { runEntrepot } from '../support/process.ts'

const root = join(import.meta.dirname, '../..')
const changelog = '# Changelog\n\n## Unreleased\n\n### API\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n'

describe('the changelog', () => {
  test('gives what is unreleased a version and a day', () => {
    const after = released(changelog, '0.2.0', '2026-02-03')
    expect(notesOf(after, 'Unreleased')).toBe('')
    expect(notesOf(after, '0.2.0')).toBe('### API\n\n- New.')
    expect(notesOf(after, '0.1.0')).toBe('- First.')
    expect(() => released(after, '0.3.0', '2026-02-04')).toThrow('nothing unreleased')
    expect(() => notesOf(after, '0.3.0')).toThrow('no heading')
  })

  test('of this repository has something below "Unreleased"', async () => {
    expect(notesOf(await readFile(join(root, 'CHANGELOG.md'), 'utf8'), 'Unreleased')).not.toBe('')
  })

  test.each([
    ['0.2.0', '0.1.9', true],
    ['0.10.0', '0.9.0', true],
    ['0.1.0', '0.1.0', false],
    ['0.1.0', '0.2.0', false],
    ['next', '0.1.0', false],
  ])('%s after %s: %s', (next, now, answer) => {
    expect(comesAfter(next, now)).toBe(answer)
  })
})

describe('npm run release', () => {
  let folder: string
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  const release = (...args: string[]) =>
    spawnSync(process.execPath, [join(root, 'scripts/release.ts'), ...args], { cwd: folder, encoding: 'utf8' })
  const read = (path: string) => readFile(join(folder, path), 'utf8')

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'entrepot-release-'))
    for (const path of [
      ...['package.json', 'packages/client/package.json', 'package-lock.json', 'deploy/helm/entrepot/Chart.yaml'],
      ...['docs/api/openapi.json', 'docs/api/released.json', 'docs/api/accepted-breaks.json'],
      'docs/guides/api-changelog.md',
    ]) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await cp(join(root, path), join(folder, path))
    }
    await writeFile(join(folder, 'CHANGELOG.md'), changelog)
    git('init', '--quiet')
    git('config', 'user.name', 'Ada')
    git('config', 'user.email', 'ada@example.com')
    git('add', '.')
    git('commit', '--quiet', '-m', 'chore: begin')
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  test('sets the version everywhere, and tags it with its notes', async () => {
    expect(release('99.0.0')).toMatchObject({ status: 0, stderr: '' })
    expect(git('status', '--porcelain')).toBe('')
    expect(JSON.parse(await read('package.json')).version).toBe('99.0.0')
    const lock = JSON.parse(await read('package-lock.json'))
    const client = lock.packages['packages/client']
    expect([lock.version, lock.packages[''].version, client.version]).toEqual(['99.0.0', '99.0.0', '99.0.0'])
    expect(JSON.parse(await read('packages/client/package.json')).version).toBe('99.0.0')
    expect(await read('deploy/helm/entrepot/Chart.yaml')).toMatch(/^version: 99\.0\.0$[\s\S]*^appVersion: 99\.0\.0$/m)
    const document = JSON.parse(await read('docs/api/openapi.json'))
    expect(compareApis(JSON.parse(await read('docs/api/released.json')), document)).toEqual([])
    expect(await read('docs/guides/api-changelog.md')).not.toMatch(/^- /m)
    expect(git('tag', '--list', '--format=%(contents)', 'v99.0.0')).toBe('Entrepot 99.0.0\n\n### API\n\n- New.')
    expect(release('--notes', '99.0.0').stdout).toBe('### API\n\n- New.\n')
  })

  test('refuses a version that is none, or is not new, and a folder with changes', async () => {
    expect(release(version)).toMatchObject({ status: 1, stderr: expect.stringContaining('comes after') })
    await writeFile(join(folder, 'CHANGELOG.md'), `${changelog}\n`)
    expect(release('99.0.0')).toMatchObject({ status: 1, stderr: expect.stringContaining('Commit first') })
    expect(git('tag', '--list')).toBe('')
  })
})

test('entrepot --version says which it is', async () => {
  expect(await runEntrepot(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` })
})
