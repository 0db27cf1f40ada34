/** Environment variable by which `npm test -- --full` asks for whole volumes; what tests start inherits it. */
export const fullVariable = 'COFFER_TEST_FULL'

/**
 * Whether tests run with whole volumes (`npm test -- --full`, before a release) instead of one representative of each
 * class: every hostile value in every field, guessing until the limit, each fault of a node through the whole product.
 */
export const isFull = (): boolean => process.env[fullVariable] === '1'

/** How often something is tried: as `usual`, or with `--full` as `whole`. */
export const volume = (usual: number, whole: number): number => (isFull() ? whole : usual)
