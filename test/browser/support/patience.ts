import { vi } from 'vitest'

/** A browser takes its time where everything else has to run on the same two cores. */
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })
