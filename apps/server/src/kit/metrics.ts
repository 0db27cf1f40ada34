import { collectDefaultMetrics, Registry } from 'prom-client'

/** Where every metric of the server is registered. */
export const registry = new Registry()
collectDefaultMetrics({ register: registry })
