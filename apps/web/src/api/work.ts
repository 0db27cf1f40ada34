import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'

type Challenge = Parameters<typeof solveChallenge>[0]['challenge']

/** Does the work of a refused call. Returns what the header X-Work says; empty if it cannot be done in 90 s. */
export async function computeWorkHeader(challenge: unknown): Promise<string> {
  const given = challenge as Challenge
  const solution = await byWorker(given).catch(() => solveWorkChallenge(given))
  if (!solution) return ''
  const { counter, derivedKey } = solution
  return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/={1,2}$/, '')
}

export const solveWorkChallenge = (challenge: Challenge) => solveChallenge({ challenge, deriveKey })

/** Beside the page, which stays responsive. Rejects where browsers or their settings have no workers. */
const byWorker = (challenge: Challenge) =>
  new Promise<Awaited<ReturnType<typeof solveWorkChallenge>>>((resolve, reject) => {
    const worker = new Worker(new URL('./work.worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }) => {
      worker.terminate()
      resolve(data)
    }
    worker.onerror = error => {
      worker.terminate()
      reject(error)
    }
    worker.postMessage(challenge)
  })
