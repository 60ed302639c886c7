import { enableCompileCache, flushCompileCache } from 'node:module'
import { workerData } from 'node:worker_threads'
import { yieldProcessor } from '../../runtime/threads/yield-processor.ts'
import type { ThreadData } from './calls.ts'

yieldProcessor()
/** What the main thread has compiled is not compiled again; a thread has to be told where that is before it loads anything. */
const { compiled } = workerData as ThreadData
if (compiled !== undefined) enableCompileCache(compiled)
await import('./run-thread.ts')
flushCompileCache()
