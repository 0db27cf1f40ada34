/**
 * Loaded before everything else in a process that is to run without one guard: replaces the guard's source while it is
 * loaded, and nothing else. Fails when a fragment is not there exactly once, or when a file was never loaded.
 */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { guards } from './guards.ts'

const root = join(import.meta.dirname, '..', '..')
const guard = guards.find(each => each.name === process.argv[2])
if (!guard) throw new Error(`no guard is named ${process.argv[2]}`)
const cuts = Map.groupBy(guard.cuts, ({ file }) => pathToFileURL(join(root, file)).href)

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const own = cuts.get(url)
    if (!own) return loaded
    let source = String(loaded.source)
    for (const { file, from, to } of own) {
      if (source.split(from).length !== 2) throw new Error(`${file} does not have once: ${from}`)
      source = source.replace(from, () => to)
    }
    cuts.delete(url)
    return { ...loaded, source }
  },
})

// With the first order everything is loaded.
process.once('message', () => {
  if (cuts.size > 0) throw new Error(`does not have once, for it is never loaded: ${[...cuts.keys()]}`)
})
