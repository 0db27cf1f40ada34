/** Runs several test files in this process, each as a suite named by its path. Started by run-files.ts only. */
import { AsyncResource } from 'node:async_hooks'
import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { batchFiles } from './run-files.ts'

/** The import before: two at once would evaluate modules that both share in the wrong suite, and lose its tests. */
let loaded: Promise<unknown> = Promise.resolve()
for (const file of (process.env[batchFiles] ?? '').split('\n'))
  suite(file, async () => {
    // What follows a promise belongs to the suite in which that promise was made. Bound, it belongs to this one.
    const load = AsyncResource.bind(() => import(pathToFileURL(file).href))
    loaded = loaded.then(load, load)
    await loaded
  })
