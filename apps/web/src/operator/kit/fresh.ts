import { cell } from '../../lib/cell.ts'

/** The open question for a fresh code. Rendered by FreshHost. */
export const freshRequest = cell<{ answer(entered: boolean): void } | null>(null)

/** Asks for a fresh code of the authenticator; resolves with whether the session is fresh then. */
export const askFreshCode = (): Promise<boolean> =>
  new Promise(resolve => {
    freshRequest.get()?.answer(false)
    freshRequest.set({
      answer: entered => {
        freshRequest.set(null)
        resolve(entered)
      },
    })
  })
