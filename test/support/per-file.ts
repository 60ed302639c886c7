import { afterAll, afterEach, expect, inject } from 'vitest'
import { forgetShops } from '../../src/connectors/sandbox/in-process/answer.ts'
import { beginAnew } from './numbers.ts'
import { listenForRefusals, takeRefused } from './refused-statements.ts'
import { takeWarnings } from './warnings.ts'

/** Runs before each test file, also where files share their modules: none finds what another has left behind. */
beginAnew()
forgetShops()

afterEach(({ task }) => {
  const said = takeWarnings()
  if (task.result?.state === 'fail' && said !== '') process.stderr.write(`The servers of “${task.name}” said:\n${said}`)
})

if (inject('onCitus')) {
  listenForRefusals()
  afterAll(() => expect(takeRefused()).toEqual([]))
}
