import { beginAnew } from './numbers.ts'

/** Runs before each test file, also where files share their modules. */
beginAnew()
