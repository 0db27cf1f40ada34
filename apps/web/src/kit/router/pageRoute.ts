import type { Area } from '../../i18n/areas.ts'
import type { ListPlace } from '../list/search.ts'

/** A page of the back-office or the console, as its table of routes declares it. */
export interface PageRoute {
  path: string
  /** Loaded in parallel with the page's code. */
  messages?: readonly Area[]
  /** Validates the search parameters: filters of a list and the open details. */
  search?: (raw: Record<string, unknown>) => ListPlace
}
