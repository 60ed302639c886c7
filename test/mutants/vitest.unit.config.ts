import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = join(import.meta.dirname, '../..')
const tests = process.env['MUTANTS_TESTS']?.split(',') ?? []

/** As they are named: what those before have noticed, those behind need not try. */
class AsNamed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const places = new Map(tests.map((test, place) => [join(root, test), place]))
    const placeOf = ({ moduleId }: TestSpecification) => places.get(moduleId) ?? tests.length
    return files.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

/** For tests that need nothing but the code that they are about: no database, no page that has to be built. */
export default defineConfig({
  root,
  test: {
    include: tests,
    runner: join(import.meta.dirname, 'mutant-runner.ts'),
    sequence: { sequencer: AsNamed },
    pool: 'forks',
    maxWorkers: Number(process.env['MUTANTS_JOBS'] ?? 1),
    isolate: true,
    // What a slip lets hang has been noticed.
    testTimeout: 20_000,
  },
})
