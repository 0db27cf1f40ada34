import { destinationRoutes } from '@coffer/contract/destinations/routes.ts'
import { defineDomain } from '../../domain.ts'
import { explainDestination } from './explain-destination.ts'

export default defineDomain({
  routes: destinationRoutes,
  handlers: {
    'GET /api/v1/account/address-valid': ({ deps, session: { merchantId }, query }) => {
      const { currency_id: chainId, token_id: tokenId, address } = query
      return explainDestination(deps, { merchantId, chainId, tokenId, address })
    },
  },
})
