import { appsRoute } from './pages/apps.ts'
import { overviewRoute } from './pages/overview.ts'
import type { Route } from './router.ts'

/** Every page there is, one line each. */
export const routes: readonly Route[] = [overviewRoute, appsRoute]
