/**
 * Preload module for a process that runs without one guard: replaces the source at the guard's markers as modules load.
 * Fails when no loaded module contains a marker.
 */
import { registerHooks } from 'node:module'
import { guards } from './guards.ts'
import { replaceMarked } from './markers.ts'

const guard = guards.find(each => each.name === process.argv[2])
if (!guard) throw new Error(`no guard is named ${process.argv[2]}`)
const missing = new Map(Object.entries(guard.without))

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.startsWith('file:') || url.includes('/node_modules/') || !loaded.source) return loaded
    let source = String(loaded.source)
    for (const [marker, replacement] of missing) {
      const replaced = replaceMarked(source, marker, replacement)
      if (replaced === undefined) continue
      source = replaced
      missing.delete(marker)
    }
    return { ...loaded, source }
  },
})

// All modules of a worker have been loaded when its first message arrives, those of a test when it ends.
process.once(process.send ? 'message' : 'exit', () => {
  if (missing.size > 0) throw new Error(`no source was loaded with the marker: ${[...missing.keys()].join(', ')}`)
})
