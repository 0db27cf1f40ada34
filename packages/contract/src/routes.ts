import { addressBookRoutes } from './address-book.ts'
import { addressRoutes, rechargeRoutes } from './addresses.ts'
import { applicationRoutes } from './applications.ts'
import { approvalRoutes } from './approvals.ts'
import { billingRoutes } from './billing.ts'
import { callbackRoutes } from './callbacks.ts'
import { chainRoutes } from './chains.ts'
import { destinationRoutes } from './destinations.ts'
import { factorRoutes } from './factors.ts'
import { fundFlowRoutes } from './fund-flow.ts'
import { identityRoutes, publicRoutes } from './identity.ts'
import { notificationRoutes, pushRoutes } from './notifications.ts'
import { onboardingRoutes } from './onboarding.ts'
import { checkoutRoutes, payRoutes } from './pay.ts'
import { paymentLinkKeyRoutes, paymentLinkRoutes } from './payment-links.ts'
import { paymentRoutes } from './payments.ts'
import { refundKeyRoutes, withdrawalKeyRoutes } from './payouts.ts'
import { pictureRoutes } from './pictures.ts'
import { policyRoutes } from './policies.ts'
import { priceRoutes } from './prices.ts'
import { refundLinkRoutes } from './refund-links.ts'
import { refundRoutes } from './refunds.ts'
import { shopRoutes } from './shops.ts'
import { statisticsKeyRoutes, statisticsRoutes } from './statistics.ts'
import { sweepRoutes } from './sweeps.ts'
import { transferRoutes } from './transfers.ts'
import { webhookEndpointRoutes } from './webhook-endpoints.ts'
import { withdrawalRoutes } from './withdrawals.ts'
import { workOrderRoutes } from './work-orders.ts'

/** The whole API in one table: 'METHOD /path' -> authentication, input and output. */
export const routes = {
  ...publicRoutes,
  ...identityRoutes,
  ...factorRoutes,
  ...onboardingRoutes,
  ...pictureRoutes,
  ...applicationRoutes,
  ...shopRoutes,
  ...statisticsRoutes,
  ...chainRoutes,
  ...addressRoutes,
  ...rechargeRoutes,
  ...addressBookRoutes,
  ...fundFlowRoutes,
  ...billingRoutes,
  ...transferRoutes,
  ...paymentRoutes,
  ...paymentLinkRoutes,
  ...refundRoutes,
  ...refundLinkRoutes,
  ...policyRoutes,
  ...destinationRoutes,
  ...withdrawalRoutes,
  ...approvalRoutes,
  ...sweepRoutes,
  ...callbackRoutes,
  ...webhookEndpointRoutes,
  ...workOrderRoutes,
  ...notificationRoutes,
  ...pushRoutes,
  ...priceRoutes,
  ...payRoutes,
  ...paymentLinkKeyRoutes,
  ...statisticsKeyRoutes,
  ...withdrawalKeyRoutes,
  ...refundKeyRoutes,
  ...checkoutRoutes,
}
