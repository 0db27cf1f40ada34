import { defineDomain } from '../../domain.ts'
import { deleteEndedOperatorSessions } from './sessions.ts'

export default defineDomain({
  routes: {},
  handlers: {},
  deleteExpired: deleteEndedOperatorSessions,
})
