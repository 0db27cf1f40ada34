/**
 * Preloaded into the process of test files. The test runner follows every promise and resource by a hook, which takes
 * an eighth of the processor time of tests that wait for databases and chains: this lets `batch.ts` end it.
 */
import hooks, { type AsyncHook } from 'node:async_hooks'

const { createHook } = hooks
const made: AsyncHook[] = []
Object.assign(hooks, {
  createHook: (...callbacks: Parameters<typeof createHook>) => {
    const hook = createHook(...callbacks)
    made.push(hook)
    return hook
  },
})

/** Ends what follows promises and resources. */
export function endTracing(): void {
  for (const hook of made.splice(0)) hook.disable()
}
