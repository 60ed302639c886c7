import type { Route } from './router.ts'

/** Every page there is, one line each. */
export const routes: readonly Route[] = []
