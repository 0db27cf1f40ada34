import { existsSync } from 'node:fs'
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/** The least time between two saves, in milliseconds. */
const shortestPauseMs = 100

/**
 * The files a chain lives in between runs.
 * - `exit.json` is written by anvil when it ends gently: the newest, with the states that a reorganisation needs.
 * - `saved.json.gz` is written by us after each block, whole or not at all: what is left when anvil was killed.
 */
export const files = (folder: string) => ({
  exit: join(folder, 'exit.json'),
  saved: join(folder, 'saved.json.gz'),
  load: join(folder, 'load.json'),
})

/** Calls a JSON-RPC method of the node at `url`. Throws when the node refuses or does not answer. */
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

/** Gives the state files to try, the best first. A file that anvil cannot read must not be the end. */
export async function statesToTry(folder: string): Promise<string[]> {
  const { exit, saved, load } = files(folder)
  const found = existsSync(exit) ? [exit] : []
  if (existsSync(saved)) {
    await writeFile(load, await promisify(gunzip)(await readFile(saved)))
    found.push(load)
  }
  return found
}

/** Removes what was only needed to start; call it when the state that was loaded is saved again. */
export async function forgetLoaded(folder: string): Promise<void> {
  const { exit, load } = files(folder)
  await rm(exit, { force: true })
  await rm(load, { force: true })
}

/** Writes the chain's present state to `saved.json.gz`: complete on the disk before it takes the old one's place. */
export async function saveState(url: string, folder: string): Promise<void> {
  const dump = await rpc(url, 'anvil_dumpState', [false])
  if (typeof dump !== 'string') throw new Error('anvil_dumpState gave no state')
  const { saved } = files(folder)
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
 * Saves the state after every block, one save at a time, resting ten times as long as a save takes so that a long chain
 * costs no more than a tenth of a core. Takes what to do when a save fails; gives `stop`.
 */
export function keepSaved(
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
        const pauseMs = Math.max(shortestPauseMs, 10 * (performance.now() - start))
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
