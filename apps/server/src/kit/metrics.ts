import { collectDefaultMetrics, Registry } from 'prom-client'

/** The registry of all server metrics. */
export const registry = new Registry()
collectDefaultMetrics({ register: registry })
