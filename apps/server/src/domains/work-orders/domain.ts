import { workOrderRoutes } from '@coffer/contract/work-orders/routes.ts'
import { defineDomain } from '../../domain.ts'
import { deleteOldPictures } from './pictures.ts'
import { workOrderHandlers } from './routes.ts'

export default defineDomain({
  routes: workOrderRoutes,
  handlers: workOrderHandlers,
  deleteExpired: deleteOldPictures,
})
