import { forgetShops } from '../../src/connectors/sandbox/in-process/answer.ts'
import { beginAnew } from './numbers.ts'

/** Runs before each test file, also where files share their modules: none finds what another has left behind. */
beginAnew()
forgetShops()
