import { defineConfig } from 'vitest/config'
import { waitMs } from './test/support/patience.ts'
import { SlowFirst } from './test/support/slow-first.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts'],
    exclude: ['test/prove/**', 'test/stores/**', 'node_modules/**'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/per-file.ts'],
    pool: 'forks',
    // More than there are cores: half of the time a file waits for a socket, a job or the browser.
    maxWorkers: 4,
    // Half of the time would go into loading the same modules again for each file. Files share nothing else: each has a
    // database of its own, and leaves the process as it found it.
    isolate: false,
    sequence: { sequencer: SlowFirst },
    // These end what hangs; of what is waited for, `patience.ts` speaks.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Whoever asks the API whether something is done takes the time of whoever does it.
    expect: { poll: { timeout: waitMs, interval: 100 } },
  },
})
