import type { TestProject } from 'vitest/node'
// For what it declares: the tests ask for the same.
import type {} from '../support/global-setup.ts'

export const databaseVariable = 'MUTANTS_DATABASE'

export default function setup(project: TestProject): void {
  const url = process.env[databaseVariable]
  if (url === undefined) throw new Error(`${databaseVariable} names no database: use npm run mutate.`)
  project.provide('templateUrl', url)
  project.provide('emptyDatabase', 'template1')
  project.provide('onCitus', false)
}
