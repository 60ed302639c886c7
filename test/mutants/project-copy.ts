import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export const project = join(import.meta.dirname, '../..')

/** The project as it stands, changes that are not committed included, at a place where it may be broken. */
export interface ProjectCopy {
  path: string
  /** With another text in one of its files for as long as the work takes. */
  withFile<T>(file: string, text: string, work: () => Promise<T>): Promise<T>
  remove(): Promise<void>
}

export async function copyProject(): Promise<ProjectCopy> {
  const path = await mkdtemp(join(tmpdir(), 'entrepot-mutants-'))
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'],
    {
      cwd: project,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    },
  )
  const deleted = execFileSync('git', ['ls-files', '-z', '--deleted'], { cwd: project, encoding: 'utf8' })
  const gone = new Set(deleted.split('\0'))
  for (const file of listed.split('\0').filter((name) => name !== '' && name !== 'node_modules' && !gone.has(name))) {
    await mkdir(dirname(join(path, file)), { recursive: true })
    await cp(join(project, file), join(path, file))
  }
  await symlink(join(project, 'node_modules'), join(path, 'node_modules'))
  return {
    path,
    async withFile(file, text, work) {
      const place = join(path, file)
      const before = await readFile(place, 'utf8')
      await writeFile(place, text)
      try {
        return await work()
      } finally {
        await writeFile(place, before)
      }
    },
    remove: () => rm(path, { recursive: true, force: true }),
  }
}
