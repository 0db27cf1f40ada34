import { defineDomain } from '../../domain.ts'
import { forgetOperatorSessions } from './sessions.ts'

export default defineDomain({
  routes: {},
  handlers: {},
  deleteExpired: forgetOperatorSessions,
})
