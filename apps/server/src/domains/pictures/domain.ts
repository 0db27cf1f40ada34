import { pictureRoutes } from '@coffer/contract/pictures/routes.ts'
import { defineDomain } from '../../domain.ts'
import { mountUploads, pictureHandlers } from './routes.ts'

export default defineDomain({
  routes: pictureRoutes,
  handlers: pictureHandlers,
  mount: mountUploads,
})
