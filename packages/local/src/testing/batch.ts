/** Runs several test files in this process, each as a suite named by its path. Started by run-files.ts only. */
import { AsyncResource } from 'node:async_hooks'
import { after, suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { batchFiles } from './run-files.ts'
import { endTracing } from './untraced.ts'

/** The import before: two at once would evaluate modules that both share in the wrong suite, and lose its tests. */
let loaded: Promise<unknown> = Promise.resolve()
const files = (process.env[batchFiles] ?? '').split('\n')
for (const [at, file] of files.entries())
  suite(file, async () => {
    // What follows a promise belongs to the suite in which that promise was made. Bound, it belongs to this one.
    const load = AsyncResource.bind(() => import(pathToFileURL(file).href))
    loaded = loaded.then(load, load)
    await loaded
    // All tests are known now, each in its suite.
    if (at === files.length - 1) endTracing()
  })

// Once nothing is traced, the runner knows no test of an error that no promise leads to. The run fails all the same.
const stray: unknown[] = []
for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, error => stray.push(error))
after(() => {
  if (stray.length > 0) throw new AggregateError(stray, stray.map(error => inspect(error)).join('\n'))
})
