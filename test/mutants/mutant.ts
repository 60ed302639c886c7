import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'

/** A slip that somebody could make, as data: one place in one file, and the tests that have to notice it. */
export interface Mutant {
  id: string
  /** What would go wrong. */
  says: string
  file: string
  /** Stands there exactly once. */
  was: string
  becomes: string
  /** Files and folders. */
  tests: readonly string[]
  /** Why nobody could notice it: then it is not tried. */
  equivalent?: string
}

export interface MutantList {
  /** Where they come from, and when they were written. */
  about: string
  mutants: readonly Mutant[]
}

export const lists = ['known', 'chosen'] as const
export type ListName = (typeof lists)[number]

export const readList = async (name: ListName): Promise<MutantList> =>
  JSON.parse(await readFile(join(import.meta.dirname, `${name}.json`), 'utf8'))

/** The text of the file with the slip in it. Throws where the source has moved on: then the list has to be mended. */
export function mutated(source: string, { id, file, was, becomes }: Mutant): string {
  const found = source.split(was).length - 1
  if (found !== 1) throw new Error(`${id}: "${was}" stands ${found} times in ${file}.`)
  const text = source.replace(was, () => becomes)
  const problems = ts.transpileModule(text, { reportDiagnostics: true, fileName: file }).diagnostics ?? []
  if (problems.length > 0) throw new Error(`${id}: what it becomes is no TypeScript.`)
  return text
}
