import { defineDomain } from '../../domain.ts'
import { updateDatabaseMetrics } from './metrics.ts'

export default defineDomain({ routes: {}, handlers: {}, updateMetrics: updateDatabaseMetrics })
