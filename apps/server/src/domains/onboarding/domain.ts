import { onboardingRoutes } from '@coffer/contract/onboarding/routes.ts'
import { defineDomain } from '../../domain.ts'
import { onboardingHandlers } from './routes.ts'

export default defineDomain({
  routes: onboardingRoutes,
  handlers: onboardingHandlers,
})
