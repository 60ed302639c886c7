import { proveQuickly } from './quickly.ts'

proveQuickly('processes')
