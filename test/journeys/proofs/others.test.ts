import { proveQuickly } from './quickly.ts'

proveQuickly('others')
