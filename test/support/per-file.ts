import { afterAll, expect, inject } from 'vitest'
import { forgetShops } from '../../src/connectors/sandbox/in-process/answer.ts'
import { beginAnew } from './numbers.ts'
import { listenForRefusals, takeRefused } from './refused-statements.ts'

/** Runs before each test file, also where files share their modules: none finds what another has left behind. */
beginAnew()
forgetShops()

if (inject('onCitus')) {
  listenForRefusals()
  afterAll(() => expect(takeRefused()).toEqual([]))
}
