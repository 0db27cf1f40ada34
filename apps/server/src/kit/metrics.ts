import { collectDefaultMetrics, Registry } from 'prom-client'

/** The registry of all server metrics. */
export const registry = new Registry()
// By default the delay of the event loop is sampled 100 times a second, half of what an idle server does. It includes
// this interval.
collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 })
