import { existsSync } from 'node:fs'
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/** Minimum pause between two saves (ms). */
const minPauseMs = 100

/**
 * State files of a chain.
 * - `exit.json` is written by anvil on a clean exit. It is the latest state and includes the history that a
 *   reorganisation needs.
 * - `saved.json.gz` is written atomically after each block, for a start after anvil was killed.
 * - `load.json` is the unpacked copy of the latter, while it is loaded.
 */
export const stateFiles = (folder: string) => ({
  exit: join(folder, 'exit.json'),
  saved: join(folder, 'saved.json.gz'),
  load: join(folder, 'load.json'),
})

/** Calls a JSON-RPC method of the node at `url`. Throws when the node is unreachable or answers with an error. */
export async function rpc(url: string, method: string, params: unknown[] = [], signal?: AbortSignal): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: signal ?? null,
  })
  const answer: { result?: unknown; error?: { message: string } } = JSON.parse(await response.text())
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
  return answer.result
}

/** Returns the state files to try, best first: anvil may be unable to read one. */
export async function stateCandidates(folder: string): Promise<string[]> {
  const { exit, saved, load } = stateFiles(folder)
  const found = existsSync(exit) ? [exit] : []
  if (existsSync(saved)) {
    await writeFile(load, await promisify(gunzip)(await readFile(saved)))
    found.push(load)
  }
  return found
}

/** Removes the files needed only for the start. Call it once the loaded state is saved again. */
export async function removeLoadedState(folder: string): Promise<void> {
  const { exit, load } = stateFiles(folder)
  await rm(exit, { force: true })
  await rm(load, { force: true })
}

/** Saves the chain's current state to `saved.json.gz`, atomically. */
export async function saveState(url: string, folder: string): Promise<void> {
  const dump = await rpc(url, 'anvil_dumpState', [false])
  if (typeof dump !== 'string') throw new Error('anvil_dumpState returned no state')
  const { saved } = stateFiles(folder)
  const file = await open(`${saved}.new`, 'w')
  try {
    await file.writeFile(Buffer.from(dump.slice(2), 'hex'))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${saved}.new`, saved)
}

/**
 * Saves the state after every block, one save at a time. Pauses ten times as long as the last save took, so that saving
 * never uses more than a tenth of a core.
 */
export function startAutosave(
  url: string,
  folder: string,
  onError: (error: unknown) => void,
): { stop: () => Promise<void> } {
  const socket = new WebSocket(url.replace('http', 'ws'))
  let saving: Promise<void> | undefined
  let isDirty = false
  let pause: NodeJS.Timeout | undefined
  let isStopped = false

  const save = () => {
    isDirty = false
    const start = performance.now()
    saving = saveState(url, folder)
      .catch(error => {
        if (!isStopped) onError(error)
      })
      .finally(() => {
        saving = undefined
        if (isStopped) return
        const pauseMs = Math.max(minPauseMs, 10 * (performance.now() - start))
        pause = setTimeout(() => {
          pause = undefined
          if (isDirty) save()
        }, pauseMs)
        pause.unref()
      })
  }

  socket.onopen = () => socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
  socket.onmessage = () => {
    isDirty = true
    if (!saving && !pause) save()
  }
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(pause)
      socket.close()
      await saving
    },
  }
}
