import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { changelogOf } from './api-changes/changelog.ts'
import { releasedPath, snapshotOf } from './api-changes/released.ts'
import { comesAfter, notesOf, released } from './changelog.ts'

/**
 * npm run release -- 0.2.0         in the folder of the repository: version, changelog and chart, a commit, and a tag with the notes.
 * npm run release -- --notes 0.2.0 prints the notes of a version.
 * Nothing leaves this machine: pushing the tag is a decision of its own.
 */
const { values, positionals } = parseArgs({ options: { notes: { type: 'string' } }, allowPositionals: true })
const packages = ['package.json', 'packages/client/package.json']
const changed = [
  'CHANGELOG.md',
  releasedPath,
  'docs/api/accepted-breaks.json',
  'docs/guides/api-changelog.md',
  ...packages,
  'package-lock.json',
  'deploy/helm/entrepot/Chart.yaml',
]

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()

async function rewrite(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, 'utf8')))
}

async function release(version: string): Promise<void> {
  const { version: now } = JSON.parse(await readFile('package.json', 'utf8'))
  if (!comesAfter(version, now))
    throw new Error(`A release comes after ${now}, as three numbers; "${version}" does not.`)
  if (git('status', '--porcelain') !== '') throw new Error('Commit first: a release holds nothing else.')
  await rewrite('CHANGELOG.md', (text) => released(text, version, new Date().toISOString().slice(0, 10)))
  for (const path of packages) {
    await rewrite(path, (text) => text.replace(`"version": "${now}"`, `"version": "${version}"`))
  }
  // In the lock file: for the file, for the package at its root, and for the client library.
  await rewrite('package-lock.json', (text) =>
    text.replace(
      new RegExp(`("name": "(?:entrepot|@entrepot/client)",\\s+"version": )"${RegExp.escape(now)}"`, 'g'),
      (_, before) => `${before}"${version}"`,
    ),
  )
  await rewrite('deploy/helm/entrepot/Chart.yaml', (text) =>
    text.replace(/^(version|appVersion): .*$/gm, (_, name) => `${name}: ${version}`),
  )
  // From now on the API is compared with this one.
  const document = JSON.parse(await readFile('docs/api/openapi.json', 'utf8'))
  await writeFile(releasedPath, snapshotOf(document))
  await writeFile('docs/api/accepted-breaks.json', '{}\n')
  await writeFile('docs/guides/api-changelog.md', changelogOf([], {}))
  git('add', ...changed)
  git('commit', '-m', `chore: release ${version}`)
  const notes = notesOf(await readFile('CHANGELOG.md', 'utf8'), version)
  // "#" begins no comment here: the notes have headings.
  git('tag', '--annotate', '--cleanup=whitespace', `v${version}`, '-m', `Entrepot ${version}\n\n${notes}`)
  process.stdout.write(`v${version} is tagged. Push it with: git push --follow-tags\n`)
}

try {
  if (values.notes) process.stdout.write(`${notesOf(await readFile('CHANGELOG.md', 'utf8'), values.notes)}\n`)
  else await release(positionals[0] ?? '')
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
