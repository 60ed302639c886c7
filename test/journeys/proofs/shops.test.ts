import { proveQuickly } from './quickly.ts'

proveQuickly('shops')
