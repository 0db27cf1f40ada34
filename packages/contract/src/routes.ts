import { addressBookRoutes } from './address-book/routes.ts'
import { addressRoutes, rechargeRoutes } from './addresses/routes.ts'
import { applicationRoutes } from './applications/routes.ts'
import { approvalRoutes } from './approvals/routes.ts'
import { billingRoutes } from './billing/routes.ts'
import { webhookEndpointRoutes } from './callbacks/endpoints.ts'
import { callbackRoutes } from './callbacks/routes.ts'
import { chainRoutes } from './chains/routes.ts'
import { destinationRoutes } from './destinations/routes.ts'
import { fundFlowRoutes } from './fund-flow/routes.ts'
import { factorRoutes } from './identity/factors.ts'
import { identityRoutes, publicRoutes } from './identity/routes.ts'
import { memberKeyRoutes } from './members/key-routes.ts'
import { memberRoutes } from './members/routes.ts'
import { messageChannelRoutes } from './notifications/channel-routes.ts'
import { notificationRoutes, pushRoutes } from './notifications/routes.ts'
import { messageSettingRoutes } from './notifications/setting-routes.ts'
import { onboardingRoutes } from './onboarding/routes.ts'
import { paymentLinkKeyRoutes, paymentLinkRoutes } from './payment-links/routes.ts'
import { checkoutRoutes } from './payments/checkout.ts'
import { payRoutes } from './payments/key-routes.ts'
import { paymentRoutes } from './payments/routes.ts'
import { pictureRoutes } from './pictures/routes.ts'
import { policyRoutes } from './policies/routes.ts'
import { priceRoutes } from './prices/routes.ts'
import { proofRoutes } from './proof/routes.ts'
import { refundLinkRoutes } from './refunds/links.ts'
import { refundRoutes } from './refunds/routes.ts'
import { shopRoutes } from './shops/routes.ts'
import { statisticsKeyRoutes, statisticsRoutes } from './statistics/routes.ts'
import { sweepRoutes } from './sweeps/routes.ts'
import { transferRoutes } from './transfers/routes.ts'
import { refundKeyRoutes, withdrawalKeyRoutes } from './withdrawals/key-routes.ts'
import { withdrawalRoutes } from './withdrawals/routes.ts'
import { workOrderRoutes } from './work-orders/routes.ts'

/** The whole API in one table: 'METHOD /path' -> authentication, input and output. */
export const routes = {
  ...publicRoutes,
  ...identityRoutes,
  ...factorRoutes,
  ...memberRoutes,
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
  ...messageChannelRoutes,
  ...messageSettingRoutes,
  ...priceRoutes,
  ...proofRoutes,
  ...payRoutes,
  ...paymentLinkKeyRoutes,
  ...statisticsKeyRoutes,
  ...withdrawalKeyRoutes,
  ...refundKeyRoutes,
  ...memberKeyRoutes,
  ...checkoutRoutes,
}
